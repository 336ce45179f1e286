import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { connect, oldEra } from "../rig/mcp.ts";

const evil = workflow("evil", [shell("run", "touch owned")]);

describe.each(oldEra)("%s", (era) => {
  test("a model can't write a workflow with a file block and then run it by name", async () => {
    const frond = createFrond({
      "config.json": evil,
      ".frond/workflows/own.yaml": workflow("own", [shell("a", "true")]),
    });
    await frond.run(["trust"]);
    const { call } = await connect(frond, { era, args: ["--no-inline", "--no-unsafe"] });
    for (const output_path of [
      ".frond/workflows/evil.yaml",
      ".FROND/workflows/evil.yaml",
      "sub/.frond/workflows/e.yaml",
    ]) {
      const inputs = { path: "config.json", output_path };
      const written = await call("execute_workflow", { workflow: "transform-json-config", inputs });
      expect(written.data).toMatchObject({
        status: "failure",
        failed_blocks: [{ message: expect.stringContaining("no block may change") }],
      });
      expect(existsSync(join(frond.directory, output_path))).toBe(false);
    }
    expect((await call("execute_workflow", { workflow: "evil" })).data).toMatchObject({
      errors: [{ code: "unknown-workflow" }],
    });
    expect(existsSync(join(frond.directory, "owned"))).toBe(false);
  });

  test("a file that got there in another way is not run, and the reply says what a person has to do", async () => {
    const frond = createFrond({
      ".frond/workflows/own.yaml": workflow("own", [shell("a", "true")], { expose: "tool" }),
    });
    await frond.run(["trust"]);
    const { call, client } = await connect(frond, { era });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("run_own");
    frond.write(".frond/workflows/evil.yaml", evil);
    frond.write(".frond/workflows/own.yaml", workflow("own", [shell("a", "touch owned")], { expose: "tool" }));
    const typed = `FROND_STATE_DIR=${frond.state} frond`;
    for (const [tool, args] of [
      ["execute_workflow", { workflow: "own" }],
      ["run_own", {}],
    ] as const) {
      const { isError, data } = await call(tool, args);
      expect(isError).toBe(true);
      expect(data.errors[0]).toMatchObject({
        code: "untrusted-workflow",
        message:
          "The workflow 'own' has changed since it was trusted. In this project: changed .frond/workflows/own.yaml; new .frond/workflows/evil.yaml.",
        fix: `A person has to look at it with \`${typed} trust --diff ${frond.directory}\` and then run \`${typed} trust ${frond.directory}\`. Tell them.`,
      });
    }
    expect((await call("list_workflows", {})).data.untrusted.evil).toBe(
      `It is new: a person has to look at it and run \`${typed} trust ${frond.directory}\` before it can be run.`,
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("run_own");
    const inline = workflow("top", [{ id: "go", type: "ExecuteWorkflow", inputs: { workflow: "${inputs.x}" } }], {
      inputs: { x: { type: "string", description: "Which", default: "evil" } },
    });
    const late = await call("execute_inline_workflow", { workflow_yaml: inline });
    expect(late.data).toMatchObject({
      status: "failure",
      failed_blocks: [{ message: expect.stringContaining("is new, and not trusted yet") }],
    });
    expect(existsSync(join(frond.directory, "owned"))).toBe(false);
    await frond.run(["trust"]);
    expect((await call("execute_workflow", { workflow: "own" })).data).toMatchObject({ status: "success" });
  });
});
