import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startCuttableProxy } from "../rig/cuttable-proxy.ts";
import { createFrond, type Frond } from "../rig/frond.ts";
import { type HttpDoor, openHttpDoor } from "../rig/http-door.ts";
import { postgresVariables, startPostgres } from "../rig/postgres.ts";
import { waitFor } from "../rig/wait-for.ts";

const waiting = `name: waiting
description: Goes on until a file is there
blocks:
  - id: wait
    type: Shell
    on_interrupted: rerun
    inputs: { command: "touch begun; until test -e go; do sleep 0.05; done" }
`;
const failing = `name: failing
description: Fails, after another attempt
blocks:
  - { id: no, type: Shell, retry: { attempts: 2, delay: 0 }, inputs: { command: "exit 1" } }
`;

async function post(door: HttpDoor, path: string, body: object, more: object = {}): Promise<Response> {
  const headers = { "content-type": "application/json", "x-frond": "1", ...more };
  return door.send({ method: "POST", headers, body: JSON.stringify(body) }, path);
}

function health(door: HttpDoor): Promise<Response> {
  return fetch(new URL("/healthz", door.url));
}

async function begin(frond: Frond, door: HttpDoor): Promise<string> {
  const started = await post(door, "/api/runs", { workflow_yaml: waiting });
  const { run_id: runId } = (await started.json()) as { readonly run_id: string };
  await waitFor("the command", () => existsSync(join(frond.directory, "begun")));
  return runId;
}

test("metrics count runs, blocks and the journal; nobody gets them without the token", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond);
  expect((await fetch(new URL("/metrics", door.url))).status).toBe(401);
  await begin(frond, door);
  await post(door, "/api/runs", { workflow_yaml: failing });
  let text = "";
  await waitFor("the run to be counted", async () => {
    const answer = await door.send({}, "/metrics");
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    text = await answer.text();
    return text.includes("frond_runs_ended_total{");
  });
  const lines = text.split("\n");
  const figure = (line: string): number =>
    Number(
      lines
        .find((one) => one.startsWith(`${line} `))
        ?.split(" ")
        .at(-1),
    );
  expect(figure('frond_runs_started_total{workflow="waiting"}')).toBe(1);
  expect(figure('frond_runs_ended_total{workflow="failing",outcome="failure"}')).toBe(1);
  expect(figure('frond_runs{state="running"}')).toBe(1);
  expect(figure('frond_runs{state="paused"}')).toBe(0);
  expect(figure('frond_block_retries_total{type="Shell"}')).toBe(1);
  expect(figure('frond_block_duration_seconds_count{type="Shell",outcome="failure"}')).toBe(1);
  // One of each run at least: what happens at the same moment is one commit.
  expect(figure("frond_journal_append_seconds_count")).toBeGreaterThanOrEqual(2);
  expect(figure("frond_process_resident_memory_bytes")).toBeGreaterThan(1e6);
  // Every line is a comment, or a name with labels and a number.
  for (const line of lines.slice(0, -1))
    expect(line).toMatch(/^(# (HELP|TYPE) frond_\w+ .+|frond_\w+(\{[^{}]*\})? [\d.e+-]+)$/);
  const names = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
});

test("a server that is told to end lets its runs end, says so, and takes no new ones", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond, ["--drain", "10m"]);
  expect([(await health(door)).status, await (await health(door)).json()]).toEqual([200, { status: "ok" }]);
  const runId = await begin(frond, door);
  door.running.child.kill("SIGTERM");
  await waitFor("the server to drain", async () => (await health(door)).status === 503);
  expect(await (await health(door)).json()).toEqual({ status: "draining" });
  const refused = await post(door, "/api/runs", { workflow_yaml: waiting });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await refused.json()).toMatchObject({ error: { code: "closing" } });
  frond.write("go", "");
  expect((await door.running.ended).code).toBe(0);
  expect((await frond.json(["show", runId])).reply).toMatchObject({ status: "success" });
});

test("a second signal ends a server that drains at once, and its runs are left for others", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond, ["--drain", "10m"]);
  const runId = await begin(frond, door);
  door.running.child.kill("SIGTERM");
  await waitFor("the server to drain", async () => (await health(door)).status === 503);
  door.running.child.kill("SIGTERM");
  expect((await door.running.ended).code).toBe(0);
  expect((await frond.json(["runs"])).reply).toMatchObject({ runs: [{ run_id: runId, status: "interrupted" }] });
});

test("health says in one word that the journal can't be reached, and when it can again", async () => {
  const frond = createFrond();
  const door = await openHttpDoor(frond);
  const aside = `${frond.state}-aside`;
  onTestFinished(() => rmSync(aside, { recursive: true, force: true }));
  renameSync(frond.state, aside);
  frond.write("../state", "not a directory");
  await waitFor("the journal to be missed", async () => (await health(door)).status === 503);
  expect(await (await health(door)).json()).toEqual({ status: "journal" });
  rmSync(frond.state);
  renameSync(aside, frond.state);
  await waitFor("the journal to be back", async () => (await health(door)).status === 200);
});

test("health says the same of a database that is away", async () => {
  const proxy = await startCuttableProxy(await (await startPostgres()).createDatabase());
  const door = await openHttpDoor(createFrond(), [], 0, postgresVariables(proxy.url));
  await waitFor("the database to be reached", async () => (await health(door)).status === 200);
  proxy.cut();
  await waitFor("the database to be missed", async () => (await health(door)).status === 503);
  expect(await (await health(door)).json()).toEqual({ status: "journal" });
  proxy.mend();
  await waitFor("the database to be back", async () => (await health(door)).status === 200);
});

test("a server whose database can't be used says so when it starts, and to those who ask it", async () => {
  const door = await openHttpDoor(createFrond(), [], 0, { FROND_DATABASE_URL: "nowhere" });
  const message = "FROND_DATABASE_URL is no address of PostgreSQL";
  await door.running.complaint(message);
  const answer = await door.send({}, "/api/runs");
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await answer.json()).toEqual({
    error: { code: "journal-unusable", message: expect.stringContaining(message) },
  });
  expect(await (await health(door)).json()).toEqual({ status: "journal" });
});
