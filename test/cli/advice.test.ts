import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wordAdvice } from "../../src/cli/word-advice.ts";
import type { Advice } from "../../src/diagnostic/advice.ts";
import type { NextSteps } from "../../src/views/response.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { loseRun, waitForGo } from "../rig/lose-run.ts";
import {
  commandsIn,
  followCommand as follow,
  runIdIn,
  saidBy as said,
  type TypeOptions,
  typeCommand,
} from "../rig/person.ts";
import { leaveAsleep, makeOverdue } from "../rig/sleeping-run.ts";
import { damageEvent } from "../rig/stored-journal.ts";
import { waitFor } from "../rig/wait-for.ts";

const user = "../home/.frond/workflows";
const own = ".frond/workflows/own.yaml";
const ask = (id: string, more: object = {}): object => ({
  id,
  type: "Prompt",
  inputs: { prompt: "Which?", choices: ["a", "b"], ...more },
});
const asking = workflow("asking", [ask("one")]);
const interruptible = workflow("lost", [shell("a", waitForGo("a"), { on_interrupted: "rerun" })]);

const here = ({ directory }: Frond): TypeOptions => ({ directory });

/** As lists show it. */
function shortOf(runId: string): string {
  return runId.slice("run_".length).slice(0, 8);
}

async function startAsking(frond: Frond, file: string): Promise<string> {
  return runIdIn(await said(frond, "run", file));
}

