import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { runIdIn, saidBy as said, typeCommand } from "../rig/person.ts";
import { waitFor } from "../rig/wait-for.ts";

const release = workflow("release", [
  {
    id: "notes",
    type: "EditFile",
    inputs: { path: "notes", operations: [{ type: "replace_text", old_text: "next", new_text: "2.4.0" }] },
  },
  { id: "build", type: "CreateFile", inputs: { path: "dist/app/main.js", content: "one\ntwo\n" } },
  { id: "tidy", type: "MoveFile", inputs: { from: "old", to: "new" } },
  { id: "clean", type: "DeleteFile", inputs: { path: "log" } },
  shell("last", "exit 1", { depends_on: ["notes", "build", "tidy", "clean"] }),
]);

const before = { notes: "# next\n\n- a\n", old: "old\n", log: "a log\n" };

async function runRelease(): Promise<{ readonly frond: Frond; readonly runId: string }> {
  const frond = createFrond({ "release.yaml": release, ...before });
  const runId = runIdIn(await said(frond, "run", "release.yaml"));
  return { frond, runId };
}

function expectAsBefore(frond: Frond): void {
  for (const [path, text] of Object.entries(before)) expect(frond.read(path)).toBe(text);
  expect(readdirSync(frond.directory).sort()).toEqual(["log", "notes", "old", "release.yaml"]);
}

/** The run that took another back. */
function undoIdIn(text: string): string {
  return /^success undo-\w+ (run_\w+)/m.exec(text)?.[1] ?? "";
}

function named(text: string): string[] {
  return text.replaceAll(/run_\w{16}/g, "RUN").split("\n");
}

test("an undo says first what comes back and what can't, and takes back nothing without a yes", async () => {
  const { frond, runId } = await runRelease();
  const { code, stdout, stderr } = await frond.run(["undo", runId]);
  expect(code).toBe(2);
  expect(named(stdout)).toEqual([
    "Undo of release RUN",
    "",
    "Restored",
    "  notes  +1  -1  notes",
    "",
    "Brought back, as the run deleted it",
    "  log  +1  clean",
    "",
    "Moved back",
    "  new -> old  tidy",
    "",
    "Removed again, as the run made it",
    "  dist/app/main.js  -2  build",
    "",
    "Can't be undone",
    "  last  what a Shell block does is not recorded, and it has no `undo:`",
    "",
    "3 files go back to how they were, 1 new file is removed. 1 block can't be undone.",
    "",
  ]);
  expect(stderr).toContain("[needs-yes]");
  expect(frond.read("notes")).toContain("2.4.0");
});

test("an undo leaves everything as before the run, and undoing it does it again", async () => {
  const { frond, runId } = await runRelease();
  const undone = await frond.run(["undo", runId, "--yes"]);
  expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining(`undone ${runId}: 7 paths are as before`)]);
  expectAsBefore(frond);
  const again = await frond.run(["undo", runId, "--yes"]);
  expect(named(again.stdout).slice(0, 1)).toEqual([
    "Nothing to undo in release RUN: everything that it changed is as before already.",
  ]);
  expect(again.code).toBe(0);
  const undoId = undoIdIn(undone.stdout);
  expect(again.stdout).toContain(`${undoId} took it back. To do it again: frond undo ${undoId}`);
  expect((await frond.run(["undo", "last", "--yes"])).stdout).toBe(again.stdout);
  const redone = await frond.run(["undo", undoId, "--yes"]);
  expect(redone.stdout.split("\n")[0]).toBe(`Redo of release ${runId} (undoes the undo ${undoId})`);
  expect([redone.code, redone.stdout]).toEqual([0, expect.stringMatching(/^success redo-release /m)]);
  expect(frond.read("notes")).toContain("2.4.0");
  expect(frond.read("dist/app/main.js")).toBe("one\ntwo\n");
});

