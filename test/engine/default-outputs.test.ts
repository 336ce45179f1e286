import { expect, test } from "vitest";
import { call, createStepEngine, ending, giving } from "../rig/step-engine.ts";

test("skipped and failed blocks have outputs that never look like success", async () => {
  const child = { blocks: [giving("x", 1)], outputs: { made: "${blocks.x.value}", other: "2" } };
  const { state } = await createStepEngine({ workflows: { child } }).engine.run({
    blocks: [
      ending("crashed", "crash"),
      {
        id: "command",
        type: "Shell",
        inputs: { command: "true" },
        depends_on: ["crashed"],
        outputs: { report: { type: "json", path: "report.json" } },
      },
      call("nested", "child", {}, { depends_on: ["crashed"] }),
      ending("loop", "succeed", { for_each: [1], depends_on: ["crashed"] }),
      { id: "ask", type: "Prompt", inputs: { prompt: "?" }, depends_on: ["crashed"] },
    ],
  });
  const outputs = Object.fromEntries(
    Object.entries(state.root.record.blocks).map(([id, record]) => [id, record.outputs]),
  );
  expect(JSON.parse(JSON.stringify(outputs))).toEqual({
    crashed: { value: null, code: -1 },
    command: { exit_code: -1, stdout: "", stderr: "", report: null },
    nested: { made: null, other: null },
    loop: { results: [], count: 0, failed_keys: [], failed_elements: [] },
    ask: { response: null },
  });
});

test("deep paths into a workflow that was skipped are null, and its blocks count as skipped", async () => {
  const inner = { blocks: [giving("x", { deep: 1 })], outputs: { made: "${blocks.x.value}" } };
  const child = { blocks: [call("inner", "inner")] };
  const read = (path: string): string => `\${blocks.d.${path}}`;
  const { engine } = createStepEngine({ workflows: { inner, child } });
  const { response } = await engine.run({
    blocks: [
      call("d", "child", {}, { condition: "false" }),
      call("l", "child", {}, { for_each: [1], condition: "false" }),
    ],
    outputs: {
      status: read("blocks.inner.status"),
      skipped: read("blocks.inner.blocks.x.skipped"),
      failed: read("blocks.inner.blocks.x.failed"),
      metadata: read("blocks.inner.metadata.status"),
      started: read("blocks.inner.metadata.started_at"),
      output: read("blocks.inner.outputs.made"),
      value: read("blocks.inner.blocks.x.outputs.value.deep"),
      code: read("blocks.inner.blocks.x.code"),
      input: read("blocks.inner.blocks.x.inputs.value"),
      total: read("metadata.total_blocks"),
      element: "${blocks.l.blocks['0'].skipped}",
    },
  });
  expect(response.output_errors).toBeUndefined();
  expect({ ...response.outputs }).toEqual({
    status: "skipped",
    skipped: true,
    failed: false,
    metadata: "skipped",
    started: null,
    output: null,
    value: null,
    code: null,
    input: null,
    total: null,
    element: true,
  });
});
