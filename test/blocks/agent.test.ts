import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentPrograms } from "../../src/blocks/agent/agent-programs.ts";
import type { AttemptEnded } from "../../src/engine/events.ts";
import type { Execution } from "../../src/engine/execution.ts";
import { commandSources } from "../../src/library/takes-commands.ts";
import { createTestEngine, openTestEngine } from "../rig/engine.ts";
import { succeedAs, writeFakeAgent } from "../rig/fake-agent.ts";
import { isAlive } from "../rig/is-alive.ts";
import { createMachine } from "../rig/machine.ts";
import { waitFor } from "../rig/wait-for.ts";
import { recordOf, run, startedWith, telling, workflowOf } from "./agent-ground.ts";

const agents = agentPrograms.map(({ name }) => name);

const costs: Readonly<Record<string, number | null>> = { claude: 0.25, codex: null, gemini: null, opencode: 0.25 };

describe.each(agents)("%s", (agent) => {
  const given = { agent };

  test("gives its answer, what it has used, and its session", async () => {
    const { outputs, metadata } = await recordOf(writeFakeAgent(succeedAs(agent)), given);
    expect(metadata).toMatchObject({ status: "completed", outcome: "success" });
    expect(outputs).toMatchObject({ text: "All done", json: null, session_id: "s-1", exit_code: 0 });
    expect(outputs).toMatchObject({ tokens_in: 260, tokens_out: 100, cost_usd: costs[agent] });
  });

  test("is told its prompt by standard input, whatever is in it, and never by an argument", async () => {
    const fake = writeFakeAgent(`${telling}${succeedAs(agent)}`);
    const prompt = "--help; $(touch x) `y` 'z' \"q\"\n-n 🌿";
    await recordOf(fake, { ...given, inputs: { prompt } });
    const started = startedWith(fake);
    expect(started.prompt).toBe(prompt);
    expect(started.args.join(" ")).not.toContain("touch");
  });

  test("takes no value for an option", async () => {
    const fake = writeFakeAgent(`${telling}${succeedAs(agent)}`);
    await recordOf(fake, { ...given, inputs: { model: "--dangerously" } });
    expect(startedWith(fake).args).toContain("--model=--dangerously");
    const { metadata } = await recordOf(fake, { ...given, inputs: { session: "--last" } });
    expect(metadata.message).toContain("session '--last' is no session_id");
  });

  test("goes on with an earlier session", async () => {
    const fake = writeFakeAgent(`${telling}${succeedAs(agent)}`);
    await recordOf(fake, { ...given, inputs: { session: "s-0" } });
    expect(startedWith(fake).args.join(" ")).toMatch(/(?:--resume=|--session=|resume )s-0/);
  });

  test("fails with what it says on stderr, if it ends without more", async () => {
    const fake = writeFakeAgent(`console.error("Error: no key"); process.exitCode = 3;`);
    const { outputs, metadata } = await recordOf(fake, given);
    expect(metadata).toMatchObject({ status: "completed", outcome: "failure" });
    expect(metadata.message).toBe(`${agent}: exit code 3: Error: no key`);
    expect(outputs).toMatchObject({ exit_code: 3, cost_usd: null, tokens_in: null });
    expect(metadata.spend).toBeUndefined();
  });

  test("fails when it writes something else than its events, however it exits", async () => {
    const fake = writeFakeAgent(
      `fs.writeSync(1, Buffer.from([0xff, 0x00, 10])); console.log("{ 1"); console.log("[1]");`,
    );
    const { metadata } = await recordOf(fake, given);
    expect(metadata).toMatchObject({ status: "completed", outcome: "failure" });
    expect(metadata.message).toContain(`${agent} ended without an answer`);
  });

  test("that is killed in its midst has a cost that nobody knows, beside what it had told", async () => {
    const fake = writeFakeAgent(`${succeedAs(agent).replace("emit(event)", "if (!isEnd(event)) emit(event)")}
      process.kill(process.pid, "SIGKILL");
      function isEnd({ type, part }) { return type === "result" || type === "turn.completed" || part?.reason === "stop"; }`);
    const { outputs, metadata } = await recordOf(fake, given);
    expect(metadata).toMatchObject({ status: "completed", outcome: "failure" });
    expect(metadata.message).toBe(`${agent}: ended by SIGKILL (exit code 137)`);
    expect(outputs).toMatchObject({ cost_usd: null, exit_code: 137, session_id: "s-1" });
    expect(metadata.spend).toMatchObject({ unpriced: true });
  });

  test("gives data that fits a schema, and fails when it does not", async () => {
    const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const answering = (text: string): string =>
      succeedAs(agent)
        .replaceAll('"All ', '"')
        .replaceAll('"All done"', '"done"')
        .replaceAll('"done"', JSON.stringify(text));
    const good = await recordOf(writeFakeAgent(answering('```json\n{"name":"fern"}\n```')), {
      ...given,
      inputs: { schema },
    });
    expect(good.outputs.json).toEqual({ name: "fern" });
    const bad = await recordOf(writeFakeAgent(answering('{"nom":1}')), { ...given, inputs: { schema } });
    expect(bad.metadata).toMatchObject({ outcome: "failure" });
    expect(bad.metadata.message).toBe(`${agent}: the final answer does not fit the schema: answer needs 'name'`);
  });
});