test("a run that was rolled back says so instead of being done again, and so does one that was then redone", async () => {
  const make = { id: "make", type: "CreateFile", inputs: { path: "made", content: "" } };
  const fail = shell("fail", "exit 1", { depends_on: ["make"], effects: "none" });
  const frond = createFrond({ "back.yaml": workflow("back", [make, fail], { on_failure: "rollback" }) });
  const runId = runIdIn(await said(frond, "run", "back.yaml"));
  const { code, stdout } = await frond.run(["undo", "last", "--yes"]);
  expect([code, existsSync(join(frond.directory, "made"))]).toEqual([0, false]);
  const [, undoId = ""] = /^(run_\w+) took it back\. To do it again: frond undo \1$/m.exec(stdout) ?? [];
  expect(stdout).toContain(`Nothing to undo in back ${runId}: what it changed was taken back already.`);
  const redone = await typeCommand(frond, `frond undo ${undoId}`, { answers: [["Redo it?", "y"]] });
  expect([redone.code, existsSync(join(frond.directory, "made"))]).toEqual([0, true]);
  const again = (await frond.run(["undo", "last"])).stdout;
  const [, redoId = ""] = /^(run_\w+) did it again\. To take that back: frond undo \1$/m.exec(again) ?? [];
  const last = await frond.run(["undo", redoId, "--yes"]);
  expect(last.stdout.split("\n")[0]).toBe(`Undo of back ${runId} (undoes the redo ${redoId})`);
  expect([last.code, existsSync(join(frond.directory, "made"))]).toEqual([0, false]);
});

test("a rollback says when it begins, and when it has ended what came back and what stays", async () => {
  const make = (id: string): object => ({ id, type: "CreateFile", inputs: { path: `${id}/file`, content: "" } });
  const fail = shell("fail", "touch two/mine; exit 1", { depends_on: ["one", "two"], effects: "none" });
  const blocks = [make("one"), make("two"), fail];
  const frond = createFrond({ "back.yaml": workflow("back", blocks, { on_failure: "rollback" }) });
  const { stdout } = await frond.run(["run", "back.yaml"]);
  const lines = stdout.split("\n");
  const at = lines.indexOf("undo    rolling back the run...");
  expect(lines.slice(at - 1, at + 2)).toEqual([
    expect.stringMatching(/^FAILED {2}fail /),
    "undo    rolling back the run...",
    "undone  the run in part: 3 paths are as before, 1 stays",
  ]);
});

test("at a terminal an undo is asked about, and nothing but a yes is one", async () => {
  const { frond, runId } = await runRelease();
  const declined = await typeCommand(frond, `frond undo ${runId}`, { answers: [["Undo it?", "\r"]] });
  expect([declined.code, declined.stdout]).toEqual([2, expect.stringContaining("Nothing was changed.")]);
  expect(frond.read("notes")).toContain("2.4.0");
  const taken = await typeCommand(frond, `frond undo ${runId}`, { answers: [["Undo it?", "y"]] });
  expect(taken.code).toBe(0);
  expectAsBefore(frond);
});

test("what was changed since stays, is named with what to do, and the exit code is 1", async () => {
  const { frond, runId } = await runRelease();
  frond.write("notes", "# mine\n");
  const { code, stdout, stderr } = await frond.run(["undo", runId, "--yes"]);
  expect(code).toBe(1);
  const lines = named(stdout);
  expect(lines.slice(2, 4)).toEqual(["Changed since the run: stays as it is", "  notes  notes"]);
  const end = lines.slice(lines.findIndex((line) => line.startsWith("undone")));
  expect(end).toEqual([
    "undone RUN: 6 paths are as before",
    "  stays notes: it was changed since",
    expect.stringMatching(/^failure undo-release RUN in \S+: 1 path stays as it is$/),
    "",
  ]);
  expect(stderr).toContain(`Replace that too: frond undo ${runId} --on-conflict force`);
  expect(frond.read("notes")).toBe("# mine\n");
  expect((await frond.run(["undo", runId, "--yes", "--on-conflict", "force"])).code).toBe(0);
  expectAsBefore(frond);
});

