import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { connect, eras } from "../rig/mcp.ts";

const touching = { workflow: "conditional-deploy", inputs: { command: ["touch", "PWNED"], branch: "main" } };

describe.each(eras)("%s", (era) => {
  test("--no-inline leaves a client no workflow that takes commands", async () => {
    const frond = createFrond();
    const { call } = await connect(frond, { era, args: ["--no-inline"] });
    for (const asked of [touching, { workflow: "run-test-command", inputs: { test_command: ["touch", "PWNED"] } }]) {
      const { isError, data } = await call("execute_workflow", asked);
      expect({ isError, data }).toMatchObject({ isError: true, data: { errors: [{ code: "commands-forbidden" }] } });
      expect(data.error).toContain("decides which program runs");
      expect(data.run_id).toBeUndefined();
    }
    expect(existsSync(join(frond.directory, "PWNED"))).toBe(false);
    expect((await call("execute_workflow", { workflow: "hello-world" })).data).toMatchObject({ status: "success" });
  });

  test("--allow lets one of them run all the same", async () => {
    const frond = createFrond();
    const { call } = await connect(frond, { era, args: ["--no-inline", "--allow", "run-test-command"] });
    const allowed = await call("execute_workflow", {
      workflow: "run-test-command",
      inputs: { test_command: ["true"] },
    });
    expect(allowed.isError ?? false).toBe(false);
    expect(await call("execute_workflow", touching)).toMatchObject({ isError: true });
  });
});

test("a server without --no-inline runs them, and info names the capability", async () => {
  const { call } = await connect(createFrond());
  const { data } = await call("get_workflow_info", { workflow: "conditional-deploy" });
  expect(data.capabilities).toContain("takes commands");
  expect((await call("get_workflow_info", { workflow: "git-status" })).data.capabilities).not.toContain(
    "takes commands",
  );
});
