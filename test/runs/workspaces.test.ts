import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import type { ValueMap } from "../../src/expression/value.ts";
import { collectGarbage } from "../../src/runs/collect-garbage.ts";
import type { DrivenRun } from "../../src/runs/driven-run.ts";
import { readRun } from "../../src/runs/read-run.ts";
import { rerunRun } from "../../src/runs/rerun-run.ts";
import { prepareStart } from "../../src/runs/start-run.ts";
import { type TakeOverOptions, takeOver } from "../../src/runs/take-over.ts";
import { undoRun } from "../../src/runs/undo-run.ts";
import { createTestEngine, type TestEngine, type Written } from "../rig/engine.ts";
import { FakeDispatch } from "../rig/fake-dispatch.ts";
import { createRepository, git } from "../rig/git-repository.ts";
import { createMachine } from "../rig/machine.ts";
import { unwrap } from "../rig/unwrap.ts";
import { waitFor } from "../rig/wait-for.ts";

/** A repository with two branches and a tag, in the workspace of the machine. */
function makeRepository(directory: string): { readonly main: string; readonly old: string } {
  writeFileSync(join(directory, "which"), "old\n");
  createRepository(directory);
  git(directory, "tag", "v1");
  const old = git(directory, "rev-parse", "HEAD");
  writeFileSync(join(directory, "which"), "main\n");
  git(directory, "commit", "--all", "--quiet", "--message=Second");
  return { main: git(directory, "rev-parse", "HEAD"), old };
}

/** A run that waits for a worker. */
async function queue(
  { engine, plan, workspace }: TestEngine,
  written: Written,
  inputs: ValueMap = {},
): Promise<string> {
  const options = { inputs, workspace, queue: { labels: [] } };
  const { started } = unwrap(prepareStart(engine, plan(written), options, false));
  await (await engine.platform.journal()).create({ events: [started] });
  return started.runId;
}

const worker: TakeOverOptions = { driver: "worker", onEvents: () => {}, onOutput: () => {} };

async function drive(run: DrivenRun): Promise<void> {
  expect(await run.settled()).toBe("finished");
}

async function eventsOf({ engine }: TestEngine, runId: string): Promise<readonly RunEvent[]> {
  return (await engine.platform.journal()).read(runId);
}

async function endOf({ engine }: TestEngine, runId: string): Promise<readonly [string, string | undefined]> {
  const { status, state } = unwrap(await readRun(engine.platform, engine.workflows.catalog, runId));
  return [status, state.finished?.message ?? undefined];
}

const readsWhich = {
  workspace: { git: ".", ref: "${inputs.ref}" },
  inputs: { ref: { type: "string", description: "d", default: "main" } },
  blocks: [{ id: "read", type: "Shell", inputs: { command: "cat which; git status --short; echo x > made" } }],
  outputs: { which: "${blocks.read.stdout}" },
};

test.each([
  ["main", "main"],
  ["v1", "old"],
  ["COMMIT", "old"],
  ["SHORT", "old"],
])("a run with `workspace: {git, ref: %s}` works in a fresh checkout of its own", async (name, content) => {
  const machine = createMachine();
  const { old } = makeRepository(machine.workspace);
  const engine = createTestEngine({ machine, host: "box" });
  const ref = name === "COMMIT" ? old : name === "SHORT" ? old.slice(0, 8) : name;
  const runId = await queue(engine, readsWhich, { ref });
  const taken = unwrap(await takeOver(engine.engine, runId, worker));
  await drive(taken);
  const made = (await eventsOf(engine, runId)).find((event) => event.type === "workspace-made");
  const directory = join(`${machine.stateDirectory}-workspaces`, runId);
  const commit = git(machine.workspace, "rev-parse", `${ref}^{commit}`);
  expect(made).toMatchObject({ workspace: directory, host: "box", commit });
  const { summary, state } = unwrap(await readRun(engine.engine.platform, engine.engine.workflows.catalog, runId));
  expect([summary.host, state.finished?.outputs]).toEqual(["box", { which: `${content}\n` }]);
  expect(git(directory, "remote", "get-url", "origin")).toBe(machine.workspace);
  expect([existsSync(join(directory, "made")), existsSync(join(machine.workspace, "made"))]).toEqual([true, false]);
});

