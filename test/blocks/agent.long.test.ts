import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fetchPackage } from "../../scripts/fetch-package.js";
import { codingAgents } from "../../scripts/needed-packages.js";
import type { Execution } from "../../src/engine/execution.ts";
import { undoRun } from "../../src/runs/undo-run.ts";
import { type AgentStep, serveAgentModel } from "../rig/agent-model.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { readTree } from "../rig/file-tree.ts";
import { filesWithSecret, findSecret } from "../rig/find-secret.ts";
import { createRepository } from "../rig/git-repository.ts";
import type { TestServer } from "../rig/http-server.ts";
import { isAlive } from "../rig/is-alive.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { waitFor } from "../rig/wait-for.ts";

/** The programs are fetched only for the long form: they take 700 MB. The short one has programs that speak as they do. */
const isLong = scaled({ slice: 0, long: 1 }) === 1;

const key = "sk-kanari-7d1f9c2e-key";

/** How one of the real programs is brought to a scripted model. */
interface RealAgent {
  readonly name: keyof typeof codingAgents;
  /** Variables that lead it to the model; its key is the secret KEY. */
  env(model: TestServer, home: string): Readonly<Record<string, string>>;
  /** What writes a file, in the words of its tools. */
  write(path: string, text: string): AgentStep;
  /** Variables with which it does not try again by itself. */
  readonly patience: Readonly<Record<string, string>>;
  /** What two steps cost; null without a price. */
  readonly cost: number | null;
  /** Tokens sent in two steps. */
  readonly sent: number;
}

