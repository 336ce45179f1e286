import { existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mountMemory } from "../journal/small-disk.ts";
import { openFile } from "../journal/sqlite-file.ts";
import { browserVariables } from "../rig/browser.ts";
import { readTree } from "../rig/file-tree.ts";
import { createFrond, type FrondOptions, type Runner, shell, workflow } from "../rig/frond.ts";
import { waitFor } from "../rig/wait-for.ts";

// Before any test begins: it may have to be fetched.
const variables = browserVariables();

interface Check {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly fix?: string;
}

interface Diagnosis {
  readonly code: number;
  readonly status: string;
  /** By what was looked at. */
  readonly checks: Readonly<Record<string, Check>>;
  readonly problems: readonly string[];
}

async function diagnose(frond: Runner, options?: FrondOptions): Promise<Diagnosis> {
  const { code, reply } = await frond.json(["doctor"], options);
  const { status, checks } = reply as { status: string; checks: readonly Check[] };
  const byName = Object.fromEntries(checks.map((check) => [check.check, check]));
  const problems = checks.filter(({ level }) => level === "problem").map(({ check }) => check);
  return { code, status, checks: byName, problems };
}

const quick = workflow("quick", [shell("a", "true")]);

test("on a good machine nothing is missing, and nothing is made to find that out", async () => {
  const frond = createFrond();
  const { code, status, checks, problems } = await diagnose(frond);
  expect({ code, status, problems }).toEqual({ code: 0, status: "success", problems: [] });
  expect(checks.Node?.message).toBe(process.versions.node);
  const isInDatabase = frond.env.FROND_DATABASE_URL !== undefined;
  expect(checks.storage?.message).toMatch(
    isInDatabase ? /^PostgreSQL \d+\.\d+, from pg 8\./ : /^SQLite 3\.\d+\.\d+, from (libsql|node:sqlite)$/,
  );
  expect(checks["state directory"]?.message).toMatch(/state will be made by the first run; \d+ MB free on its disk$/);
  expect(checks.journal?.message).toBe("it will be made by the first run");
  expect(checks.shell?.message).toMatch(/\/bash$/);
  expect(existsSync(frond.state)).toBe(false);
});

// From Node 22 on Node itself keeps what it has compiled, for each set of flags.
test.skipIf("enableCompileCache" in nodeModule)("flags that make V8 refuse compiled code are named", async () => {
  const frond = createFrond();
  expect((await diagnose(frond.alone)).checks.start).toBeUndefined();
  const { checks, problems } = await diagnose(frond.alone, { env: { NODE_OPTIONS: "--max-semi-space-size=32" } });
  expect(checks.start).toMatchObject({ level: "warning", fix: expect.stringContaining("without flags of V8") });
  expect(checks.start?.message).toContain("NODE_OPTIONS, '--max-semi-space-size=32', changes V8");
  expect(problems).toEqual([]);
  // One that is only Node's own changes nothing.
  const other = await diagnose(frond.alone, { env: { NODE_OPTIONS: "--no-warnings" } });
  expect(other.checks.start).toBeUndefined();
});

test("each check is one line, and the last line says whether all is well", async () => {
  const frond = createFrond();
  const { code, stdout } = await frond.run(["doctor"]);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toBe(`ok       Node             ${process.versions.node}`);
  for (const line of lines.slice(0, -2)) expect(line).toMatch(/^(ok|warning) +\w/);
  expect(lines.slice(-2)).toEqual(["", "Everything that is needed is there."]);
});

test("in a terminal a long line goes on below its own beginning", async () => {
  const frond = createFrond();
  const { stdout } = await frond.startInTerminal(["doctor"], { columns: 60, env: { NO_COLOR: "1" } }).ended;
  const lines = stdout.replaceAll("\r", "").trimEnd().split("\n");
  expect(lines.filter((line) => line.length >= 60)).toEqual([]);
  const text = lines.join("\n").replaceAll(/\n {26}/g, " ");
  expect(text).toMatch(/^ok {7}supervisor {7}\S+ works: commands end when Frond is killed$/m);
  expect(lines.filter((line) => line.startsWith(" ")).every((line) => /^ {26}\S/.test(line))).toBe(true);
});

test("a journal that is there is read as a whole, and stays as it is", async () => {
  const frond = createFrond({ "quick.yaml": quick });
  await frond.alone.run(["run", "quick.yaml"]);
  const before = readTree(frond.state);
  const { checks } = await diagnose(frond.alone);
  expect(checks.journal).toMatchObject({ level: "ok", message: expect.stringMatching(/^it is sound and takes/) });
  expect(checks.runs).toMatchObject({ level: "ok", message: "none was interrupted" });
  expect(readTree(frond.state)).toEqual(before);
});

test("secrets are told by name, never by value", async () => {
  const frond = createFrond();
  const env = { FROND_SECRET_TOKEN: "canary-value", WORKFLOW_SECRET_OTHER: "canary-value", FROND_SECRET_SHORT: "ab" };
  const { stdout, stderr } = await frond.run(["doctor"], { env });
  expect(stdout).toMatch(/^warning +secrets +set: OTHER, SHORT, TOKEN; The secret 'SHORT' has 2 characters/m);
  expect(stdout + stderr).not.toContain("canary");
});

test("a secret that no workflow can name is told", async () => {
  const { checks } = await diagnose(createFrond(), { env: { FROND_SECRET_token: "canary-value" } });
  expect(checks.secrets).toEqual({
    check: "secrets",
    level: "warning",
    message: "set: token; no workflow can ask for 'token' by this name",
    fix: "Use capitals, digits and _.",
  });
});

