import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readTree } from "../rig/file-tree.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { hasShell, installFrond, type ShellName, startShell } from "../rig/interactive-shell.ts";

const deploy = workflow("deploy", [shell("build", "true"), shell("ship", "exit 1", { depends_on: ["build"] })], {
  inputs: {
    target: { type: "string", description: "Where to", enum: ["staging", "production", "a b"] },
    dry: { type: "boolean", description: "Whether", default: false },
    note: { type: "string", description: "Why", default: "" },
  },
  tags: ["mine", "ops"],
});
const loop = workflow("loop", [shell("each", "true", { for_each: { "a b": 1, "it's": 2, "c:d": 3 } })]);
const ask = workflow("ask", [{ id: "sure", type: "Prompt", inputs: { prompt: "Sure?" } }]);

/** A project with workflows and runs in it. */
async function prepare(): Promise<Frond> {
  const frond = createFrond({
    ".frond/workflows/deploy.yaml": deploy,
    "my flow.yaml": loop,
    "it's $1.yaml": loop,
    "notes.txt": "",
    "some dir/a.yaml": loop,
    "ask.yaml": ask,
  });
  await frond.run(["trust"]);
  await frond.run(["run", "my flow.yaml"]);
  return frond;
}

/** What the hidden command answers, without descriptions. */
async function complete(frond: Frond, ...words: string[]): Promise<readonly string[]> {
  return (await described(frond, ...words)).map(([value = ""]) => value);
}