/** Of each kind a situation in which a command gives it, and what comes of doing what it says. A kind without one does not compile. */
const situations: { readonly [Kind in Advice["kind"]]: () => Promise<void> } = {
  "list-runs": async () => {
    const frond = createFrond();
    const runId = runIdIn(JSON.stringify(await frond.json(["run", "hello-world"])));
    const elsewhere = { directory: frond.home };
    expect((await follow(frond, await said(frond, "show", "run_zzz"), elsewhere)).stdout).toContain(shortOf(runId));
  },
  "start-run": async () => {
    const frond = createFrond();
    const [run = "", list = ""] = commandsIn(await said(frond, "show", "run_zzz"));
    const { stdout } = await typeCommand(frond, list);
    expect(stdout).toContain("hello-world");
    expect((await typeCommand(frond, run.replace("NAME", "hello-world"))).code).toBe(0);
  },
  "choose-run": async () => {
    const frond = createFrond();
    for (let run = 0; run < 2; run++) await frond.run(["run", "hello-world"]);
    const ids = (await said(frond, "show", "run_")).match(/run_[0-9a-z]{16}/g) ?? [];
    expect(ids).toHaveLength(2);
    for (const id of ids) expect((await frond.run(["show", id])).code).toBe(0);
  },
  "run-again": async () => {
    const frond = createFrond();
    const runId = runIdIn(JSON.stringify(await frond.json(["run", "hello-world"])));
    expect((await follow(frond, await said(frond, "resume", runId))).code).toBe(0);
  },
  "give-text": async () => {
    const frond = createFrond({ "build.yaml": workflow("build", [shell("a", "true")]) });
    const runId = runIdIn(JSON.stringify(await frond.json(["run", "build.yaml"])));
    renameSync(join(frond.directory, "build.yaml"), join(frond.directory, "moved.yaml"));
    const [frozen = "", file = ""] = commandsIn(await said(frond, "rerun", runId));
    expect((await typeCommand(frond, frozen)).code).toBe(0);
    expect((await typeCommand(frond, file.replace("FILE", "moved.yaml"), here(frond))).code).toBe(0);
  },
  "end-run": async () => {
    const frond = createFrond({ "slow.yaml": workflow("slow", [shell("a", waitForGo("a"))]) });
    const slow = frond.start(["run", "slow.yaml"]);
    await slow.until("start   a");
    const [follow = "", cancel = ""] = commandsIn(await said(frond, "rerun", runIdIn(slow.shown())));
    const following = typeCommand(frond, follow);
    expect((await typeCommand(frond, cancel)).stdout).toContain("cancelled");
    expect((await following).code).toBe(0);
    await slow.ended;
  },
  "recover-runs": async () => {
    const frond = createFrond({ "lost.yaml": interruptible });
    const runId = await loseRun(frond, "lost.yaml", 1);
    frond.write("go", "");
    const [look = "", recover = ""] = commandsIn(/^.*interrupted.*$/m.exec(await said(frond, "doctor"))?.[0] ?? "");
    expect((await typeCommand(frond, look)).stdout).toContain(shortOf(runId));
    expect((await typeCommand(frond, recover)).code).toBe(0);
    expect((await frond.json(["show", runId])).reply).toMatchObject({ status: "success" });
  },
  "give-up-run": async () => {
    const frond = createFrond({ "asking.yaml": asking });
    const runId = await startAsking(frond, "asking.yaml");
    // Where the question is asked.
    await damageEvent(frond, 2);
    expect((await follow(frond, await said(frond, "resume", runId))).stdout).toContain(`${runId} is cancelled`);
  },
  "list-checkpoints": async () => {
    const frond = createFrond({ "asking.yaml": asking });
    await startAsking(frond, "asking.yaml");
    const listed = await follow(frond, await said(frond, "resume", "pause_1_2", "--response", "a"));
    expect(listed.stdout).toContain("Which?");
  },
  "choose-question": async () => {
    const frond = createFrond({ "twice.yaml": workflow("twice", [ask("one"), ask("two")]) });
    const runId = await startAsking(frond, "twice.yaml");
    const ids = (await said(frond, "resume", runId, "--response", "a")).match(/pause_\w+/g) ?? [];
    expect(ids).toHaveLength(2);
    for (const id of ids) await frond.run(["resume", id, "--response", "a"]);
    expect((await frond.json(["show", runId])).reply).toMatchObject({ status: "success" });
  },
  "give-no-answer": async () => {
    const frond = createFrond({ "lost.yaml": interruptible });
    const runId = await loseRun(frond, "lost.yaml", 1);
    frond.write("go", "");
    expect((await follow(frond, await said(frond, "resume", runId, "--response", "a"))).code).toBe(0);
  },
  "let-person-answer": async () => {
    const frond = createFrond();
    const [, id = ""] = /frond resume (pause_\w+)/.exec(await said(frond, "run", "interactive-approval")) ?? [];
    const refused = await said(frond, "resume", id, "--response", "yes");
    expect((await follow(frond, refused, { answers: [["approve asks", "y\r"]] })).code).toBe(0);
  },
  "list-workflows": async () => {
    const frond = createFrond();
    expect((await follow(frond, await said(frond, "run", "zzzz"))).stdout).toContain("hello-world");
  },
  "check-workflow": async () => {
    const calling = workflow("calling", [{ id: "go", type: "ExecuteWorkflow", inputs: { workflow: "mine" } }]);
    const mine = workflow("mine", [{ id: "a", type: "Shel" }]);
    const frond = createFrond({ [`${user}/mine.yaml`]: mine, "calling.yaml": calling });
    const { stdout } = await follow(frond, await said(frond, "run", "calling.yaml"));
    expect(stdout).toContain("Did you mean 'Shell'?");
  },
  "run-file": async () => {
    const frond = createFrond({ "build.yaml": workflow("build", [shell("a", "true")]) });
    expect((await follow(frond, await said(frond, "run", "build"))).code).toBe(0);
  },
  // Only over MCP a path means a file of the workspace that may not be run.
  "adopt-file": async () => {
    const frond = createFrond({ "a file.yaml": workflow("own", [shell("a", "true")]) });
    const text = wordAdvice({ kind: "adopt-file", file: "a file.yaml", project: frond.directory }) ?? "";
    expect((await follow(frond, text)).code).toBe(0);
  },
  "trust-project": async () => {
    const frond = createFrond({ [own]: workflow("own", [shell("a", "true")]) });
    const untrusted = await said(frond, "run", "own");
    const [, file = ""] = /or name the file itself: (\S+)\.$/m.exec(untrusted) ?? [];
    expect((await frond.run(["run", file])).code).toBe(0);
    expect((await follow(frond, untrusted, { directory: frond.home })).code).toBe(0);
    expect((await frond.run(["run", "own"])).code).toBe(0);
    frond.write(own, workflow("own", [shell("a", "echo changed")]));
    const [look = "", trust = ""] = commandsIn(await said(frond, "run", "own"));
    const { stdout } = await typeCommand(frond, look);
    expect(stdout).toContain("echo changed");
    expect((await follow(frond, stdout, { directory: frond.home })).code).toBe(0);
    expect((await frond.run(["run", "own"])).code).toBe(0);
    expect((await typeCommand(frond, trust)).code).toBe(0);
  },
  "replace-file": async () => {
    const save = workflow("mine", [shell("a", "true")]);
    const frond = createFrond({ "mine.yaml": save });
    await frond.run(["save", "mine.yaml"]);
    frond.write("mine.yaml", workflow("mine", [shell("a", "echo other")]));
    const [, option = ""] = /replace it with (--\w+)/.exec(await said(frond, "save", "mine.yaml")) ?? [];
    expect((await frond.run(["save", "mine.yaml", option])).code).toBe(0);
  },
  "see-inputs": async () => {
    const frond = createFrond();
    const text = wordAdvice({ kind: "see-inputs", workflow: "hello-world" }) ?? "";
    expect((await follow(frond, text)).stdout).toContain("Whom to greet");
  },
  "give-input": async () => {
    const frond = createFrond({ "take.yaml": taking, "given.json": '{ "targets": ["a"] }' });
    const refused = await said(frond, "run", "take.yaml");
    const [, option = "", other = ""] = /Add (--input \S+), or put it into (--inputs \S+)\./.exec(refused) ?? [];
    const ways = [option.replace("VALUE", `'["a"]'`), other.replace("FILE", "given.json")];
    for (const way of ways) expect((await follow(frond, `\`frond run take.yaml ${way}\``)).code).toBe(0);
  },
  "write-input": async () => {
    const frond = createFrond({ "take.yaml": taking });
    for (const wrong of ["targets", "targets=a"]) {
      const [, option = ""] = /`(--input .*)`/.exec(await said(frond, "run", "take.yaml", "--input", wrong)) ?? [];
      const typed = option.replace("name=value", `targets='["a"]'`);
      expect((await follow(frond, `\`frond run take.yaml ${typed}\``)).code).toBe(0);
    }
  },
  "give-inputs-file": async () => {
    const frond = createFrond({ "take.yaml": taking, "given.json": '{ "targets": ["a"] }' });
    const pair = await said(frond, "run", "take.yaml", "--inputs", 'targets=["a"]');
    const [, option = ""] = /write `(--input .*)`/.exec(pair) ?? [];
    expect((await follow(frond, `\`frond run take.yaml ${option}\``)).code).toBe(0);
    const [, file = ""] =
      /Give (--inputs) a JSON/.exec(await said(frond, "run", "take.yaml", "--inputs", "none")) ?? [];
    expect((await frond.run(["run", "take.yaml", file, "given.json"])).code).toBe(0);
  },
  // A server forbids, and says so over MCP. What the command line would say are options of it.
  "allow-commands": async () => {
    const advice = { kind: "allow-commands", workflow: "run-test-command", workspace: "." } as const;
    const [, allow = "", root = ""] = /with (--allow \S+) or (--root \S+)\.$/.exec(wordAdvice(advice) ?? "") ?? [];
    for (const option of [allow, root]) await serves(`--no-inline ${option}`);
  },
  "allow-unsafe": async () => {
    const [, option = ""] = /without (\S+)\.$/.exec(wordAdvice({ kind: "allow-unsafe" }) ?? "") ?? [];
    await serves(option);
  },
  "set-secret": async () => {
    const inputs = { command: 'test -n "$KEY"', env: { KEY: "${secrets.API_KEY}" } };
    const frond = createFrond({ "key.yaml": workflow("key", [{ id: "a", type: "Shell", inputs }]) });
    const [, name = ""] = /Set (\w+)/.exec(await said(frond, "run", "key.yaml")) ?? [];
    expect((await frond.run(["run", "key.yaml"], { env: { [name]: "abcdefgh" } })).code).toBe(0);
  },
};