test("without a shell on PATH there is a problem; without git and bubblewrap there are warnings that say what to do", async () => {
  const { code, problems, checks } = await diagnose(createFrond(), { env: { PATH: "/nowhere" } });
  expect({ code, problems }).toEqual({ code: 1, problems: ["shell"] });
  expect(checks.shell?.fix).toBe("Install bash.");
  expect(checks.git).toMatchObject({ level: "warning", fix: expect.stringContaining("Install git") });
  expect(checks.sandbox).toMatchObject({
    level: "warning",
    message: expect.stringContaining("apt-get install bubblewrap"),
  });
});

test("the browser that blocks would use is told, else what to type to get one", async () => {
  const { checks } = await diagnose(createFrond(), { env: variables });
  expect(checks.browser).toEqual({ check: "browser", level: "ok", message: variables.FROND_BROWSER });
  const without = await diagnose(createFrond());
  expect(without.checks.browser).toMatchObject({
    level: "warning",
    message: expect.stringContaining("npm install playwright-core@1"),
  });
});

test("a PATH that is empty is a problem, a relative directory on it a warning", async () => {
  expect((await diagnose(createFrond(), { env: { PATH: "" } })).problems).toContain("PATH");
  const { checks } = await diagnose(createFrond(), { env: { PATH: `.:bin:${process.env.PATH}` } });
  expect(checks.PATH).toMatchObject({ level: "warning", message: expect.stringContaining("(., bin)") });
});

test("a run that was interrupted, a broken workflow and a directory that is missing are warnings", async () => {
  const frond = createFrond({
    "slow.yaml": workflow("slow", [shell("a", "touch begun; sleep 300")]),
  });
  const run = frond.start(["run", "slow.yaml"]);
  await waitFor("the command to begin", () => existsSync(join(frond.directory, "begun")));
  run.child.kill("SIGKILL");
  await run.ended;
  mkdirSync(join(frond.home, ".frond/workflows"), { recursive: true });
  writeFileSync(join(frond.home, ".frond/workflows/broken.yaml"), "name: broken\n");
  const { code, checks } = await diagnose(frond, { env: { WORKFLOWS_TEMPLATE_PATHS: "/nowhere" } });
  expect(code).toBe(0);
  expect(checks.runs).toMatchObject({ level: "warning", message: "one was interrupted" });
  expect(checks.workflows?.message).toMatch(/broken\.yaml is broken; The workflow directory \/nowhere does not exist/);
});

test("the terminal is described as it is", async () => {
  const frond = createFrond();
  const { ended } = frond.startInTerminal(["doctor"], { columns: 120, rows: 30, env: { NO_COLOR: "1" } });
  expect((await ended).stdout).toMatch(/terminal +120 x 30, no colours, Unicode/);
});

describe("a state directory that can't be used is a problem that says why:", () => {
  const damages: Readonly<Record<string, [(state: string) => void, string, RegExp]>> = {
    "a file in its place": [
      (state) => {
        rmSync(state, { recursive: true });
        writeFileSync(state, "");
      },
      "state directory",
      /is not a directory\. Choose another one/,
    ],
    "a link": [
      (state) => {
        rmSync(state, { recursive: true });
        symlinkSync("/var/tmp", state);
      },
      "state directory",
      /is a symbolic link/,
    ],
    "a damaged database": [
      (state) => writeFileSync(join(state, "frond.db"), "garbage ".repeat(10_000)),
      "journal",
      /is damaged, or not a journal of Frond/,
    ],
    "half a database": [(state) => truncateSync(join(state, "frond.db"), 20_000), "journal", /is damaged/],
    "a database of a newer Frond": [
      (state) => {
        const database = openFile(state);
        database.exec("PRAGMA user_version = 1000");
        database.close();
      },
      "journal",
      /newer version of Frond/,
    ],
  };
  test.each(Object.entries(damages))("%s", async (_, [damage, check, message]) => {
    const frond = createFrond({ "quick.yaml": quick });
    await frond.alone.run(["run", "quick.yaml"]);
    damage(frond.state);
    const { code, status, checks, problems } = await diagnose(frond.alone);
    expect({ code, status }).toEqual({ code: 1, status: "failure" });
    expect(problems).toContain(check);
    expect(checks[check]?.message).toMatch(message);
  });

  test("a disk that is full, or can't be written to", async (context) => {
    const disk = mountMemory(context);
    const { alone, env: base } = createFrond({ "quick.yaml": quick });
    const env = { FROND_STATE_DIR: disk.directory };
    await alone.run(["run", "quick.yaml"], { env });
    disk.fill(0);
    const isInDatabase = base.FROND_DATABASE_URL !== undefined;
    const lacking = isInDatabase ? "to keep what commands print" : "for any run";
    expect((await diagnose(alone, { env })).checks["state directory"]).toMatchObject({
      level: "problem",
      message: expect.stringMatching(new RegExp(`0 MB free on its disk, too little ${lacking}$`)),
    });
    disk.empty();
    disk.makeReadOnly();
    const { problems, checks } = await diagnose(alone, { env });
    expect(problems).toEqual(["state directory"]);
    expect(checks["state directory"]?.message).toMatch(
      isInDatabase
        ? /can't be written to: what commands print is not kept$/
        : /can't be written to: runs can be looked at, not started$/,
    );
    expect(checks.journal?.level).toBe("ok");
  });
});
