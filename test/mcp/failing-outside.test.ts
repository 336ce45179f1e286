import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond } from "../rig/frond.ts";
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
    expect(data.errors[0].message).toContain(blocked);
  }
  expect((await call("list_workflows")).data.total).toBeGreaterThan(30);
  rmSync(blocked);
  expect((await call("execute_workflow", { workflow: "hello-world" })).data).toMatchObject({ status: "success" });
  expect((await call("list_runs")).data.runs).toHaveLength(1);
});

for (const [how, replace] of [
  ["is removed", moveAway],
  [
    "is replaced",
    async (frond: Frond) => {
      moveAway(frond);
      expect((await frond.run(["run", "hello-world"])).code).toBe(0);
    },
  ],
] as const) {
  test(`a server whose state directory ${how} says so at most once, and goes on with the one that is there then`, async () => {
    const frond = createFrond();
    const { call } = await connect(frond);
    const hello = { workflow: "hello-world" };
    await call("execute_workflow", hello);
    await replace(frond);
    const [first, { data }] = [await call("execute_workflow", hello), await call("execute_workflow", hello)];
    // Whatever looks into the journal first is told; that need not be the call.
    if (first.isError) expect(first.data).toMatchObject({ errors: [{ code: "journal-removed" }] });
    expect(data).toMatchObject({ status: "success" });
    // Others find it where they look.
    expect((await frond.json(["show", data.run_id])).reply).toMatchObject({ status: "success" });
  });
}

/** At once: a server that finds it half removed makes it anew meanwhile. */
function moveAway({ state }: Frond): void {
  renameSync(state, `${state}.old`);
}
