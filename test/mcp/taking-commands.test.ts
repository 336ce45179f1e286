import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { connect, newEra, shareServer } from "../rig/mcp.ts";

const touching = { workflow: "conditional-deploy", inputs: { command: ["touch", "PWNED"], branch: "main" } };

describe.each(newEra)("%s", (era) => {
  const server = shareServer({ era, args: ["--no-inline"] });

  test("--no-inline leaves a client no workflow that takes commands", async () => {
    const frond = createFrond();
    const { call } = await connect(frond, { era, args: ["--no-inline"] });
    for (const asked of [touching, { workflow: "run-test-command", inputs: { test_command: ["touch", "PWNED"] } }]) {
      const { isError, data } = await call("execute_workflow", asked);
      expect({ isError, data }).toMatchObject({ isError: true, data: { errors: [{ code: "commands-forbidden" }] } });
      expect(data.errors[0].message).toContain("decides which program runs");
      expect(data.run_id).toBeUndefined();
    }
    expect(existsSync(join(frond.directory, "PWNED"))).toBe(false);
    expect((await call("execute_workflow", { workflow: "hello-world" })).data).toMatchObject({ status: "success" });
  });

  test("--no-inline leaves a client no directory of its choice for a workflow that runs what its directory says", async () => {
    const frond = createFrond();
    const touch = (name: string): string => JSON.stringify({ scripts: { build: `touch ${frond.directory}/${name}` } });
    frond.write("package.json", touch("OWN"));
    frond.write("other/package.json", touch("PWNED"));
    const { call } = await connect(frond, { era, args: ["--no-inline"] });
    const building = { workflow: "build-node", wait_seconds: 60 };
    for (const asked of [
      { ...building, inputs: { project_path: "other" } },
      { ...building, workspace: "other" },
    ]) {
      const { isError, data } = await call("execute_workflow", asked);
      expect({ isError, data }).toMatchObject({ isError: true, data: { errors: [{ code: "commands-forbidden" }] } });
    }
    const own = await call("execute_workflow", { ...building, inputs: { project_path: "." } });
    expect(own.data).toMatchObject({ status: "success" });
    expect(existsSync(join(frond.directory, "OWN"))).toBe(true);
    expect(existsSync(join(frond.directory, "PWNED"))).toBe(false);
  });

  test.each([
    { workflow: "lint-python", inputs: { python_path: "other" } },
    { workflow: "python-quality-check", inputs: { python_path: "other" } },
    { workflow: "setup-python-env", inputs: { packages: ["./other.whl"] } },
    { workflow: "python-ci-pipeline", inputs: { python_path: "other/bin/python" } },
    { workflow: "run-pytest", inputs: { project_path: "other" } },
    { workflow: "npm-install", inputs: { project_path: "other" } },
  ])("--no-inline lets a client name neither tools nor packages of a project: %j", async (asked) => {
    const { call } = server();
    expect((await call("execute_workflow", asked)).data).toMatchObject({ errors: [{ code: "commands-forbidden" }] });
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