const overloads: Readonly<Record<string, readonly object[]>> = {
  claude: [
    { type: "system", subtype: "init", session_id: "s-1" },
    { type: "system", subtype: "api_retry", attempt: 1, retry_delay_ms: 7000, error_status: 529 },
    { type: "result", is_error: true, api_error_status: 529, result: "API Error: 529 Overloaded", total_cost_usd: 0 },
  ],
  codex: [
    { type: "thread.started", thread_id: "s-1" },
    { type: "turn.failed", error: { message: "last status: 429 Too Many Requests. Please try again in 7s" } },
  ],
  gemini: [
    {
      type: "result",
      status: "error",
      error: { message: '{"code":503,"status":"UNAVAILABLE"} Please retry in 7.0s.' },
    },
  ],
  opencode: [
    { type: "error", error: { name: "APIError", data: { message: "Busy, try again in 7000ms", statusCode: 429 } } },
  ],
};

test.each(agents)("%s whose model is overloaded is tried again, after what was asked for", async (agent) => {
  const fake = writeFakeAgent(
    `for (const event of ${JSON.stringify(overloads[agent])}) emit(event); process.exitCode = 1;`,
  );
  const started = await createTestEngine().start(workflowOf(fake, { agent }));
  const ended = (): AttemptEnded | undefined => started.events.find((event) => event.type === "attempt-ended");
  await waitFor("its first attempt ends", () => ended() !== undefined);
  const { status, outcome, message, at = "", retryAt = "" } = ended() ?? {};
  expect({ status, outcome }).toEqual({ status: "completed", outcome: "failure" });
  expect(message).toContain(`${agent}: the model is overloaded: `);
  expect(Date.parse(retryAt) - Date.parse(at)).toBeCloseTo(7000, -2);
  await started.cancel();
  await started.settled;
});

test("its events are readable lines in its log, and transcript says where", async () => {
  let shown = "";
  const engine = createTestEngine();
  const fake = writeFakeAgent(`console.error("a remark"); console.log("not an event"); ${succeedAs("claude")}`);
  const { state, response } = await run(engine, fake, { onOutput: (_, text) => (shown += text) });
  for (const line of [
    "session s-1, model claude-x",
    "I make a file.",
    "> Write: made.txt",
    "< File created",
    "a remark",
    "not an event",
  ])
    expect(shown.split("\n")).toContain(line);
  expect(state.root.record.blocks.it?.outputs.transcript).toBe(`${response.run_id} it@1`);
});

test("who writes the prompt of an agent decides what it does, unless it only reads", () => {
  const engine = createTestEngine();
  const sourcesOf = (inputs: object): readonly string[] => {
    const block = { id: "it", type: "Agent", inputs: { agent: "claude", prompt: "Say: ${inputs.v}", ...inputs } };
    const { definition } = engine.plan({ inputs: { v: { type: "string", description: "Given" } }, blocks: [block] });
    return [...commandSources(definition, () => undefined).inputs];
  };
  expect(sourcesOf({})).toEqual(["v"]);
  expect(sourcesOf({ prompt: "x" })).toEqual([]);
  expect(sourcesOf({ access: "read" })).toEqual([]);
  expect(sourcesOf({ access: "read", allowed_tools: ["Bash(${inputs.v})"] })).toEqual(["v"]);
  expect(sourcesOf({ access: "read", prompt: "x", working_dir: "${inputs.v}" })).toEqual(["v"]);
});

test("one that Frond could not see the end of is asked about, and may be said to have been done", async () => {
  const machine = createMachine();
  const first = openTestEngine({ machine });
  const fake = writeFakeAgent(`fs.writeFileSync(beside("begun"), ""); setInterval(() => {}, 1000);`);
  const started = await first.start(workflowOf(fake, {}));
  await waitFor("it runs", () => existsSync(join(fake.directory, "begun")));
  first.process.die();
  await first.close();
  const again = createTestEngine({ machine });
  const taken = await again.takeOver(started.runId);
  await taken.settled;
  expect((await taken.answer("it", "done")).ok).toBe(true);
  const { state, response } = await taken.goOn();
  expect(response.status).toBe("success");
  expect(state.root.record.blocks.it?.outputs).toMatchObject({ exit_code: 0, text: "", cost_usd: null });
});

test("a program that is not installed is named, with how to install it", async () => {
  const engine = createTestEngine({ environment: { PATH: "/nonexistent" } });
  const { state } = await engine.run({
    blocks: [{ id: "it", type: "Agent", inputs: { agent: "codex", prompt: "x" } }],
  });
  const { metadata } = state.root.record.blocks.it as Execution;
  expect(metadata).toMatchObject({ status: "failed" });
  expect(metadata.message).toContain(
    "There is no program 'codex' on PATH. Install it with `npm install -g @openai/codex`, or name its file with `program`.",
  );
});

