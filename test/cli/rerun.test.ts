import { rmSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { beforeMigrate, counting, failingCommand, fromMigrate, release, takeRan } from "../rig/counting.ts";
import { createFrond, type Ended, type Frond, shell, workflow } from "../rig/frond.ts";
import { waitForGo } from "../rig/lose-run.ts";
import { commandsIn, typeCommand } from "../rig/person.ts";

const project = ".frond/workflows/release.yaml";

interface Reply {
  readonly status: string;
  readonly run_id: string;
  readonly reused?: readonly string[];
  readonly not_reused?: Readonly<Record<string, string>>;
}

async function rerun(frond: Frond, ...args: readonly string[]): Promise<Reply> {
  return (await frond.json(["rerun", ...args])).reply as Reply;
}

/** What is written in backquotes, or after a colon: the command that a message advises. */
function adviceIn(text: string, pattern: RegExp): string[] {
  const [, command] = pattern.exec(text) ?? [];
  if (command === undefined) throw new Error(`There is no ${pattern} in: ${text}`);
  return command.split(" ").slice(1);
}

describe("the loop in a terminal", () => {
  test("a changed workflow of a project is shown and asked about; of twelve blocks four run", async () => {
    const frond = createFrond({ [project]: release(failingCommand) });
    await frond.run(["trust"]);
    expect((await frond.run(["run", "release"])).code).toBe(1);
    expect(takeRan(frond)).toEqual([...beforeMigrate, "migrate"]);

    frond.write(project, release("true"));
    const refusing = frond.startInTerminal(["rerun", "last"], { columns: 100, rows: 30 });
    await refusing.until("yes");
    refusing.type("n");
    const refused = await refusing.ended;
    expect(refused.code).toBe(2);
    expect(readable(refused)).toContain(`--file ${join(frond.directory, project)}`);
    expect(takeRan(frond)).toEqual([]);

    const agreeing = frond.startInTerminal(["rerun", "last"], { columns: 100, rows: 30 });
    await agreeing.until("yes");
    const shown = readable({ stdout: agreeing.shown() });
    expect(shown).toContain(`-         "command": "echo migrate >> ran.txt; ${failingCommand}"`);
    expect(shown).toContain(`+         "command": "echo migrate >> ran.txt; true"`);
    agreeing.type("y");
    const { code, stdout } = await agreeing.ended;
    expect(code).toBe(0);
    expect(takeRan(frond)).toEqual(fromMigrate);
    const summary = readable({ stdout }).split("\n");
    const said = summary.slice(summary.findIndex((line) => line.startsWith("reused")));
    const ended = said.map((line) => line.replace(/run_\w+ in \S+/, "RUN"));
    // What has changed meanwhile in the workspace takes three lines.
    expect(
      ended.filter(
        (line, at) => ![line, ended[at - 1], ended[at - 2]].some((one) => one?.includes("has changed since")),
      ),
    ).toEqual([
      `reused ${beforeMigrate.join(", ")}`,
      "ran migrate: It failed before.",
      "ran smoke, notes, close: It was skipped before.",
      "success release RUN",
      "",
    ]);
  });

  function readable({ stdout }: Pick<Ended, "stdout">): string {
    return stripVTControlCharacters(stdout).replaceAll("\r", "");
  }
});

/** One level: something expensive, a call of the level below, and what follows. */
function level(name: string, below: string): string {
  const go = { id: "go", type: "ExecuteWorkflow", inputs: { workflow: below }, depends_on: [`${name}_before`] };
  return workflow(name, [counting(`${name}_before`), go, counting(`${name}_after`, "true", { depends_on: ["go"] })]);
}

function innermost(command: string): string {
  const bad = counting("bad", command, { depends_on: ["costly"] });
  return workflow("inner", [counting("costly"), bad, counting("last", "true", { depends_on: ["bad"] })]);
}

test.each([
  { way: "a path, then a name", files: ["./parts/middle.yaml", "inner"], at: [["parts/middle.yaml"], []] },
  { way: "a name, then a path", files: ["middle", "./deep/inner.yaml"], at: [[], ["deep/inner.yaml"]] },
])("three levels deep, by $way, only what failed and what follows on each level runs", async ({ files, at }) => {
  const library = ".frond/workflows";
  const [toMiddle = "", toInner = ""] = files;
  const middle = at[0]?.[0] ?? `${library}/middle.yaml`;
  const inner = `${library}/${at[1]?.[0] ?? "inner.yaml"}`;
  const frond = createFrond({
    "top.yaml": level("top", toMiddle),
    [middle]: level("middle", toInner),
    [inner]: innermost("exit 1"),
  });
  await frond.run(["trust"]);
  expect((await frond.run(["run", "top.yaml"])).code).toBe(1);
  expect(takeRan(frond)).toEqual(["top_before", "middle_before", "costly", "bad"]);
  frond.write(inner, innermost("true"));
  const untrusted = await frond.json(["rerun", "last"]);
  expect(untrusted).toMatchObject({
    code: 2,
    reply: { errors: [{ fix: expect.stringContaining("then run `frond trust ") }] },
  });
  expect(takeRan(frond)).toEqual([]);
  await frond.run(["trust"]);
  const again = await rerun(frond, "last");
  expect(takeRan(frond)).toEqual(["bad", "last", "middle_after", "top_after"]);
  expect(again).toMatchObject({
    status: "success",
    reused: ["top_before", "go/middle_before", "go/go/costly"],
    not_reused: {
      "go/go/bad": "It failed before.",
      "go/go/last": "It was skipped before.",
      "go/middle_after": "It was skipped before.",
      top_after: "It was skipped before.",
    },
  });
});

test("a rerun that is killed goes on: what it had reused stays reused, and nothing expensive runs again", async () => {
  const frond = createFrond({ "release.yaml": release(failingCommand) });
  await frond.run(["run", "release.yaml"]);
  takeRan(frond);
  frond.write("release.yaml", release(waitForGo("migrate")));
  const lost = frond.start(["rerun", "last"]);
  await lost.until("start   migrate");
  lost.child.kill("SIGKILL");
  await lost.ended;
  frond.write("go", "");
  // What the run was told when it began counts, not what the files say by now.
  frond.write("release.yaml", release("exit 5"));
  const { reply } = await frond.json(["resume", "last", "--on-interrupted", "rerun"]);
  expect(reply).toMatchObject({ status: "success", reused: beforeMigrate });
  const ran = takeRan(frond);
  expect(ran.filter((id) => id !== "migrate")).toEqual(fromMigrate.slice(1));
});

/** Three chains beside each other, of which one reads an input and one calls a workflow. */
const wide = workflow(
  "wide",
  [
    counting("plain"),
    shell("reader", "echo reader >> ran.txt; echo ${inputs.colour}"),
    counting("after_reader", "true", { depends_on: ["reader"] }),
    { id: "nest", type: "ExecuteWorkflow", inputs: { workflow: "./nested.yaml" } },
    counting("after_nest", "true", { depends_on: ["nest"] }),
  ],
  { inputs: { colour: { type: "string", description: "Which", default: "green" } } },
);

const nested = workflow("nested", [
  counting("one"),
  counting("two", "true", { depends_on: ["one"] }),
  counting("three"),
]);

async function runWide(): Promise<{ readonly frond: Frond; readonly runId: string }> {
  const frond = createFrond({ "wide.yaml": wide, "nested.yaml": nested });
  const { reply } = await frond.json(["run", "wide.yaml"]);
  expect(takeRan(frond)).toHaveLength(7);
  return { frond, runId: (reply as Reply).run_id };
}

const sorted = (ran: readonly string[]): string[] => ran.toSorted();

test("what is asked for runs, and nothing else: from a block at any depth, with another input, or all of it", async () => {
  const { frond, runId } = await runWide();
  await rerun(frond, runId, "--from", "nest/one");
  expect(sorted(takeRan(frond))).toEqual(["after_nest", "one", "two"]);
  const coloured = await rerun(frond, runId, "--input", "colour=red");
  expect(takeRan(frond)).toEqual(["reader", "after_reader"]);
  expect(coloured.not_reused).toEqual({
    reader: "inputs.colour has changed.",
    after_reader: "It depends on 'reader', which is not reused.",
  });
  // The input that was changed stays so in a rerun of the rerun.
  expect(await rerun(frond, coloured.run_id)).toMatchObject({ status: "success", not_reused: {} });
  expect(takeRan(frond)).toEqual([]);

  const nothing = await frond.run(["rerun", runId]);
  expect(nothing.stdout).toContain("Nothing had to run");
  expect(takeRan(frond)).toEqual([]);
  expect((await frond.run(adviceIn(nothing.stdout, /: (frond rerun .*)/))).code).toBe(0);
  expect(takeRan(frond)).toHaveLength(7);
});

test("the text is that of the file, of another file, or the one of the run before", async () => {
  const { frond, runId } = await runWide();
  frond.write("wide.yaml", wide.replace("echo plain", "echo changed"));
  await rerun(frond, runId, "--frozen");
  expect(takeRan(frond)).toEqual([]);
  await rerun(frond, runId);
  expect(takeRan(frond)).toEqual(["changed"]);
  frond.write("other.yaml", wide.replace("echo plain", "echo other"));
  await rerun(frond, runId, "--file", "other.yaml");
  expect(takeRan(frond)).toEqual(["other"]);
  const { reply } = await frond.json(["run", "other.yaml", "--reuse", runId, "--input", "colour=red"]);
  expect(reply).toMatchObject({ status: "success", rerun_of: runId });
  expect(sorted(takeRan(frond))).toEqual(["after_reader", "other", "reader"]);
});

test("--reuse goes on where the run worked and as it did, and says so when something else is asked for", async () => {
  const { frond, runId } = await runWide();
  frond.write("other.yaml", wide.replace("echo plain", "echo other"));
  const others = [["--sandbox"], ["--max-parallel", "1"], ["--workspace", "sub"]];
  for (const option of others) {
    const { code, stderr } = await frond.run(["run", "other.yaml", "--reuse", runId, ...option]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be used with option")]);
  }
  expect(await frond.run(["run", "other.yaml", "--reuse", runId, "--dry-run"])).toMatchObject({ code: 0 });
  expect(takeRan(frond)).toEqual([]);
  frond.write("sub/empty", "");
  const below = { directory: join(frond.directory, "sub") };
  const elsewhere = await typeCommand(frond, `frond run ../other.yaml --reuse ${runId}`, below);
  expect(elsewhere.code).toBe(2);
  expect(takeRan(frond)).toEqual([]);
  const [advised = ""] = commandsIn(elsewhere.stdout);
  expect(await typeCommand(frond, advised, below)).toMatchObject({ code: 0 });
  expect(takeRan(frond)).toEqual(["other"]);
});

test("a file that is broken or gone starts nothing, and says how to go on", async () => {
  const { frond, runId } = await runWide();
  frond.write("wide.yaml", wide.replace('"plain"', '"Plain"').replaceAll("Shell", "Shel"));
  const broken = await frond.run(["rerun", runId]);
  expect(broken).toMatchObject({ code: 2, stdout: "" });
  expect(broken.stderr.match(/error: .*\[(bad-name|unknown-block-type)\]/g)).toHaveLength(5);

  rmSync(join(frond.directory, "wide.yaml"));
  const gone = await frond.run(["rerun", runId]);
  expect(gone).toMatchObject({ code: 2, stdout: "" });
  expect(gone.stderr).toContain("can't be read now. [text-unknown]");
  const frozen = adviceIn(gone.stderr, /`(frond rerun \S+ --frozen)`/);
  frond.write("moved.yaml", wide);
  expect(await frond.run(frozen)).toMatchObject({ code: 0 });
  expect(gone.stderr).toContain(`\`frond rerun ${runId} --file FILE\``);
  expect(await frond.run(["rerun", runId, "--file", "moved.yaml"])).toMatchObject({ code: 0 });
  expect(takeRan(frond)).toEqual([]);
  expect((await frond.json(["runs"])).reply).toMatchObject({ runs: { length: 3 } });
});

test("in plain lines many blocks that are reused are one line", async () => {
  const blocks = Array.from({ length: 12 }, (_, index) => shell(`b${index}`, "true"));
  const frond = createFrond({ "many.yaml": workflow("many", blocks) });
  const { run_id } = (await frond.json(["run", "many.yaml"])).reply as { run_id: string };
  const { stdout } = await frond.run(["rerun", run_id]);
  expect(stdout.match(/^reused {2}.*$/gm)).toEqual(["reused  b0, b1, b2, b3, b4, b5, b6, b7 and 4 more"]);
});

test("a block that is not there, and a run that still runs, are refused with what can be done", async () => {
  const { frond, runId } = await runWide();
  const unknown = await frond.run(["rerun", runId, "--from", "nest/won"]);
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toContain("wide has no block 'nest/won'. [unknown-block]");
  expect(unknown.stderr).toContain("fix: Known: nest/one, nest/two, nest/three.");
  const attempt = await frond.run(["rerun", runId, "--from", "nest/one@1"]);
  expect(attempt).toMatchObject({ code: 2, stdout: "" });
  const [, block = ""] = /fix: Name the block itself: '(.*)'\./.exec(attempt.stderr) ?? [];
  expect((await frond.run(["rerun", runId, "--plan", "--from", block])).stdout).toContain("The rerun begins with it.");
  frond.write("slow.yaml", workflow("slow", [shell("wait", waitForGo("wait"))]));
  const slow = frond.start(["run", "slow.yaml"]);
  await slow.until("start   wait");
  const still = await frond.run(["rerun", "last"]);
  expect(still).toMatchObject({ code: 2, stdout: "" });
  expect((await frond.run(adviceIn(still.stderr, /`(frond cancel \S+)`/))).stdout).toContain("cancelled slow");
  await slow.ended;
  frond.write("go", "");
  expect((await frond.run(["rerun", "last"])).stdout).toContain("ran wait: It was cancelled before.");
});

test("what is said of a rerun is broken between words at the width of the terminal, and the command in it is whole", async () => {
  const frond = createFrond({
    "ask.yaml": workflow("ask", [{ id: "go", type: "Prompt", inputs: { prompt: "Go on?" } }]),
  });
  const { reply } = await frond.json(["run", "ask.yaml"]);
  const { run_id: runId } = reply as { run_id: string };
  const rerun = frond.startInTerminal(["rerun", runId], { columns: 60, env: { NO_COLOR: "1" } });
  await rerun.until("Go on?");
  const lines = rerun.shown().split("\r\n");
  expect(lines.some((line) => line.endsWith(`frond cancel ${runId}`))).toBe(true);
  const [about = -1] = lines.flatMap((line, at) => (line.endsWith(` is a rerun of ${runId}.`) ? [at] : []));
  expect(lines[about + 1]).toBe("Files are as they are now: nothing is restored.");
  rerun.type("\u0003");
  await rerun.ended;
});