const claude: RealAgent = {
  name: "claude",
  env: (model, home) => ({
    ...{ HOME: home, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "${secrets.KEY}" },
    ...{ DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  }),
  write: (path, content) => ({ kind: "use", tool: "Write", input: { file_path: path, content } }),
  patience: { CLAUDE_CODE_MAX_RETRIES: "0" },
  // By its own prices of the model that it uses by itself.
  cost: 0.003645,
  sent: 260,
};

const codex: RealAgent = {
  name: "codex",
  env: (model, home) => {
    const provider = { name: "local", base_url: `${model.url}/v1`, env_key: "LOCAL_KEY", wire_api: "responses" };
    const settings = Object.entries(provider).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    const retries = ["request_max_retries = 0", "stream_max_retries = 0"];
    const text = ['model_provider = "local"', "[model_providers.local]", ...settings, ...retries, ""].join("\n");
    writeFileSync(join(home, "config.toml"), text);
    return { HOME: home, CODEX_HOME: home, LOCAL_KEY: "${secrets.KEY}" };
  },
  write: (path, text) => ({
    kind: "use",
    tool: "exec_command",
    input: { cmd: `printf %s ${JSON.stringify(text)} > ${path}` },
  }),
  patience: {},
  cost: null,
  sent: 200,
};

interface Ground {
  readonly engine: TestEngine;
  readonly model: TestServer;
  block(inputs?: object, more?: object): object;
}

async function open(agent: RealAgent, ...script: readonly AgentStep[]): Promise<Ground> {
  const program = fetchPackage(...codingAgents[agent.name]);
  if (program === undefined) throw new Error(`${agent.name} can't be fetched.`);
  // Codex starts nothing from a home below /tmp.
  mkdirSync("node_modules/.cache", { recursive: true });
  const home = mkdtempSync(resolve("node_modules/.cache/agent-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const model = await serveAgentModel(...script);
  const engine = createTestEngine({ secrets: { KEY: key } });
  writeFileSync(join(engine.workspace, "kept.txt"), "kept");
  createRepository(engine.workspace);
  const env = agent.env(model, home);
  const given = { agent: agent.name, prompt: "-p is not an option: make the file", program };
  return {
    engine,
    model,
    block: ({ env: added = {}, ...inputs }: { readonly env?: object } = {}, more = {}) => ({
      ...{ id: "it", type: "Agent", inputs: { ...given, ...inputs, env: { ...env, ...added } } },
      ...more,
    }),
  };
}

async function runIt({ engine, block }: Ground, inputs: object = {}, more: object = {}): Promise<Execution> {
  const { state } = await engine.run({ blocks: [block(inputs, more)] });
  return state.root.record.blocks.it as Execution;
}

describe.skipIf(!isLong).each([claude, codex])("the real $name", { timeout: longTimeout }, (agent) => {
  const say = (text: string): AgentStep => ({ kind: "say", text });

  test("answers, tells what it has used, and is handed its prompt as it is", async () => {
    const ground = await open(agent, agent.write("made.txt", "made"), say("All done"));
    const { outputs, metadata } = await runIt(ground);
    expect(metadata).toMatchObject({ status: "completed", outcome: "success" });
    expect(outputs).toMatchObject({ text: "All done", tokens_in: agent.sent, tokens_out: 100, exit_code: 0 });
    if (agent.cost === null) expect(outputs.cost_usd).toBeNull();
    else expect(outputs.cost_usd).toBeCloseTo(agent.cost, 6);
    expect(outputs.session_id).toMatch(/^[\w-]{36}$/);
    expect(ground.model.requests.some(({ body }) => body.includes("-p is not an option: make the file"))).toBe(true);
    expect(readFileSync(join(ground.engine.workspace, "made.txt"), "utf8")).toBe("made");
  });

  test("has what it wrote observed, and undone", async () => {
    const { engine, block } = await open(agent, agent.write("made.txt", "made"), say("All done"));
    const before = readTree(engine.workspace);
    const { state } = await engine.run({ blocks: [block({}, { effects: "observe" })] });
    expect(readTree(engine.workspace)).not.toEqual(before);
    const undone = await undoRun(engine.engine, state.started.runId, { onEvents() {}, onOutput() {} });
    if (!undone.ok) throw new Error(JSON.stringify(undone.error));
    await undone.value.run?.settled();
    expect(readTree(engine.workspace)).toEqual(before);
  });

  test("has what it wrote rolled back when a test fails after it", async () => {
    const { engine, block } = await open(agent, agent.write("made.txt", "wrong"), say("All done"));
    const before = readTree(engine.workspace);
    const check = { id: "test", type: "Shell", inputs: { command: "grep -q right made.txt" }, depends_on: ["it"] };
    const { response, state } = await engine.run({ on_failure: "rollback", blocks: [block(), check] });
    expect(state.root.record.blocks.it?.metadata.outcome).toBe("success");
    expect(response.status).toBe("failure");
    expect(readTree(engine.workspace)).toEqual(before);
  });

  test("ends with its group when it is cancelled", async () => {
    const { engine, block, model } = await open(agent, { kind: "hang" });
    const started = await engine.start({ blocks: [block()] });
    await waitFor("it asks the model", () => model.requests.some(({ url }) => /messages|responses/.test(url)));
    await started.cancel();
    const { response, events } = await started.settled;
    expect(response).toMatchObject({ status: "failure", error: expect.stringContaining("cancelled") });
    const pids = events.flatMap((event) => (event.type === "process-started" ? [event.process.pid] : []));
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids) expect(isAlive(pid)).toBe(false);
  });

  test("fails so that it can be tried again when its model is overloaded", async () => {
    const refuse: AgentStep = { kind: "refuse", status: 503 };
    const ground = await open(agent, refuse, refuse, refuse);
    const { metadata } = await runIt(ground, { env: agent.patience }, { retry: 1 });
    expect(metadata).toMatchObject({ status: "completed", outcome: "failure" });
    expect(metadata.message).toContain(`${agent.name}: the model is overloaded: `);
  });

  test("goes on with a session, and gives data that fits a schema", async () => {
    const ground = await open(agent, say("first"), say('{"name": "fern"}'));
    const first = await runIt(ground);
    const session = first.outputs.session_id;
    if (agent.name === "codex") {
      const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
      const { outputs } = await runIt(ground, { session, schema });
      expect(outputs).toMatchObject({ session_id: session, json: { name: "fern" } });
    } else {
      const { outputs } = await runIt(ground, { session });
      expect(outputs).toMatchObject({ session_id: session, text: '{"name": "fern"}' });
    }
    expect(ground.model.requests.at(-1)?.body).toContain("first");
  });

  test("gets a key that reaches the model and nothing that is left of the run", async () => {
    const { engine, block, model } = await open(agent, agent.write("leak.txt", key), say(`The key is ${key}`));
    let shown = "";
    const { events, response } = await engine.run(
      { blocks: [block({}, { effects: "observe" })] },
      {
        onOutput: (_, text) => {
          shown += text;
        },
      },
    );
    expect(response.status).toBe("success");
    expect(model.requests.some(({ headers }) => JSON.stringify(headers).includes(key))).toBe(true);
    expect(findSecret(JSON.stringify(events), key)).toEqual([]);
    expect(findSecret(JSON.stringify(response), key)).toEqual([]);
    expect(findSecret(shown, key)).toEqual([]);
    expect(filesWithSecret(engine.engine.platform.stateDirectory, key)).toEqual([]);
  });
});

describe.skipIf(!isLong)("the real claude", { timeout: longTimeout }, () => {
  test("ends at its limits of turns and of money, and keeps its answer to a schema", async () => {
    const list: AgentStep = { kind: "use", tool: "Bash", input: { command: "ls" } };
    const turns = await runIt(await open(claude, list, list, list), { max_turns: 1 });
    expect(turns.metadata.message).toBe("claude: Reached maximum number of turns (1)");
    const money = await runIt(await open(claude, list, list, list), { budget_usd: 0.0001 });
    expect(money.metadata.message).toBe("claude: Reached maximum budget ($0.0001)");
    expect(money.outputs).toMatchObject({ tokens_in: 130, tokens_out: 50 });
    const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const answer: AgentStep = { kind: "use", tool: "StructuredOutput", input: { name: "fern" } };
    const { outputs } = await runIt(await open(claude, answer), { schema });
    expect(outputs.json).toEqual({ name: "fern" });
  });

  test("is asked to wait as long as the provider asked for", async () => {
    const refuse: AgentStep = { kind: "refuse", status: 429, retryAfter: "1" };
    const { engine, block } = await open(claude, refuse, refuse, refuse, refuse);
    const more = { retry: { attempts: 2, delay: "1h" } };
    const started = await engine.start({ blocks: [block({ env: { CLAUDE_CODE_MAX_RETRIES: "1" } }, more)] });
    const ended = (): number | undefined => {
      const event = started.events.find(({ type }) => type === "attempt-ended");
      return event?.type === "attempt-ended" ? Date.parse(event.retryAt) - Date.parse(event.at) : undefined;
    };
    await waitFor("its first attempt ends", () => ended() !== undefined);
    expect(ended()).toBeLessThan(60_000);
    await started.cancel();
    await started.settled;
  });

  test("does only what its access allows", async () => {
    const ground = await open(claude, claude.write("made.txt", "made"), { kind: "say", text: "no" });
    const before = readTree(ground.engine.workspace);
    const { metadata } = await runIt(ground, { access: "read" });
    expect(metadata.outcome).toBe("success");
    expect(readTree(ground.engine.workspace)).toEqual(before);
  });
});
