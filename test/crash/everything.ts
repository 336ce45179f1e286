import type { CaseOptions } from "./crash-case.ts";

/**
 * A small run in which everything happens that can be written: a loop, a nested workflow, a block that asks what to do after an
 * interruption, three questions at once, a block that is tried again, one that is repeated, a Wait, and `finally`.
 */
export const everything: Omit<CaseOptions, "program" | "directory" | "seed"> = {
  family: "repeat",
  paceMs: 0,
  workflows: {
    root: {
      blocks: [
        { id: "one", type: "Effect", on_interrupted: "ask", inputs: { asks: 1 } },
        { id: "two", type: "Effect", inputs: { asks: 1 } },
        { id: "three", type: "Prompt", inputs: { prompt: "question 1" } },
        { id: "again", type: "Effect", retry: { attempts: 3, delay: "10ms" }, inputs: { fails: 2 } },
        { id: "poll", type: "Effect", repeat: { max: 2, until: "${this.failed}", delay: "10ms" } },
        { id: "wait", type: "Wait", inputs: { duration: "30ms" } },
        {
          id: "four",
          type: "ExecuteWorkflow",
          for_each: [1, 2],
          inputs: { workflow: "child", inputs: { given: ["${each.value}", "${blocks.three.outputs}"] } },
        },
        {
          id: "five",
          blocks: [{ id: "inner", type: "Effect", inputs: { take: ["${blocks.three.outputs}"] } }],
          outputs: { inner: "${blocks.inner.value}" },
        },
      ],
      outputs: { four: "${blocks.four.outputs}", five: "${blocks.five.outputs}" },
      finally: [
        { id: "tell", type: "Effect", on_interrupted: "rerun", inputs: { take: ["${run.status}"] } },
        {
          id: "clean",
          type: "Effect",
          on_interrupted: "rerun",
          allow_failure: true,
          retry: { attempts: 2, delay: "10ms" },
          inputs: { ends: "failure" },
        },
      ],
    },
    library: {
      child: {
        inputs: { given: { type: "json", description: "What its output is made from" } },
        blocks: [{ id: "leaf", type: "Effect", inputs: { take: ["${inputs.given}"] } }],
        outputs: { leaf: "${blocks.leaf.value}" },
        finally: [{ id: "tidy", type: "Effect", on_interrupted: "rerun" }],
      },
    },
  },
};
