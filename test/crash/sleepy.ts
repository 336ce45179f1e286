import type { CaseWorkflows } from "./protocol.ts";

/** A small run that sleeps most of the time: between attempts, between passes and in a Wait, also in an attempt of a workflow. */
export const sleepy: CaseWorkflows = {
  root: {
    blocks: [
      { id: "again", type: "Effect", retry: { attempts: 4, delay: "60ms", backoff: "fixed" }, inputs: { fails: 3 } },
      { id: "wait", type: "Wait", inputs: { duration: "90ms" } },
      { id: "poll", type: "Effect", repeat: { max: 3, until: "${this.failed}", delay: "60ms" } },
      {
        id: "nested",
        type: "ExecuteWorkflow",
        retry: { attempts: 2, delay: "60ms" },
        inputs: { workflow: "child", inputs: { given: "${blocks.wait.status}" } },
      },
    ],
    outputs: { last: "${blocks.nested.outputs}", polled: "${blocks.poll.outputs}" },
  },
  library: {
    child: {
      inputs: { given: { type: "json", description: "What its output is made from" } },
      blocks: [
        {
          id: "inner",
          type: "Effect",
          retry: { attempts: 2, delay: "40ms" },
          inputs: { ends: "failure", take: ["${inputs.given}"] },
        },
        { id: "wait", type: "Wait", inputs: { duration: "40ms" } },
      ],
      outputs: { inner: "${blocks.inner.value}" },
    },
  },
};