test.each([
  ["--only", "notes"],
  ["--to", "build"],
])("what is advised after a conflict takes back the same part: %s %s", async (option, block) => {
  const blocks = [
    { id: "build", type: "CreateFile", inputs: { path: "built", content: "" } },
    { id: "notes", type: "CreateFile", inputs: { path: "notes", content: "new" }, depends_on: ["build"] },
  ];
  const frond = createFrond({ "two.yaml": workflow("two", blocks) });
  const runId = runIdIn(await said(frond, "run", "two.yaml"));
  frond.write("notes", "mine");
  const asked = await frond.run(["undo", runId, option, block]);
  expect(asked.stderr).toContain(`\`frond undo ${runId} ${option} ${block} --plan\``);
  const { stderr } = await frond.run(["undo", runId, option, block, "--yes"]);
  const [, command = ""] = /^ {2}Replace that too: frond (.+)$/m.exec(stderr) ?? [];
  expect(command).toBe(`undo ${runId} ${option} ${block} --on-conflict force`);
  expect((await frond.run([...command.split(" "), "--yes"])).code).toBe(0);
  expect(["built", "notes"].map((path) => existsSync(join(frond.directory, path)))).toEqual([true, false]);
});

test.each(["keep", "force"])("force is not advised where it does not help: after %s", async (rule) => {
  const { frond, runId } = await runRelease();
  frond.write("dist/mine", "");
  const { code, stdout, stderr } = await frond.run(["undo", runId, "--yes", "--on-conflict", rule]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("stays dist: not empty: it holds 'mine'")]);
  expect(stderr).toContain("Redo: frond undo");
  expect(stderr).not.toContain("--on-conflict force");
});

test("what is advised after a rollback to a commit point does not go back past that", async () => {
  const make = (id: string, more: object): object => ({
    id,
    type: "CreateFile",
    inputs: { path: id, content: "" },
    ...more,
  });
  const fail = shell("fail", "echo mine > after; exit 1", { depends_on: ["after"], effects: "none" });
  const blocks = [make("point", { commit_point: true }), make("after", { depends_on: ["point"] }), fail];
  const frond = createFrond({ "back.yaml": workflow("back", blocks, { on_failure: "rollback" }) });
  const { reply } = await frond.json(["run", "back.yaml", "--json"]);
  const {
    run_id: runId,
    rollback,
    message,
  } = reply as Record<"run_id" | "message", string> & {
    readonly rollback: { undo_run: string };
  };
  expect(message).toContain(`Take back what it changed: frond undo ${runId} --to point`);
  const { stdout } = await frond.run(["show", rollback.undo_run]);
  expect(stdout).toContain(`Replace that too: frond undo ${runId} --to point --on-conflict force`);
});

test("an undo that is cancelled says what it has undone and what not, and how to undo the rest", async () => {
  const made = (id: string): object => ({ id, type: "CreateFile", inputs: { path: `${id}/file`, content: "" } });
  // It waits until the test lets it go on.
  const undo = { type: "Shell", inputs: { command: "echo >> begun; until [ -e go ]; do sleep 0.02; done" } };
  const sent = shell("send", "true", { undo, depends_on: ["first"] });
  const again = shell("again", "true", { undo: { ...undo, inputs: { command: "true" } }, depends_on: ["send"] });
  const last = { ...made("last"), depends_on: ["again"] };
  const frond = createFrond({ "send.yaml": workflow("send", [made("first"), sent, again, last]) });
  const runId = runIdIn(await said(frond, "run", "send.yaml"));
  const undoing = frond.start(["undo", runId, "--yes"]);
  await waitFor("the undo to come so far", () => existsSync(join(frond.directory, "begun")));
  undoing.child.kill("SIGINT");
  const { code, stdout, stderr } = await undoing.ended;
  expect(code).toBe(130);
  const lines = named(stdout);
  expect(lines.slice(lines.findIndex((line) => line.startsWith("undone")))).toEqual([
    "undone RUN in part: 2 paths are as before, the `undo` of again has run",
    "  not restored: 2 paths at most",
    "  not undone: send, whose `undo` has not run to its end",
    expect.stringMatching(/^cancelled undo-send RUN after \S+: stopped undo_3$/),
    "",
  ]);
  expect(named(stderr).slice(-3)).toEqual(["  Take back the rest: frond undo RUN", "  Redo: frond undo RUN", ""]);
  expect(stderr).toContain(`Take back the rest: frond undo ${runId}\n`);
  expect(existsSync(join(frond.directory, "first/file"))).toBe(true);
  frond.write("go", "");
  expect((await frond.run(["undo", runId, "--yes"])).code).toBe(0);
  expect(existsSync(join(frond.directory, "first"))).toBe(false);
});