const taking = workflow("take", [shell("a", "true")], {
  inputs: { targets: { type: "array", description: "Which", required: true } },
});

async function serves(options: string): Promise<void> {
  const frond = createFrond();
  expect((await frond.run(["serve", ...options.split(" ")])).code).toBe(0);
}

const makeFile = { id: "make", type: "CreateFile", inputs: { path: "made", content: "text" } };

/** Of each thing that may come next, the same. */
const nextSteps: { readonly [Step in keyof NextSteps]: () => Promise<void> } = {
  answer: async () => {
    const [it, human] = ["it's", { audience: "human" }];
    const frond = createFrond({
      "asking.yaml": workflow("asking", [ask("one", { choices: [it] })]),
      "person.yaml": workflow("person", [ask("one", human)]),
    });
    const paused = await said(frond, "run", "asking.yaml");
    expect((await follow(frond, paused)).code).toBe(0);
    expect((await frond.json(["show", runIdIn(paused), "one"])).reply).toMatchObject({ outputs: { response: it } });
    const answered = await follow(frond, await said(frond, "run", "person.yaml"), { answers: [["one asks", "a\r"]] });
    expect(answered.code).toBe(0);
  },
  wake: async () => {
    const frond = createFrond();
    const runId = await leaveAsleep(frond);
    const [resume = "", recover = ""] = commandsIn(await said(frond, "show", runId));
    const waiting = typeCommand(frond, resume, { answers: [["Waiting here", "\u0003"]] });
    expect((await waiting).stdout).toContain("sleeps");
    expect((await typeCommand(frond, recover)).code).toBe(0);
    makeOverdue(frond, runId);
    expect((await follow(frond, await said(frond, "show", runId))).code).toBe(0);
  },
  runAll: async () => {
    const frond = createFrond({
      "old.yaml": workflow("old", [shell("a", "echo old >> ran")]),
      "new.yaml": workflow("new", [shell("a", "echo new >> ran")]),
    });
    const runId = runIdIn(JSON.stringify(await frond.json(["run", "old.yaml"])));
    // What runs then is what the rerun ran: with --file that other text, with --frozen the text as it was.
    const other = runIdIn(JSON.stringify(await frond.json(["rerun", runId, "--file", "new.yaml"])));
    expect((await follow(frond, await said(frond, "rerun", other))).code).toBe(0);
    frond.write("old.yaml", workflow("old", [shell("a", "echo edited >> ran")]));
    expect((await follow(frond, await said(frond, "rerun", runId, "--frozen"))).code).toBe(0);
    expect(frond.read("ran")).toBe("old\nnew\nnew\nold\n");
  },
  takeOver: async () => {
    const frond = createFrond({ "lost.yaml": interruptible });
    const runId = await loseRun(frond, "lost.yaml", 1);
    frond.write("go", "");
    expect((await follow(frond, await said(frond, "show", runId))).code).toBe(0);
  },
  follow: async () => {
    const frond = createFrond({ "lost.yaml": interruptible });
    const run = frond.start(["run", "lost.yaml"]);
    await waitFor("the run to have an id", () => runIdIn(run.shown()) !== "");
    const followed = follow(frond, await said(frond, "show", runIdIn(run.shown())));
    frond.write("go", "");
    expect((await followed).stdout).toMatch(/success.* lost/);
    expect((await run.ended).code).toBe(0);
  },
  takeBack: async () => {
    const plan = JSON.stringify([{ action_type: "create_file", path: "made", content: "text" }]);
    const frond = createFrond({ "plan.json": plan });
    const done = await said(frond, "plan", "run", "plan.json");
    expect((await follow(frond, done, { answers: [["Undo it?", "y"]] })).code).toBe(0);
    expect(existsSync(join(frond.directory, "made"))).toBe(false);
  },
  redo: async () => {
    const frond = createFrond({ "make.yaml": workflow("make", [makeFile]) });
    const runId = runIdIn(await said(frond, "run", "make.yaml"));
    const undone = await said(frond, "undo", runId, "--yes");
    expect(existsSync(join(frond.directory, "made"))).toBe(false);
    expect((await follow(frond, undone, { answers: [["Redo it?", "y"]] })).code).toBe(0);
    expect(frond.read("made")).toBe("text");
  },
  repair: async () => {
    const loop = shell("loop", "echo wrong >&2; test -e fixed", { for_each: { "a b": 1 } });
    const frond = createFrond({ "bad.yaml": workflow("bad", [loop]) });
    const { message } = (await frond.json(["run", "bad.yaml"])).reply as { message: string };
    const [log = "", rerun = ""] = commandsIn(message);
    expect((await typeCommand(frond, log)).stdout).toContain("wrong");
    frond.write("fixed", "");
    expect((await typeCommand(frond, rerun)).code).toBe(0);
    frond.write("made.yaml", workflow("made", [makeFile, shell("last", "exit 1", { depends_on: ["make"] })]));
    const failed = await said(frond, "run", "made.yaml");
    const back = commandsIn(failed).find((command) => command.startsWith("frond undo")) ?? "";
    expect((await typeCommand(frond, back, { answers: [["Undo it?", "y"]] })).code).toBe(0);
    expect(existsSync(join(frond.directory, "made"))).toBe(false);
    // What was changed since stays, and can be replaced.
    const runId = runIdIn(await said(frond, "run", "made.yaml"));
    frond.write("made", "mine");
    const stayed = await said(frond, "undo", runId, "--yes");
    const [force = ""] = commandsIn(stayed);
    expect((await typeCommand(frond, force, { answers: [["Undo it?", "y"]] })).code).toBe(0);
    expect(existsSync(join(frond.directory, "made"))).toBe(false);
  },
  inspect: async () => {
    const may = shell("may", "echo wrong >&2; exit 1", { allow_failure: true });
    const frond = createFrond({ "may.yaml": workflow("may", [may]) });
    const { message } = (await frond.json(["run", "may.yaml"])).reply as { message: string };
    expect((await follow(frond, message)).stdout).toContain("wrong");
  },
};

test.each(Object.entries({ ...situations, ...nextSteps }))(
  "what is advised as %s can be done, literally",
  async (_, tryIt) => {
    await tryIt();
  },
);
