import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Advice } from "../../src/diagnostic/advice.ts";
import type { forPerson } from "../../src/mcp/for-person.ts";
import { wordAdvice } from "../../src/mcp/word-advice.ts";
import type { NextSteps } from "../../src/views/response.ts";
import { adviceIn, follow } from "../rig/follow-advice.ts";
import { createFrond, type Ended, type Frond, shell, workflow } from "../rig/frond.ts";
import { type LiteralCall, literalCalls } from "../rig/literal-calls.ts";
import { loseRun, waitForGo } from "../rig/lose-run.ts";
import { type Connected, connect, type Reply } from "../rig/mcp.ts";
import { commandsIn, type TypeOptions, typeCommand as typeAnywhere } from "../rig/person.ts";
import { leaveAsleep, makeOverdue } from "../rig/sleeping-run.ts";
import { damageEvent } from "../rig/stored-journal.ts";

/** In a terminal that knows nothing of the state directory that the server was given. */
function typeCommand(frond: Frond, command: string, options: TypeOptions = {}): Promise<Ended> {
  return typeAnywhere(frond, command, { ...options, env: { FROND_STATE_DIR: "" } });
}

/** The one command that a person is to be told. */
function commandIn(reply: Reply): string {
  const commands = commandsIn(adviceIn(reply));
  expect(commands, adviceIn(reply)).toHaveLength(1);
  return commands[0] ?? "";
}

const user = "../home/.frond/workflows";
const own = ".frond/workflows/own.yaml";
const ask = (id: string): object => ({ id, type: "Prompt", inputs: { prompt: "Which?", choices: ["a", "b"] } });
const asking = workflow("asking", [ask("one")]);
const hello = { workflow: "hello-world" };

async function start(files: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  const frond = createFrond(files);
  return { frond, server: await connect(frond, { args }) };
}

