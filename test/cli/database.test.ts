import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { filesHolding } from "../rig/find-secret.ts";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { type Postgres, postgresVariables, startPostgres, withClient } from "../rig/postgres.ts";

let server: Postgres;

beforeAll(async () => {
  server = await startPostgres();
});

const password = /a-password-of-tests/;

test("with FROND_DATABASE_URL runs are in the database, for every state directory, and its address is nowhere else", async () => {
  const url = await server.createDatabase();
  const env = postgresVariables(url);
  const files = {
    "flow.yaml": workflow("flow", [
      shell("look", "env; tr '\\0' '\\n' < /proc/$PPID/environ || true"),
      { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" }, depends_on: ["look"] },
    ]),
  };
  const [one, other] = [createFrond(files), createFrond(files)];
  const paused = await one.alone.run(["run", "flow.yaml"], { env });
  expect(paused).toMatchObject({ code: 3, stderr: "" });
  expect(existsSync(join(one.state, "frond.db"))).toBe(false);
  const [question = ""] = /pause_\w+/.exec(paused.stdout) ?? [];
  const answered = await other.run(["resume", question, "--response", "yes"], { env });
  expect(answered.code).toBe(0);
  const shown = await one.run(["show", "last", "--json"], { env });
  expect(JSON.parse(shown.stdout)).toMatchObject({ status: "success" });
  const doctor = await one.run(["doctor"], { env });
  expect(doctor.stdout).toMatch(/storage +PostgreSQL 18\.\d+, from pg 8\./);
  for (const { stdout, stderr } of [paused, answered, shown, doctor]) expect(stdout + stderr).not.toMatch(password);
  expect(filesHolding(one.state, "a-password-of-tests")).toEqual([]);
  const { rows } = await withClient(url, (client) => client.query("SELECT body FROM frond.events"));
  expect(JSON.stringify(rows)).not.toMatch(password);
});

test("without what FROND_DATABASE_URL needs, commands say in one line what to do", async () => {
  const frond = createFrond({});
  const { FROND_PG = "", ...others } = postgresVariables(server.url);
  const missing = await frond.run(["runs"], { env: { ...others, FROND_PG: "" } });
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^error: FROND_DATABASE_URL is set, but pg is not installed beside Frond: type `npm install pg@8`[^\n]*\n$/,
    ),
  });
  const wrong = await frond.run(["runs"], {
    env: { FROND_PG, FROND_DATABASE_URL: "localhost:5432 a-password-of-tests" },
  });
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: FROND_DATABASE_URL is no address of PostgreSQL[^\n]*\n$/),
  });
  expect(wrong.stderr).not.toMatch(password);
});

test("frond doctor says what workers need that is not there, and a worker says it when it starts", async () => {
  const url = await server.createDatabase();
  const frond = createFrond({ occupied: "" });
  const env = { ...postgresVariables(url), FROND_DBOS: "", FROND_WORKSPACES_DIR: "occupied" };
  const doctor = await frond.run(["doctor"], { env });
  expect(doctor.stdout).toMatch(
    /warning +dispatch +runs can't be handed to workers, nor taken from here: @dbos-inc\/dbos-sdk is not installed beside Frond: type `npm install /,
  );
  expect(doctor.stdout).toMatch(
    /warning +workspaces +\S+occupied\/\w+ can't be made: \S+occupied is not a directory\. Make it writable, or name another one with FROND_WORKSPACES_DIR/,
  );
  expect(doctor.stderr).toContain(
    `FROND_WORKSPACES_DIR is 'occupied', a relative path: from another directory these workspaces are not found. Set it to ${join(frond.directory, "occupied")}`,
  );
  const worker = await frond.alone.run(["worker"], { env });
  expect(worker.code).toBe(2);
  expect(worker.stderr).toContain("Runs whose workflow has `workspace` can't be driven here: ");
  expect(worker.stderr).toContain("The worker can't start: ");
  expect(worker.stderr).toContain("fix: Run `frond doctor` with the same FROND_DATABASE_URL");
});

test("a process in the background drives a run of the database", async () => {
  const env = postgresVariables(await server.createDatabase());
  const frond = createFrond({ "seen.yaml": workflow("seen", [shell("look", "env > seen")]) });
  const { code, stdout } = await frond.run(["run", "-d", "seen.yaml"], { env });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^run_\w+\n$/)]);
  expect((await frond.run(["attach", stdout.trim()], { env })).code).toBe(0);
  expect(frond.read("seen")).not.toMatch(password);
});

test("a state directory that can't be used is told before a run of the database begins, and is all that is wrong then", async () => {
  const frond = createFrond({ "touching.yaml": workflow("touching", [shell("it", "touch ran")]), occupied: "" });
  const env = {
    ...postgresVariables(await server.createDatabase()),
    FROND_STATE_DIR: join(frond.directory, "occupied"),
    FROND_WORKSPACES_DIR: frond.home,
  };
  const refused = await frond.json(["run", "touching.yaml"], { env });
  expect(refused).toMatchObject({ code: 1, reply: { errors: [{ code: "journal-unusable" }] } });
  expect(existsSync(join(frond.directory, "ran"))).toBe(false);
  const { reply } = await frond.json(["doctor"], { env });
  const { checks } = reply as { checks: readonly { check: string; level: string }[] };
  expect(checks.filter(({ level }) => level === "problem").map(({ check }) => check)).toEqual(["state directory"]);
});