test("nothing of the repository is run when it is checked out, and git asks nobody", async () => {
  const machine = createMachine();
  makeRepository(machine.workspace);
  const hooks = join(machine.workspace, ".git", "hooks");
  const proof = join(machine.stateDirectory, "hooked");
  mkdirSync(hooks, { recursive: true });
  for (const hook of ["post-checkout", "reference-transaction", "post-index-change"]) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
  }
  // Also where the user has hooks for all repositories.
  const engine = createTestEngine({
    machine,
    environment: { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.hooksPath", GIT_CONFIG_VALUE_0: hooks },
  });
  const reads = { ...readsWhich, blocks: [{ id: "read", type: "Shell", inputs: { command: "cat which" } }] };
  await drive(unwrap(await takeOver(engine.engine, await queue(engine, reads), worker)));
  expect(existsSync(proof)).toBe(false);
});

test.each([
  [{ ref: "nope" }, /^The workspace could not be made on box. 'nope' of \/.* can't be checked out: .*nope/],
  [{ ref: "deadbeef" }, /there is no such branch, tag or commit\.$/],
])("a run whose workspace can't be made fails with what git says, in one line: %j", async (inputs, message) => {
  const machine = createMachine();
  makeRepository(machine.workspace);
  const engine = createTestEngine({ machine, host: "box" });
  const runId = await queue(engine, readsWhich, inputs);
  const taken = await takeOver(engine.engine, runId, worker);
  expect(taken).toMatchObject({
    ok: false,
    error: { code: "run-ended-here", message: expect.stringMatching(message) },
  });
  const [status, said] = await endOf(engine, runId);
  expect([status, said]).toEqual(["failure", expect.stringMatching(message)]);
  expect(said).not.toContain("\n");
  expect(readdirSync(`${machine.stateDirectory}-workspaces`)).toEqual([]);
});

test.each(["-x", "a..b", "ext::sh", ""])("an input can't make git do something else: ref '%s'", async (ref) => {
  const engine = createTestEngine();
  const refused = prepareStart(
    engine.engine,
    engine.plan(readsWhich),
    { inputs: { ref }, workspace: engine.workspace, queue: { labels: [] } },
    false,
  );
  expect(refused).toMatchObject({ ok: false, error: { kind: "inputs", problems: [{ input: "ref" }] } });
});

test("`workspace: none` is an empty directory of its own, and a run on its machine needs none", async () => {
  const engine = createTestEngine();
  const lists = { blocks: [{ id: "list", type: "Shell", inputs: { command: "ls | wc -l" } }] };
  const runId = await queue(engine, { ...lists, workspace: "none", outputs: { n: "${trim(blocks.list.stdout)}" } });
  await drive(unwrap(await takeOver(engine.engine, runId, worker)));
  const [made] = (await eventsOf(engine, runId)).filter((event) => event.type === "workspace-made");
  expect(made).not.toHaveProperty("commit");
  const { state } = unwrap(await readRun(engine.engine.platform, engine.engine.workflows.catalog, runId));
  expect(state.finished?.outputs).toEqual({ n: "0" });
  const bound = { inputs: {}, workspace: engine.workspace, queue: { labels: [], host: "here" } };
  const prepared = unwrap(prepareStart(engine.engine, engine.plan({ ...lists, workspace: "none" }), bound, false));
  expect(prepared.started).not.toHaveProperty("workspaceFrom");
});

/** A git whose fetch waits until it is killed, and says where it works. */
function createSlowGit(directory: string): string {
  const bin = join(directory, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh
case "$*" in *fetch*) touch ${directory}/fetching; exec sleep 1000;; esac
PATH=\${PATH#*:} exec git "$@"
`;
  writeFileSync(join(bin, "git"), script, { mode: 0o755 });
  return `${bin}:${process.env.PATH}`;
}

test("cancelling, or the end of the worker, ends git; what is under finally runs in an empty workspace", async () => {
  const machine = createMachine();
  makeRepository(machine.workspace);
  const slow = createTestEngine({ machine, environment: { PATH: createSlowGit(machine.stateDirectory) } });
  const fetching = join(machine.stateDirectory, "fetching");
  const runId = await queue(slow, {
    ...readsWhich,
    finally: [{ id: "tidy", type: "Shell", inputs: { command: "pwd; ls" } }],
  });
  const stop = new AbortController();
  const stopped = takeOver(slow.engine, runId, { ...worker, signal: stop.signal });
  await waitFor("git fetches", () => existsSync(fetching));
  stop.abort();
  expect(await stopped).toMatchObject({ ok: false, error: { code: "run-stopped" } });
  const journal = await slow.engine.platform.journal();
  const left = await journal.find(runId);
  expect([left?.status, left?.lease]).toEqual(["running", undefined]);

  const cancelled = takeOver(slow.engine, runId, worker);
  await waitFor("git works", () => readdirSync(`${machine.stateDirectory}-workspaces`).length === 1);
  const held = await journal.find(runId);
  await journal.post(runId, held?.fence ?? 0, { kind: "cancel", message: "enough" });
  await drive(unwrap(await cancelled));
  const { state } = unwrap(await readRun(slow.engine.platform, slow.engine.workflows.catalog, runId));
  expect(state.finished).toMatchObject({ cause: "cancelled", message: "enough" });
  const started = (await eventsOf(slow, runId)).flatMap((event) => (event.type === "block-started" ? event.path : []));
  expect(started).toEqual(["tidy"]);
  expect(await journal.requests(runId)).toEqual([]);
});

test("a worker that dies while git works leaves the workspace to be made anew", async () => {
  const machine = createMachine();
  makeRepository(machine.workspace);
  const slow = createTestEngine({ machine, environment: { PATH: createSlowGit(machine.stateDirectory) } });
  const runId = await queue(slow, readsWhich);
  const end = new AbortController();
  const dying = takeOver(slow.engine, runId, { ...worker, signal: end.signal });
  await waitFor("git fetches", () => existsSync(join(machine.stateDirectory, "fetching")));
  machine.presumeGone(slow.process);
  const next = createTestEngine({ machine });
  await drive(unwrap(await takeOver(next.engine, runId, worker)));
  expect(await endOf(next, runId)).toEqual(["success", undefined]);
  end.abort();
  expect(await dying).toMatchObject({ ok: false });
  // The one that was slow has neither ended nor changed anything.
  expect(readdirSync(`${machine.stateDirectory}-workspaces`)).toEqual([runId]);
  expect((await eventsOf(next, runId)).filter(({ type }) => type === "workspace-made")).toHaveLength(1);
});

test("a run in a workspace of its own is undone there, and goes with it", async () => {
  const machine = createMachine();
  makeRepository(machine.workspace);
  const engine = createTestEngine({ machine, dispatch: new FakeDispatch() });
  const { platform } = engine.engine;
  const runId = await queue(engine, {
    workspace: { git: "." },
    blocks: [{ id: "write", type: "CreateFile", inputs: { path: "which", content: "changed" } }],
  });
  await drive(unwrap(await takeOver(engine.engine, runId, worker)));
  const file = join(`${machine.stateDirectory}-workspaces`, runId, "which");
  expect(readFileSync(file, "utf8")).toBe("changed");
  const undoing = unwrap(await undoRun(engine.engine, runId, worker));
  await drive(unwrap(await takeOver(engine.engine, undoing.runId ?? "", worker)));
  expect(readFileSync(file, "utf8")).toBe("main\n");
  const all = { maxAgeMs: -1, maxBytes: 0, isDryRun: false };
  const before = await collectGarbage(platform, { ...all, isDryRun: true });
  expect(before.used_bytes).toBeGreaterThan(10_000);
  await collectGarbage(platform, all);
  expect(readdirSync(`${machine.stateDirectory}-workspaces`)).toEqual([]);
});

test("what repeats a run, or takes it back, belongs where that was started and works where that worked", async () => {
  const machine = createMachine();
  const engine = createTestEngine({ machine, dispatch: new FakeDispatch(), host: "box" });
  const { platform } = engine.engine;
  const runId = await queue(engine, {
    workspace: "none",
    blocks: [
      { id: "write", type: "CreateFile", inputs: { path: "made", content: "x" } },
      { id: "fail", type: "Shell", inputs: { command: "cat made; exit 1" }, depends_on: ["write"] },
    ],
  });
  const ended = async (id: string): Promise<void> => drive(unwrap(await takeOver(engine.engine, id, worker)));
  await ended(runId);
  const asked = { trust: "any-file", frozen: true, onEvents() {}, onOutput() {} } as const;
  const rerun = unwrap(await rerunRun(engine.engine, runId, asked)).runId;
  const undo = unwrap(await undoRun(engine.engine, runId, worker)).runId ?? "";
  const directory = join(`${machine.stateDirectory}-workspaces`, runId);
  for (const id of [rerun, undo]) {
    const read = unwrap(await readRun(platform, engine.engine.workflows.catalog, id));
    expect(read.summary).toMatchObject({ workspace: machine.workspace, host: "box", queue: { host: "box" } });
    expect(read.state.started.workspace).toBe(directory);
  }
  await ended(rerun);
  const logged = await eventsOf(engine, rerun);
  expect(logged.filter(({ type }) => type === "block-reused")).toHaveLength(1);
  await ended(undo);
  expect(readdirSync(directory)).not.toContain("made");

  // One that takes nothing from it may have a machine of its own.
  const all = unwrap(await rerunRun(engine.engine, runId, { ...asked, all: true })).runId;
  const { summary, state } = unwrap(await readRun(platform, engine.engine.workflows.catalog, all));
  expect(summary).toMatchObject({ workspace: machine.workspace, host: null });
  expect(state.started.workspaceFrom).toBe("none");

  // As long as one of them is there, so is the directory.
  const journal = await platform.journal();
  await journal.delete(runId);
  await journal.delete(undo);
  await collectGarbage(platform, { maxAgeMs: 1e9, maxBytes: 1e9, isDryRun: false });
  expect(existsSync(directory)).toBe(true);
  await journal.delete(rerun);
  await collectGarbage(platform, { maxAgeMs: 1e9, maxBytes: 1e9, isDryRun: false });
  expect(existsSync(directory)).toBe(false);
});

test("a worker that can't make a directory for a run leaves the run to others", async () => {
  const machine = createMachine();
  const engine = createTestEngine({ machine, dispatch: new FakeDispatch() });
  const runId = await queue(engine, {
    workspace: "none",
    blocks: [{ id: "a", type: "Wait", inputs: { duration: 0 } }],
  });
  const directories = `${machine.stateDirectory}-workspaces`;
  writeFileSync(directories, "");
  await expect(takeOver(engine.engine, runId, worker)).rejects.toThrow(/The workspace .* can't be made: /);
  const { status, summary } = unwrap(await readRun(engine.engine.platform, engine.engine.workflows.catalog, runId));
  expect([status, summary.lease]).toEqual(["queued", undefined]);
  rmSync(directories);
  await drive(unwrap(await takeOver(engine.engine, runId, worker)));
  expect((await endOf(engine, runId))[0]).toBe("success");
});
