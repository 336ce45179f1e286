import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { hearEvents } from "../rig/hear-events.ts";
import { type HttpDoor, openHttpDoor } from "../rig/http-door.ts";
import { waitFor } from "../rig/wait-for.ts";

const files = {
  "fine.yaml": workflow("fine", [shell("say", "echo hi")], {
    inputs: { version: { type: "string", default: "0" } },
    outputs: { tag: "v${inputs.version}" },
  }),
  "bad.yaml": workflow("bad", [shell("build", "true"), shell("test", "exit 3", { depends_on: ["build"] })]),
  "ask.yaml": workflow("ask", [{ id: "go", type: "Prompt", inputs: { prompt: "Publish it?\nReally?" } }]),
  "hold.yaml": workflow("hold", [
    shell("first", "true"),
    shell("wait", "until [ -e go ]; do sleep 0.05; done", { depends_on: ["first"] }),
  ]),
  "make.yaml": workflow("make", [{ id: "file", type: "CreateFile", inputs: { path: "made.txt", content: "x" } }]),
};

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
async function get(door: HttpDoor, path: string): Promise<any> {
  return (await door.send({}, `/api${path}`)).json();
}

async function runId(frond: Frond, args: readonly string[]): Promise<string> {
  const { reply } = await frond.json(["run", ...args]);
  return (reply as { run_id: string }).run_id;
}

test("the list tells of each run how it stands and why, whichever process ran it", async () => {
  const frond = createFrond(files);
  const door = await openHttpDoor(frond);
  await runId(frond, ["fine.yaml", "--input", "version=2.4.0"]);
  await runId(frond, ["bad.yaml"]);
  await runId(frond, ["ask.yaml"]);
  const { runs, counts, workflows } = await get(door, "/runs");
  expect(runs).toMatchObject([
    { workflow: "ask", standing: "asks", says: "Publish it?", questions: [expect.stringMatching(/^pause_/)] },
    { workflow: "bad", standing: "failed", says: expect.stringMatching(/^test: .*3/), questions: [] },
    { workflow: "fine", standing: "done", says: "tag: v2.4.0", label: "2.4.0", started_by: expect.any(String) },
  ]);
  expect(counts).toEqual({ asks: 1, failed: 1, done: 1 });
  expect(workflows).toEqual(["ask", "bad", "fine"]);
});

test("filters are put together, and the counts are those without the filter by standing", async () => {
  const frond = createFrond(files);
  const door = await openHttpDoor(frond);
  for (const version of ["1", "2", "3"]) await runId(frond, ["fine.yaml", "--input", `version=${version}`]);
  const bad = await runId(frond, ["bad.yaml"]);
  const ids = async (query: string): Promise<unknown> =>
    (await get(door, `/runs?${query}`)).runs.map(
      ({ workflow, label }: { workflow: string; label?: string }) => label ?? workflow,
    );
  expect(await ids("status=failed,asks")).toEqual(["bad"]);
  expect(await ids("workflow=fine&text=TAG: v2")).toEqual(["2"]);
  expect(await ids(`text=${bad.slice(4)}`)).toEqual(["bad"]);
  expect((await get(door, "/runs")).starters).toEqual(["command line"]);
  expect(await ids("started_by=web page")).toEqual([]);
  expect(await ids("started_by=command line&limit=1")).toEqual(["bad"]);
  expect(await ids("since=2999-01-01T00:00:00Z")).toEqual([]);
  expect(await ids("since=2001-01-01T00:00:00%2B02:00&limit=2")).toEqual(["bad", "3"]);
  expect((await get(door, "/runs?status=failed&workflow=fine")).counts).toEqual({ done: 3 });
  expect((await door.send({}, "/api/runs?status=lost")).status).toBe(400);
  expect((await door.send({}, "/api/runs?before=run_gone")).status).toBe(404);
});

test("pages follow each other without gaps or repeats while runs come in", async () => {
  const frond = createFrond(files);
  const door = await openHttpDoor(frond);
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) made.unshift(await runId(frond, ["fine.yaml"]));
  const seen: string[] = [];
  let before = "";
  for (;;) {
    const { runs, next } = await get(door, `/runs?limit=2${before}`);
    seen.push(...runs.map(({ run_id }: { run_id: string }) => run_id));
    await runId(frond, ["fine.yaml"]);
    if (next === undefined) break;
    before = `&before=${next}`;
  }
  expect(seen).toEqual(made);
});

test("whoever listens hears of runs of other processes: new ones, changed ones and removed ones", async () => {
  const frond = createFrond(files);
  const old = await runId(frond, ["fine.yaml"]);
  const door = await openHttpDoor(frond);
  const heard = await hearEvents(door, "/api/runs/events");
  await get(door, "/runs");
  const running = frond.start(["run", "hold.yaml"]);
  const lines = (): { workflow: string; standing: string; says: string }[] =>
    heard.events.flatMap(({ data }) => data.runs);
  const isTold = (workflow: string, standing: string, says: string): boolean =>
    lines().some((line) => line.workflow === workflow && line.standing === standing && line.says === says);
  await waitFor("it to be told how far the run is", () => isTold("hold", "running", "1 of 2 blocks"));
  // Too short to be seen while it runs.
  await runId(frond, ["fine.yaml"]);
  await waitFor("a short run to be told", () => isTold("fine", "done", "tag: v0"));
  frond.write("go", "");
  await running.ended;
  await waitFor("its end to be told", () =>
    lines().some((line) => line.workflow === "hold" && line.standing === "done"),
  );
  await frond.run(["gc", "--older-than", "0s"]);
  await heard.until("the removed run to be told", (events) =>
    events.some(({ data }) => data.removed?.includes(old) === true),
  );
  expect((await get(door, "/runs")).runs).toEqual([]);
});

test("a run whose process was killed is told to be interrupted", async () => {
  const frond = createFrond(files);
  const door = await openHttpDoor(frond);
  const heard = await hearEvents(door, "/api/runs/events");
  const running = frond.start(["run", "hold.yaml"]);
  const isTold = (standing: string) => (events: readonly { data: { runs: { standing: string }[] } }[]) =>
    events.some(({ data }) => data.runs.some((line) => line.standing === standing));
  await heard.until("it runs", isTold("running"));
  running.child.kill("SIGKILL");
  await heard.until("it is interrupted", isTold("interrupted"));
});

test("a run that was taken back stands as undone, until that is taken back too", async () => {
  const frond = createFrond(files);
  const door = await openHttpDoor(frond);
  const made = await runId(frond, ["make.yaml"]);
  const first = (await frond.json(["undo", made, "--yes"])).reply as { run_id: string };
  const line = async (): Promise<unknown> =>
    (await get(door, "/runs")).runs.find((run: { run_id: string }) => run.run_id === made);
  expect(await line()).toMatchObject({
    standing: "undone",
    says: expect.stringMatching(/^Undone at <.*Z>\.$/),
    undone_by: first.run_id,
  });
  await frond.json(["undo", first.run_id, "--yes"]);
  expect(await line()).toMatchObject({ standing: "done" });
});

test("strips have a letter for each block, in the order of the file", async () => {
  const frond = createFrond(files);
  const door = await openHttpDoor(frond);
  const [bad, ask] = [await runId(frond, ["bad.yaml"]), await runId(frond, ["ask.yaml"])];
  const { strips } = await get(door, `/strips?runs=${bad},${ask},run_gone`);
  expect(strips).toEqual({ [bad]: "df", [ask]: "a" });
});