/** Of each kind a situation in which a tool gives it, and what comes of doing what it says. A kind without one does not compile. */
const situations: { readonly [Kind in Advice["kind"]]: () => Promise<void> } = {
  "list-runs": async () => {
    const { server } = await start();
    const { data } = await server.call("execute_workflow", hello);
    const listed = await follow(await server.call("get_run", { run_id: "run_zzz" }), server);
    expect(listed.runs).toMatchObject([{ run_id: data.run_id }]);
  },
  "start-run": async () => {
    const { server } = await start();
    const refused = await server.call("get_run", { run_id: "run_zzz" });
    const listed = await follow(refused, server);
    expect(listed.workflows["built-in"]).toHaveProperty("hello-world");
    const [, tool = ""] = /then (\w+)/.exec(adviceIn(refused)) ?? [];
    expect((await server.call(tool, hello)).data.status).toBe("success");
  },
  "choose-run": async () => {
    const { server } = await start();
    for (let run = 0; run < 2; run++) await server.call("execute_workflow", hello);
    const listed = await follow(await server.call("get_run", { run_id: "run_" }), server);
    expect(listed.runs).toHaveLength(2);
    for (const { run_id } of listed.runs) expect((await server.call("get_run", { run_id })).isError).toBe(false);
  },
  "run-again": async () => {
    const { server } = await start();
    const { data } = await server.call("execute_workflow", hello);
    const refused = await server.call("resume_workflow", { checkpoint_id: data.run_id });
    const [look, rerun] = literalCalls(adviceIn(refused));
    expect((await server.call(look?.tool ?? "", look?.args)).data).toEqual(data);
    expect((await server.call(rerun?.tool ?? "", rerun?.args)).data.status).toBe("success");
  },
  "give-text": async () => {
    const { frond, server } = await start({ "build.yaml": workflow("build", [shell("a", "true")]) });
    const { reply } = await frond.json(["run", "build.yaml"]);
    const changed = workflow("build", [shell("a", "echo changed")]);
    frond.write("build.yaml", changed);
    const { run_id } = reply as { readonly run_id: string };
    const refused = await server.call("rerun_workflow", { run_id });
    expect(await follow(refused, server, { workflow_yaml: changed })).toMatchObject({ status: "success" });
  },
  // Only `frond doctor` looks for it; a server that does will say this.
  "end-run": async () => {
    const { server } = await start();
    const slow = { workflow_yaml: workflow("slow", [shell("a", waitForGo("a"))]), wait_seconds: 0 };
    const { data } = await server.call("execute_inline_workflow", slow);
    const refused = await server.call("rerun_workflow", { run_id: data.run_id });
    const [look, cancel] = literalCalls(adviceIn(refused));
    expect((await server.call(look?.tool ?? "", look?.args)).data.status).toBe("running");
    expect((await server.call(cancel?.tool ?? "", cancel?.args)).isError).toBe(false);
  },
  "recover-runs": async () => {
    const { frond, server } = await start({ "lost.yaml": interruptible });
    const runId = await loseRun(frond, "lost.yaml", 1);
    frond.write("go", "");
    const text = wordAdvice({ kind: "recover-runs" }) ?? "";
    const [{ tool, args } = { tool: "", args: {} }] = literalCalls(text);
    const { runs } = (await server.call(tool, args)).data;
    expect(runs).toMatchObject([{ run_id: runId }]);
    const [, next = "", parameter = ""] = /then (\w+) with the run_id of each as (\w+)/.exec(text) ?? [];
    expect((await server.call(next, { [parameter]: runId })).data.status).toBe("success");
  },
  "give-up-run": async () => {
    const { frond, server } = await start();
    const { run_id } = (await server.call("execute_inline_workflow", { workflow_yaml: asking })).data;
    await server.client.close();
    // Where the question is asked.
    await damageEvent(frond, 2);
    const again = await connect(frond);
    const cancelled = await follow(await again.call("resume_workflow", { checkpoint_id: run_id }), again);
    expect(cancelled).toMatchObject({ cancelled: true });
  },
  "list-checkpoints": async () => {
    const { server } = await start();
    const { checkpoint_id } = (await server.call("execute_inline_workflow", { workflow_yaml: asking })).data;
    const refused = await server.call("resume_workflow", { checkpoint_id: "pause_1_2", response: "a" });
    const listed = await follow(refused, server);
    expect(listed.checkpoints).toMatchObject([{ checkpoint_id }]);
  },
  "choose-question": async () => {
    const { server } = await start();
    const twice = workflow("twice", [ask("one"), ask("two")]);
    const { run_id } = (await server.call("execute_inline_workflow", { workflow_yaml: twice })).data;
    const refused = await server.call("resume_workflow", { checkpoint_id: run_id, response: "a" });
    // The first is named in the call, and each beside its question.
    expect(await follow(refused, server)).toMatchObject({ status: "paused" });
    const { checkpoint_id } = refused.data.pending[1];
    expect((await server.call("resume_workflow", { checkpoint_id, response: "a" })).data.status).toBe("success");
  },
  "give-no-answer": async () => {
    const { frond, server } = await start({ "lost.yaml": interruptible });
    const runId = await loseRun(frond, "lost.yaml", 1);
    frond.write("go", "");
    const refused = await server.call("resume_workflow", { checkpoint_id: runId, response: "a" });
    const ended = await follow(refused, server);
    expect(ended.status).toBe("success");
  },
  "let-person-answer": async () => {
    const { frond, server } = await start();
    const paused = await server.call("execute_workflow", { workflow: "interactive-approval" });
    const { checkpoint_id, run_id } = paused.data;
    const refused = await server.call("resume_workflow", { checkpoint_id, response: "yes" });
    await typeCommand(frond, commandIn(refused), { answers: [["approve asks", "y\r"]] });
    expect((await server.call("get_run", { run_id })).data.outputs).toMatchObject({ approved: true });
  },
  "list-workflows": async () => {
    const { server } = await start();
    const listed = await follow(await server.call("execute_workflow", { workflow: "zzzz" }), server);
    expect(Object.keys(listed.workflows["built-in"]).length).toBeGreaterThan(10);
  },
  "check-workflow": async () => {
    const { server } = await start({ [`${user}/mine.yaml`]: workflow("mine", [{ id: "a", type: "Shel" }]) });
    const calling = workflow("calling", [{ id: "go", type: "ExecuteWorkflow", inputs: { workflow: "mine" } }]);
    const refused = await server.call("execute_inline_workflow", { workflow_yaml: calling });
    const described = await follow(refused, server);
    expect(described.errors).toMatchObject([{ code: "unknown-block-type", line: expect.any(Number) }]);
  },
  // Only names on the command line are looked for among files.
  "run-file": async () => {
    const { frond, server } = await start({ "build.yaml": workflow("build", [shell("a", "true")]) });
    const text = wordAdvice({ kind: "run-file", file: "build.yaml" }) ?? "";
    const [, tool = "", file = ""] = /Call (\w+) with the text of '(.*)'/.exec(text) ?? [];
    expect((await server.call(tool, { workflow_yaml: frond.read(file) })).data.status).toBe("success");
  },
  "adopt-file": async () => {
    const { frond, server } = await start({ "jobs/own.yaml": workflow("own", [shell("a", "true")]) });
    const refused = adviceIn(await server.call("execute_workflow", { workflow: "jobs/own.yaml" }));
    const [, save = "", run = "", inline = ""] =
      /Call (\w+) with its text, then (\w+) with its name; or (\w+) with the text\./.exec(refused) ?? [];
    const text = { workflow_yaml: frond.read("jobs/own.yaml") };
    expect((await server.call(inline, text)).data.status).toBe("success");
    expect((await server.call(save, text)).isError).toBe(false);
    expect((await server.call(run, { workflow: "own" })).data.status).toBe("success");
  },
  "trust-project": async () => {
    const { frond, server } = await start({ [own]: workflow("own", [shell("a", "true")]) });
    const refused = await server.call("execute_workflow", { workflow: "own" });
    const [look = "", trust = ""] = commandsIn(adviceIn(refused));
    expect((await typeCommand(frond, look)).stdout).toContain("The workflow own");
    expect((await typeCommand(frond, trust)).code).toBe(0);
    expect((await server.call("execute_workflow", { workflow: "own" })).data.status).toBe("success");
  },
  "replace-file": async () => {
    const { server } = await start();
    const save = (command: string, more: object = {}): Promise<Reply> =>
      server.call("save_workflow", { workflow_yaml: workflow("mine", [shell("a", command)]), ...more });
    await save("true");
    const [, name = "", value = ""] = /give (\w+): (\w+) to replace/.exec(adviceIn(await save("echo other"))) ?? [];
    expect((await save("echo other", { [name]: JSON.parse(value) })).isError).toBe(false);
  },
  "see-inputs": async () => {
    const { server } = await start();
    const refused = await server.call("execute_workflow", { ...hello, inputs: { nam: "Fern" } });
    const described = await follow(refused, server);
    expect(described.inputs).toHaveProperty("name");
  },
  // What the input has to be is said already, and the call that shows all of them is named once for all.
  "give-input": () => saysNothing({ kind: "give-input", input: "a" }),
  "write-input": () => saysNothing({ kind: "write-input", input: "a", sample: "1" }),
  "give-inputs-file": () => saysNothing({ kind: "give-inputs-file" }),
  "allow-commands": async () => {
    const { frond, server } = await start({}, ["--no-inline"]);
    const asked = { workflow: "run-test-command", inputs: { test_command: ["true"] } };
    const options = optionsIn(await server.call("execute_workflow", asked));
    expect(options).toHaveLength(1);
    for (const option of options) {
      const allowing = await connect(frond, { args: ["--no-inline", ...option] });
      expect((await allowing.call("execute_workflow", asked)).data.errors).toBeUndefined();
    }
  },
  "allow-unsafe": async () => {
    const { frond, server } = await start({}, ["--no-unsafe"]);
    const unsafe = workflow("unsafe", [{ id: "a", type: "ReadFile", inputs: { path: "/etc/hostname", unsafe: true } }]);
    const refused = await server.call("execute_inline_workflow", { workflow_yaml: unsafe });
    const [option = ""] = /--no-[\w-]+/.exec(adviceIn(refused)) ?? [];
    const allowing = await connect(frond, { args: ["--no-unsafe"].filter((one) => one !== option) });
    expect((await allowing.call("execute_inline_workflow", { workflow_yaml: unsafe })).data.status).toBe("success");
  },
  "set-secret": async () => {
    const { frond, server } = await start();
    const text = workflow("key", [
      shell("a", 'test -n "$KEY"', { inputs: { command: 'test -n "$KEY"', env: { KEY: "${secrets.API_KEY}" } } }),
    ]);
    const refused = await server.call("execute_inline_workflow", { workflow_yaml: text });
    const [, name = ""] = /\b(FROND_SECRET_\w+)/.exec(JSON.stringify(refused.data)) ?? [];
    const named = await connect(frond, { env: { [name]: "abcdefgh" } });
    expect((await named.call("execute_inline_workflow", { workflow_yaml: text })).data.status).toBe("success");
  },
};