test("an undo that restores no files says what it ran", async () => {
  const undo = { type: "Shell", inputs: { command: "true" } };
  const blocks = ["book", "pay"].map((id) => shell(id, "true", { undo }));
  const frond = createFrond({ "trip.yaml": workflow("trip", blocks, { max_parallel: 1 }) });
  const runId = runIdIn(await said(frond, "run", "trip.yaml"));
  const { code, stdout } = await frond.run(["undo", runId, "--yes"]);
  expect(code).toBe(0);
  expect(stdout).toContain(`undone ${runId}: the \`undo\` of pay, book has run\n`);
});

test("--plan prints a workflow that does the same when it is run as a file", async () => {
  const { frond, runId } = await runRelease();
  const { code, stdout, stderr } = await frond.run(["undo", runId, "--plan", "--diff"]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("-# 2.4.0\n+# next\n")]);
  frond.write("../home/plan.yaml", stdout);
  const file = join(frond.home, "plan.yaml");
  expect((await frond.run(["validate", file])).code).toBe(0);
  expect((await frond.run(["run", file])).code).toBe(0);
  expectAsBefore(frond);
});

test("--plan of a run with nothing to undo says so, and leaves the file that it is written to empty", async () => {
  const frond = createFrond({ "look.yaml": workflow("look", [shell("a", "true")]) });
  await frond.run(["run", "look.yaml"]);
  const { code, stdout, stderr } = await frond.run(["undo", "last", "--plan"]);
  expect([code, stdout]).toEqual([0, ""]);
  expect(stderr).toMatch(/^Nothing to undo in look run_\w+: it changed nothing that Frond could take back\.\n$/);
});

test("--only and --to take back a part", async () => {
  const { frond, runId } = await runRelease();
  expect((await frond.run(["undo", runId, "--only", "notes", "--yes"])).code).toBe(0);
  expect(frond.read("notes")).toBe(before.notes);
  expect(existsSync(join(frond.directory, "dist"))).toBe(true);
  const wrong = await frond.run(["undo", runId, "--to", "note", "--yes"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("Did you mean 'notes'?")]);
});

test("with --json the plan, and what was undone, are one document each", async () => {
  const { frond, runId } = await runRelease();
  const plan = await frond.json(["undo", runId, "--plan", "--json"]);
  expect(plan.reply).toMatchObject({
    status: "plan",
    run_id: runId,
    workflow_yaml: expect.stringContaining("RestoreFiles"),
  });
  expect((await frond.json(["undo", runId, "--json"])).reply).toMatchObject({ errors: [{ code: "needs-yes" }] });
  const done = await frond.json(["undo", runId, "--json", "--yes"]);
  expect(done).toMatchObject({ code: 0, reply: { status: "success", undo: { of: runId, restored: 7 } } });
});

test("a run that waits is cancelled first, and one that changed nothing has nothing to undo", async () => {
  const ask = { id: "ask", type: "Prompt", inputs: { prompt: "On?", choices: ["yes"] } };
  const make = { id: "make", type: "CreateFile", inputs: { path: "made", content: "" } };
  const frond = createFrond({ "ask.yaml": workflow("ask", [make, ask]), "none.yaml": workflow("none", [ask]) });
  const runId = runIdIn(await said(frond, "run", "ask.yaml"));
  const { code, stdout } = await frond.run(["undo", runId, "--yes"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("It is still paused: it is cancelled first.")]);
  expect(existsSync(join(frond.directory, "made"))).toBe(false);
  expect((await frond.json(["show", runId])).reply).toMatchObject({ cancelled: true });
  await frond.run(["run", "none.yaml"]);
  const none = await frond.run(["undo", "last"]);
  expect([none.code, none.stdout]).toEqual([
    0,
    expect.stringContaining("it changed nothing that Frond could take back"),
  ]);
});

test("a run that undoes another is marked in lists and where it is shown", async () => {
  const { frond, runId } = await runRelease();
  const undoId = undoIdIn((await frond.run(["undo", runId, "--yes"])).stdout);
  const [newest = ""] = (await frond.run(["runs"])).stdout.split("\n");
  expect(newest).toContain(`undoes ${runId}`);
  expect((await frond.json(["runs", "--json"])).reply).toMatchObject({ runs: [{ undo_of: runId }, {}] });
  expect((await frond.run(["show", undoId])).stdout).toContain(`, an undo of ${runId}`);
});