test("it works in its directory inside the workspace, and nowhere else", async () => {
  const fake = writeFakeAgent(`${telling}${succeedAs("claude")}`);
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "part"));
  await run(engine, fake, { inputs: { working_dir: "${inputs.dir}" }, values: { dir: "part" } });
  expect(startedWith(fake).cwd).toBe(join(engine.workspace, "part"));
  const { state } = await run(engine, fake, { inputs: { working_dir: "${inputs.dir}" }, values: { dir: "/tmp" } });
  expect(state.root.record.blocks.it?.metadata.status).toBe("failed");
});

test("what a value could make of it is refused when the file is loaded", () => {
  const engine = createTestEngine();
  const codes = (inputs: object): string[] => {
    const block = { id: "it", type: "Agent", inputs: { agent: "claude", prompt: "x", ...inputs } };
    const declared = { v: { type: "string", description: "Given" } };
    return engine.check({ inputs: declared, blocks: [block] }).diagnostics.map(({ code }) => code);
  };
  expect(codes({})).toEqual([]);
  expect(codes({ program: "${inputs.v}" })).toEqual(["computed-program"]);
  expect(codes({ program: "./agent" })).toEqual(["relative-program"]);
  expect(codes({ env: { NODE_OPTIONS: "${inputs.v}" } })).toEqual(["value-in-code"]);
  expect(codes({ env: "${inputs}" })).toEqual(["value-as-name"]);
  expect(codes({ working_dir: "../x" })).toEqual(["outside-workspace"]);
  expect(codes({ agent: "codex", max_turns: 3 })).toEqual(["agent-lacks-input"]);
  expect(codes({ agent: "codex", allowed_tools: ["x"] })).toEqual(["agent-lacks-input"]);
  expect(codes({ agent: "codex", budget_usd: 1 })).toEqual(["budget-not-kept"]);
  expect(codes({ schema: { type: "objekt" } })).toEqual(["bad-schema"]);
  expect(codes({ agent: "cluade" })).toHaveLength(1);
});

test("an input that an agent has no option for is refused also where the agent is a value", async () => {
  const fake = writeFakeAgent(succeedAs("codex"));
  const inputs = { agent: "${inputs.which}", max_turns: 3 };
  const { metadata } = await recordOf(fake, { inputs, values: { which: "codex" } });
  expect(metadata.message).toContain("codex has no option for max_turns.");
});

test("cancelling ends it with all that it has started, also when it ignores SIGTERM", async () => {
  const fake = writeFakeAgent(`
    process.on("SIGTERM", () => {});
    const child = require("node:child_process").spawn(process.execPath, ["-e", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"]);
    emit({ type: "system", subtype: "init", session_id: "s-1", model: "m" });
    fs.writeFileSync(beside("pids.tmp"), JSON.stringify([process.pid, child.pid]));
    fs.renameSync(beside("pids.tmp"), beside("pids"));
    setInterval(() => {}, 1000);`);
  const engine = createTestEngine({ graceMs: 100 });
  const started = await engine.start(workflowOf(fake, {}));
  const pids = join(fake.directory, "pids");
  await waitFor("it runs", () => existsSync(pids));
  await started.cancel();
  const { response, state } = await started.settled;
  expect(response).toMatchObject({ status: "failure", error: expect.stringContaining("cancelled") });
  for (const pid of JSON.parse(readFileSync(pids, "utf8")) as number[]) expect(isAlive(pid)).toBe(false);
  expect(state.root.record.blocks.it?.outputs).toMatchObject({ session_id: "s-1" });
  expect(state.root.record.blocks.it?.metadata.spend).toMatchObject({ unpriced: true });
});

test("a time limit ends it", async () => {
  const fake = writeFakeAgent(`setInterval(() => {}, 1000);`);
  const { metadata } = await recordOf(fake, { block: { timeout: "300ms" } });
  expect(metadata.status).toBe("failed");
  expect(metadata.message).toContain("ran longer than its limit");
});

test("a line of any length is read, however it comes in pieces", async () => {
  const fake = writeFakeAgent(`
    const text = "🌿".repeat(300_000);
    const line = Buffer.from(JSON.stringify({ type: "result", is_error: false, result: text, total_cost_usd: 1 }) + "\\n");
    for (let at = 0; at < line.length; at += 7001) process.stdout.write(line.subarray(at, at + 7001));`);
  const { outputs } = await recordOf(fake);
  expect(outputs.text === "🌿".repeat(300_000)).toBe(true);
});

test("files that it writes are its own to write, and nothing is looked at unless somebody asks", async () => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "old.txt"), "old");
  const fake = writeFakeAgent(`fs.writeFileSync("made.txt", "made"); ${succeedAs("claude")}`);
  const { events } = await run(engine, fake);
  expect(readFileSync(join(engine.workspace, "made.txt"), "utf8")).toBe("made");
  expect(events.map(({ type }) => type)).not.toContain("changes-observed");
});