async function described(frond: Frond, ...words: string[]): Promise<readonly (readonly string[])[]> {
  const { code, stdout, stderr } = await frond.run(["complete", "--shell", "fish", "--", ...words]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t"));
}

describe("what is suggested", () => {
  test("workflows by name and file, of the workspace that is named", async () => {
    const frond = await prepare();
    const here = await described(frond, "run", "");
    expect(here).toContainEqual(["deploy", "The workflow deploy"]);
    expect(here.map(([value]) => value)).toEqual(expect.arrayContaining(["my flow.yaml", "some dir/"]));
    expect(here.map(([value]) => value)).not.toContain("notes.txt");
    expect(await complete(frond, "run", "some dir/")).toEqual(["some dir/a.yaml"]);
    expect(await complete(frond, "run", "--workspace", frond.home, "dep")).not.toContain("deploy");
    expect(await complete(frond, "run", "x", "--inputs", "no")).toEqual(["notes.txt"]);
    expect(await complete(frond, "run", "x", "--workspace", "")).toEqual(["some dir/"]);
    expect(await complete(frond, "run", "x", "--workspace=so")).toEqual(["--workspace=some dir/"]);
    expect(await complete(frond, "list", "--tag", "")).toEqual(expect.arrayContaining(["mine", "ops"]));
  });

  test("inputs that are not given yet, and the values of choices and booleans", async () => {
    const frond = await prepare();
    expect(await described(frond, "run", "deploy", "--input", "")).toEqual([
      ["target=", "Where to (string, required)"],
      ["dry=", "Whether (boolean)"],
      ["note=", "Why (string)"],
    ]);
    expect(await complete(frond, "run", "deploy", "-i", "dry=true", "--input", "")).toEqual(["target=", "note="]);
    expect(await complete(frond, "run", "deploy", "-i", "target=")).toEqual([
      "target=staging",
      "target=production",
      "target=a b",
    ]);
    expect(await complete(frond, "run", "deploy", "--input", "dry=")).toEqual(["dry=true", "dry=false"]);
    expect(await complete(frond, "run", "nothing", "--input", "")).toEqual([]);
  });

  test("runs with workflow and status, blocks of the run, checkpoints and inputs of its workflow", async () => {
    const frond = await prepare();
    await frond.run(["run", "ask.yaml"]);
    const { reply } = await frond.json(["run", "deploy", "-i", "target=staging"]);
    const { run_id: runId } = reply as { run_id: string };
    const runs = await described(frond, "logs", "");
    expect(runs[0]).toEqual(["last", "the newest of this directory"]);
    expect(runs[1]).toEqual([runId, expect.stringMatching(/^deploy, failure, \d+s ago$/)]);
    expect(runs.map(([, about]) => about?.split(",")[0]).slice(2)).toEqual(["ask", "loop"]);
    expect(await complete(frond, "logs", runId.slice(4, 8))).toContain(runId.slice(4));
    expect(await described(frond, "show", runId, "")).toEqual([
      ["build", "success"],
      ["ship", "failure"],
    ]);
    expect(await complete(frond, "rerun", runId, "--from", "s")).toEqual(["ship"]);
    expect(await complete(frond, "rerun", runId, "--input", "")).toContain("target=");
    expect((await described(frond, "cancel", "")).map(([, about]) => about?.split(",")[0])).toContain("ask");
    expect(await complete(frond, "cancel", "")).not.toContain(runId);
    const waiting = await described(frond, "resume", "");
    expect(waiting).toContainEqual([expect.stringMatching(/^pause_/), "ask: Sure?"]);
    expect(await complete(frond, "checkpoints", "")).toEqual([expect.stringMatching(/^pause_/)]);
  });

  test("runs of this directory, newest first; those of others only where none of these can be meant", async () => {
    const [here, there, nowhere] = [
      createFrond({ "loop.yaml": loop }),
      createFrond({ "ask.yaml": ask }),
      createFrond(),
    ];
    const { HOME: _, ...env } = here.env;
    const run = async (frond: Frond, file: string): Promise<string> => {
      const { reply } = await frond.json(["run", file], { env });
      return (reply as { run_id: string }).run_id;
    };
    const suggested = async (frond: Frond, ...words: string[]): Promise<readonly string[]> => {
      const { stdout } = await frond.run(["complete", "--shell", "fish", "--", ...words], { env });
      return stdout
        .split("\n")
        .slice(0, -1)
        .map((line) => line.split("\t")[0] ?? "");
    };
    const other = await run(there, "ask.yaml");
    const [first, second] = [await run(here, "loop.yaml"), await run(here, "loop.yaml")];
    expect(await suggested(here, "show", "")).toEqual(["last", second, first]);
    expect(await suggested(here, "show", "la")).toEqual(["last"]);
    expect(await suggested(here, "show", other)).toEqual([other]);
    expect(await suggested(here, "show", "x")).toEqual([]);
    expect(await suggested(nowhere, "show", "")).toEqual([second, first, other]);
    expect(await suggested(here, "resume", "")).toEqual([other, expect.stringMatching(/^pause_/)]);
    const { stdout } = await here.run(["complete", "--shell", "bash", "--", "frond show "]);
    expect(stdout).toBe(`last\n${second}\n${first}\n`);
  });
});

describe("asking for suggestions", () => {
  test("leaves no trace: no state directory, no trust, nothing in the journal's directory", async () => {
    const frond = createFrond({ ".frond/workflows/deploy.yaml": deploy });
    expect(await complete(frond, "run", "dep")).toEqual(["deploy"]);
    expect(await complete(frond, "run", "deploy", "--input", "t")).toContain("target=");
    expect(await complete(frond, "logs", "")).toEqual([]);
    expect(existsSync(frond.state)).toBe(false);
    await frond.run(["trust"]);
    await frond.alone.run(["run", "deploy", "-i", "target=staging"]);
    const before = [readdirSync(frond.state), readTree(frond.directory)];
    expect(await complete(frond, "logs", "last", "")).toEqual(["build", "ship"]);
    expect([readdirSync(frond.state), readTree(frond.directory)]).toEqual(before);
  });

  test("finds a run while another process writes to the journal", async () => {
    const frond = createFrond({
      "wait.yaml": workflow("wait", [shell("hold", "echo on; while [ ! -e go ]; do sleep 0.05; done")]),
    });
    const running = frond.start(["run", "wait.yaml"]);
    await running.until("start   hold");
    const [last, run] = await described(frond, "cancel", "");
    expect(last).toEqual(["last", "the newest of this directory"]);
    expect(run).toEqual([expect.stringMatching(/^run_/), expect.stringMatching(/^wait, running, /)]);
    expect(await described(frond, "logs", "last", "")).toEqual([["hold", "running"]]);
    frond.write("go", "");
    expect((await running.ended).code).toBe(0);
  });

  test("says nothing when something is wrong", async () => {
    const frond = createFrond({ state: "", ".frond/workflows/broken.yaml": "name: broken\nblocks: [" });
    const bad = { env: { FROND_STATE_DIR: `${frond.directory}/state`, FROND_MAX_DEPTH: "many" } };
    for (const words of [["logs", ""], ["run", "broken", "--input", ""], ["show", "run_none", ""], ["--nonsense"]]) {
      const ended = await frond.run(["complete", "--shell", "fish", "--", ...words], bad);
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, expect.not.stringContaining("rror"), ""]);
    }
  });

  test("names with control characters are left out, and descriptions can't speak to the terminal", async () => {
    const evil = workflow("evil", [shell("a", "true")]).replace("The workflow evil", "red \\u001b[31m\\ttab");
    const frond = createFrond({ ".frond/workflows/evil.yaml": evil, "a\nb.yaml": "", "c\td.yaml": "" });
    expect(await described(frond, "run", "evil")).toEqual([["evil", "red  tab"]]);
    expect(await complete(frond, "run", "")).not.toContain("a");
    expect(await complete(frond, "run", "c")).not.toContain("c");
  });
});

