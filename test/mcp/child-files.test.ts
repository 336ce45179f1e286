import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";

const leaf = (name: string): string =>
  `name: ${name}\ndescription: d\nblocks:\n  - { id: say, type: Shell, inputs: { command: echo hi } }\noutputs: { said: "\${trim(blocks.say.stdout)}" }\n`;

const calling = (child: string): string =>
  `name: inline\ndescription: d\nblocks:\n  - { id: c, type: ExecuteWorkflow, inputs: { workflow: ${child} } }\noutputs: { said: "\${blocks.c.said}" }\n`;

test("an inline workflow names the workspace's trusted files by path, and no others", async () => {
  const frond = createFrond({
    ".frond/workflows/parts/a.yaml": leaf("a"),
    "plain.yaml": leaf("plain"),
    "../outside.yaml": leaf("outside"),
  });
  const untrusted = await connect(frond);
  const path = "./.frond/workflows/parts/a.yaml";
  const asked = await untrusted.call("execute_inline_workflow", { workflow_yaml: calling(path) });
  expect(asked.isError).toBe(true);
  expect(asked.data).toMatchObject({ errors: [{ code: "untrusted-workflow" }] });
  await frond.run(["trust"]);
  const { call } = await connect(frond);
  const { data } = await call("execute_inline_workflow", { workflow_yaml: calling(path) });
  expect(data).toMatchObject({ status: "success", outputs: { said: "hi" } });
  for (const other of ["./plain.yaml", "../outside.yaml", "./.frond/../plain.yaml"]) {
    const refused = await call("validate_workflow_yaml", { yaml_content: calling(other) });
    const fix = "Call a workflow of the library by its name, or write the blocks of that file into this one.";
    expect(refused.data).toMatchObject({ valid: false, errors: [{ code: "path-not-allowed", fix }] });
  }
});