const interruptible = workflow("lost", [shell("a", waitForGo("a"), { on_interrupted: "rerun" })]);

/** What a person is to start the server with, each way by itself: an option and its values. */
function optionsIn(reply: Reply): readonly (readonly string[])[] {
  const said = adviceIn(reply).matchAll(/(--[\w-]+)((?: (?:'[^']*'|[\w./-]*[\w/-](?=[ .`])))+)/g);
  return [...said].map(([, option = "", values = ""]) => [
    option,
    ...(values.match(/'[^']*'|[^ ']+/g) ?? []).filter((word) => word !== "or").map((word) => word.replaceAll("'", "")),
  ]);
}

async function saysNothing(advice: Advice): Promise<void> {
  expect(wordAdvice(advice)).toBeUndefined();
}

const makeFile = { id: "make", type: "CreateFile", inputs: { path: "made", content: "text" } };

/** Of each thing that may come next, the same. */
const nextSteps: { readonly [Step in keyof NextSteps]: () => Promise<void> } = {
  answer: async () => {
    const { frond, server } = await start();
    const both = workflow("both", [ask("one"), { ...ask("two"), inputs: { prompt: "You?", audience: "human" } }]);
    const paused = await server.call("execute_inline_workflow", { workflow_yaml: both });
    const typed = typeCommand(frond, commandIn(paused), { answers: [["two asks", "yes\r"]] });
    await Promise.all([follow(paused, server), typed]);
    const { run_id } = paused.data;
    expect((await server.call("get_run", { run_id, wait_seconds: 10 })).data.status).toBe("success");
  },
  wake: async () => {
    const { frond, server } = await start();
    const asleep = await leaveAsleep(frond);
    const sleeping = await server.call("get_run", { run_id: asleep });
    const [look, wake] = literalCalls(adviceIn(sleeping));
    expect((await server.call(look?.tool ?? "", { ...look?.args, wait_seconds: 0 })).data).toEqual(sleeping.data);
    expect((await server.call(wake?.tool ?? "", wake?.args)).data.status).toBe("sleeping");
    await server.client.close();
    makeOverdue(frond, asleep);
    const later = await connect(frond);
    expect(await follow(await later.call("get_run", { run_id: asleep }), later)).toMatchObject({
      outputs: { said: "after" },
    });
  },
  runAll: async () => {
    const { server } = await start();
    const { data } = await server.call("execute_workflow", hello);
    const reused = await server.call("rerun_workflow", { run_id: data.run_id });
    expect(await follow(reused, server)).toMatchObject({ status: "success", outputs: data.outputs });
  },
  takeOver: async () => {
    const { frond, server } = await start({ "lost.yaml": interruptible });
    const run_id = await loseRun(frond, "lost.yaml", 1);
    const [resume, cancel] = literalCalls(adviceIn(await server.call("get_run", { run_id })));
    expect((await server.call(resume?.tool ?? "", { ...resume?.args, wait_seconds: 0 })).data.status).toBe("running");
    expect((await server.call(cancel?.tool ?? "", cancel?.args)).data).toMatchObject({ cancelled: true });
  },
  follow: async () => {
    const { frond, server } = await start();
    const running = await server.call("execute_inline_workflow", { workflow_yaml: interruptible, wait_seconds: 0 });
    frond.write("go", "");
    expect(await follow(running, server)).toMatchObject({ status: "success" });
  },
  takeBack: async () => {
    const frond = createFrond();
    const server = await connect(frond, { args: ["--toolsets", "plans,undo"] });
    const plan = [{ action_type: "create_file", path: "made", content: "text" }];
    expect(await follow(await server.call("execute_plan", { plan }), server)).toMatchObject({ undo: { restored: 1 } });
  },
  redo: async () => {
    const { frond, server } = await start();
    const made = await server.call("execute_inline_workflow", { workflow_yaml: workflow("make", [makeFile]) });
    const undone = await server.call("undo_run", { run_id: made.data.run_id });
    expect(existsSync(join(frond.directory, "made"))).toBe(false);
    expect(await follow(undone, server)).toMatchObject({ status: "success", undo: { of: undone.data.run_id } });
    expect(frond.read("made")).toBe("text");
  },
  repair: async () => {
    const { frond, server } = await start();
    const bad = workflow("bad", [shell("bad", "echo wrong; test -e fixed")]);
    const failed = await server.call("execute_inline_workflow", { workflow_yaml: bad });
    const [log, rerun] = literalCalls(adviceIn(failed));
    expect(await logOf(log, server)).toContain("wrong");
    frond.write("fixed", "");
    expect((await server.call(rerun?.tool ?? "", rerun?.args)).data).toMatchObject({ status: "success" });
    const text = { ...rerun?.args, workflow_yaml: bad.replace("-e fixed", "-e fixed; echo new") };
    expect((await server.call(rerun?.tool ?? "", text)).data).toMatchObject({ stdout_tail: { bad: "wrong\nnew" } });
    const made = workflow("made", [makeFile, shell("last", "exit 1", { depends_on: ["make"] })]);
    const left = await server.call("execute_inline_workflow", { workflow_yaml: made });
    frond.write("made", "mine");
    const undo = literalCalls(adviceIn(left)).find(({ tool }) => tool === "undo_run");
    const stayed = await server.call(undo?.tool ?? "", undo?.args);
    expect(stayed.data).toMatchObject({ status: "failure", undo: { conflicts: [{ path: "made" }] } });
    const [force] = literalCalls(adviceIn(stayed));
    expect((await server.call(force?.tool ?? "", force?.args)).data).toMatchObject({ undo: { restored: 1 } });
    expect(existsSync(join(frond.directory, "made"))).toBe(false);
  },
  inspect: async () => {
    const { server } = await start();
    const may = workflow("may", [shell("may", "echo wrong; exit 1", { allow_failure: true })]);
    const [log] = literalCalls(adviceIn(await server.call("execute_inline_workflow", { workflow_yaml: may })));
    expect(await logOf(log, server)).toContain("wrong");
  },
};

/** A log is text without data. */
async function logOf(call: LiteralCall | undefined, { client }: Connected): Promise<string> {
  return JSON.stringify((await client.callTool({ name: call?.tool ?? "", arguments: { ...call?.args } })).content);
}

/** What only a person can do, and is said of nothing above. */
const persons: { readonly [Kind in Exclude<keyof typeof forPerson, keyof typeof elsewhere>]: () => Promise<void> } = {
  adoptFile: async () => {
    const { frond, server } = await start({ "jobs/own.yaml": workflow("own", [shell("a", "true")]) }, ["--no-inline"]);
    const refused = await server.call("execute_workflow", { workflow: "jobs/own.yaml" });
    const [, directory = ""] = /put it into (\S+)/.exec(adviceIn(refused)) ?? [];
    frond.write(`${directory}/own.yaml`, frond.read("jobs/own.yaml"));
    expect((await typeCommand(frond, commandIn(refused))).code).toBe(0);
    expect((await server.call("execute_workflow", { workflow: "own" })).data.status).toBe("success");
  },
  trustFile: async () => {
    const { frond, server } = await start({ [own]: workflow("own", [shell("a", "true")]) });
    const list = async (): Promise<Reply["data"]> => (await server.call("list_workflows")).data.untrusted?.own;
    const untrusted = await list();
    const [command = ""] = commandsIn(untrusted);
    expect((await typeCommand(frond, command)).code).toBe(0);
    expect(await list()).toBeUndefined();
  },
  allowRoots: async () => {
    const { frond, server } = await start({ "../other/.keep": "" });
    const asked = { ...hello, workspace: "../other" };
    const [option = [], ...others] = optionsIn(await server.call("execute_workflow", asked));
    expect(others).toEqual([]);
    const allowing = await connect(frond, { args: option });
    expect((await allowing.call("execute_workflow", asked)).data.status).toBe("success");
  },
};

/** The kinds of advice that say the others. */
const elsewhere = {
  answer: "let-person-answer",
  trustProject: "trust-project",
  allowCommands: "allow-commands",
  allowUnsafe: "allow-unsafe",
} as const satisfies Readonly<Record<string, Advice["kind"]>>;

test.each(Object.entries({ ...situations, ...nextSteps, ...persons }))(
  "what is advised as %s can be done, literally",
  async (_, tryIt) => {
    await tryIt();
  },
);