/** What a command takes of the processors, by the shell's own account: the last two of four times are of what it has started. */
const files = "frond run ./m";

/** Lines as they are typed, with the arguments that the command then gets. */
const typedLines: readonly (readonly [name: string, line: string, expected: readonly string[]])[] = [
  ["a command", "frond vali\t x", ["validate", "x"]],
  ["an option", "frond runs --sta\tpaused", ["runs", "--status", "paused"]],
  ["a choice", "frond runs --status pau\t", ["runs", "--status", "paused"]],
  ["a workflow", "frond run dep\t--json", ["run", "deploy", "--json"]],
  ["a file with a blank", `${files}\t`, ["run", "./my flow.yaml"]],
  ["a file with a quote and a dollar", "frond run ./it\t", ["run", "./it's $1.yaml"]],
  ["a file in a directory with a blank", "frond run ./some\ta\t", ["run", "./some dir/a.yaml"]],
  ["a block with a blank", "frond logs last each/a\t", ["logs", "last", "each/a b"]],
  ["a block with a colon", "frond logs last each/c:\t", ["logs", "last", "each/c:d"]],
  ["a block with a quote", "frond logs last each/i\t", ["logs", "last", "each/it's"]],
  ["an input and its value", "frond run deploy --input tar\tprod\t", ["run", "deploy", "--input", "target=production"]],
  ["a value with a blank", "frond run deploy --input target=a\t", ["run", "deploy", "--input", "target=a b"]],
  ["a word in double quotes", 'frond logs last "each/a\t', ["logs", "last", "each/a b"]],
  ["a word in single quotes", "frond logs last 'each/c\t", ["logs", "last", "each/c:d"]],
];

describe.each(["bash", "zsh", "fish"] as const)("%s at a terminal", (name) => {
  test.skipIf(!hasShell(name))(`completes every kind of word as one word (needs ${name})`, async () => {
    const frond = await prepare();
    const shell = await startShell(name, frond);
    for (const [what, line, expected] of typedLines) {
      expect([what, await shell.type(line)]).toEqual([what, expected]);
    }
  });
});

/** Calls the function of the script as bash does. */
function replies(frond: Frond, line: string, breaks?: string): readonly string[] {
  const script = [
    "source <(frond completion bash)",
    ...(breaks === undefined ? [] : [`COMP_WORDBREAKS=${breaks}`]),
    'COMP_LINE=$1 COMP_POINT=$2 _frond; printf "%s\\n" "${COMPREPLY[@]}"',
  ].join("\n");
  const { stdout, stderr } = spawnSync("bash", ["-c", script, "bash", line, String(line.length)], {
    cwd: frond.directory,
    env: { ...frond.env, PATH: `${installFrond(frond)}:${frond.env.PATH}` },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.split("\n").slice(0, -1).filter(Boolean);
}

test("bash gets only what it replaces: what stands behind its last word break", async () => {
  const frond = await prepare();
  expect(replies(frond, "frond run deploy --input=target=s")).toEqual(["staging"]);
  expect(replies(frond, "frond run deploy --input=target=s", "' '")).toEqual(["--input=target=staging"]);
  expect(replies(frond, "frond logs last each/c:")).toEqual(["d"]);
  expect(replies(frond, "frond logs last each/c:", "' '")).toEqual(["each/c:d"]);
  expect(replies(frond, "frond run ./m")).toEqual(["./my\\ flow.yaml"]);
  expect(replies(frond, "frond run my\\ ")).toEqual(["my\\ flow.yaml"]);
  expect(replies(frond, "frond nonsense x ")).toEqual([]);
});

test.each([["bash"], ["zsh"], ["fish"]] as const)(
  "the script for %s says how to install it",
  async (name: ShellName) => {
    const { stdout } = await createFrond().run(["completion", name]);
    const head = stdout.split("\n").filter((line) => line.startsWith("#"));
    expect(head.join("\n")).toContain(`frond completion ${name}`);
  },
);

test("a shell that is not known is refused with those that are", async () => {
  const { code, stderr } = await createFrond().run(["completion", "tcsh"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("Allowed choices are bash, zsh, fish.")]);
});
