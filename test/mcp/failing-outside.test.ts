import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";

test("a journal that can't be used is told in the reply, and works as soon as it can", async () => {
  const frond = createFrond();
  const blocked = join(frond.directory, "blocked");
  writeFileSync(blocked, "a file where a directory should be");
  const { call } = await connect(frond, { env: { FROND_STATE_DIR: join(blocked, "state") } });
  for (const [tool, args] of [
    ["list_runs", {}],
    ["execute_workflow", { workflow: "hello-world" }],
  ] as const) {
    const { isError, data } = await call(tool, args);
    expect(isError).toBe(true);
    expect(data).toMatchObject({ status: "failure", errors: [{ code: expect.stringMatching(/^journal-/) }] });
    expect(data.error).toContain(blocked);
  }
  expect((await call("list_workflows")).data.workflows).not.toEqual([]);
  rmSync(blocked);
  expect((await call("execute_workflow", { workflow: "hello-world" })).data).toMatchObject({ status: "success" });
  expect((await call("list_runs")).data.runs).toHaveLength(1);
});
