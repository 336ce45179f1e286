import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { connect, eras } from "../rig/mcp.ts";
import { runIdIn } from "../rig/person.ts";

const files = { "one.yaml": workflow("one", [shell("a", "true")]) };

interface Listed {
  readonly run_id: string;
  readonly started_by?: string;
}

async function newest(frond: Frond): Promise<Listed | undefined> {
  const { reply } = await frond.json(["runs"]);
  return (reply as { readonly runs: readonly Listed[] }).runs[0];
}

test.each([
  ["command line", [], {}],
  ["github actions", [], { GITHUB_ACTIONS: "true" }],
  ["release script", ["--started-by", " release\n\u0007 script "], { GITHUB_ACTIONS: "true" }],
] as const)("a run says that it was started by '%s'", async (who, args, env) => {
  const frond = createFrond(files);
  await frond.run(["run", "one.yaml", ...args], { env });
  const run = await newest(frond);
  expect(run?.started_by).toBe(who);
  expect((await frond.json(["show", run?.run_id ?? ""])).reply).toMatchObject({ started_by: run?.started_by });
  const { stdout } = await frond.run(["show", run?.run_id ?? ""]);
  const by = who === "command line" ? "" : ` by ${who}`;
  expect(stdout.split("\n")[1]).toContain(`ago)${by}, took`);
});

test("a run that a person starts at a terminal says so, and a rerun says who started that", async () => {
  const frond = createFrond(files);
  const { stdout } = await frond.startInTerminal(["run", "one.yaml"]).ended;
  const runId = runIdIn(stdout) || ((await newest(frond))?.run_id ?? "");
  expect(await newest(frond)).toMatchObject({ run_id: runId, started_by: "terminal" });
  await frond.run(["rerun", runId, "--started-by", "nightly"]);
  expect(await newest(frond)).toMatchObject({ rerun_of: runId, started_by: "nightly" });
  await frond.run(["run", "one.yaml", "--reuse", runId, "--started-by", "again"]);
  expect(await newest(frond)).toMatchObject({ rerun_of: runId, started_by: "again" });
});

test("nobody's name is no name", async () => {
  const frond = createFrond(files);
  expect(await frond.json(["run", "one.yaml", "--started-by", " "])).toMatchObject({ code: 2 });
});

test.each(eras)(
  "a run that an MCP client starts (%s) carries the client's name, which that client is not told again",
  async (era) => {
    const frond = createFrond();
    const server = await connect(frond, { era });
    const inputs = { inputs: {} };
    const begun = await server.call("execute_workflow", { workflow: "hello-world", wait_seconds: 60, ...inputs });
    const { run_id } = begun.data as Listed;
    expect(await newest(frond)).toMatchObject({ run_id, started_by: "mcp test" });
    await server.call("rerun_workflow", { run_id, wait_seconds: 60 });
    expect(await newest(frond)).toMatchObject({ rerun_of: run_id, started_by: "mcp test" });
    await frond.run(["run", "hello-world", "--started-by", "nightly"]);
    const { runs } = (await server.call("list_runs")).data as { readonly runs: readonly Listed[] };
    expect(runs.map(({ started_by }) => started_by)).toEqual(["nightly", undefined, undefined]);
    expect((await server.call("list_runs", { since: "1h" })).data).toMatchObject({ runs: { length: 3 } });
    expect((await server.call("list_runs", { since: "2999-01-01" })).data).toMatchObject({ runs: [] });
    expect((await server.call("list_runs", { since: "soon" })).isError).toBe(true);
  },
);
