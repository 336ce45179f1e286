import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { undoRun } from "../../src/runs/undo-run.ts";
import { useBubblewrap } from "../rig/bubblewrap.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { succeedAs, writeFakeAgent } from "../rig/fake-agent.ts";
import { readTree } from "../rig/file-tree.ts";
import { filesWithSecret, findSecret } from "../rig/find-secret.ts";
import { useIsolation } from "../rig/isolation.ts";

/** What an agent does to a workspace: it makes, changes and removes a file. */
const changing = `fs.writeFileSync("made.txt", "made"); fs.appendFileSync("kept.txt", " and changed"); fs.rmSync("gone.txt");`;

function open(): TestEngine {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "kept.txt"), "kept");
  writeFileSync(join(engine.workspace, "gone.txt"), "gone");
  return engine;
}

function agentBlock(body: string, more: object = {}, inputs: object = {}): object {
  const { program } = writeFakeAgent(body);
  return { id: "it", type: "Agent", inputs: { agent: "claude", prompt: "do it", program, ...inputs }, ...more };
}

const working = `${changing}${succeedAs("claude")}`;
const failing = `${changing} console.error("gave up"); process.exitCode = 1;`;

test("what it has changed is seen and undone, where it is observed", async () => {
  const engine = open();
  const before = readTree(engine.workspace);
  const { state } = await engine.run({ blocks: [agentBlock(working, { effects: "observe" })] });
  const after = readTree(engine.workspace);
  expect(after).toMatchObject({ "made.txt": expect.anything() });
  const undone = await undoRun(engine.engine, state.started.runId, { onEvents() {}, onOutput() {} });
  if (!undone.ok) throw new Error(JSON.stringify(undone.error));
  await undone.value.run?.settled();
  expect(readTree(engine.workspace)).toEqual(before);
});

test("on_failure: rollback takes back what it did, when it fails and when a later block does", async () => {
  const engine = open();
  const before = readTree(engine.workspace);
  const own = await engine.run({ on_failure: "rollback", blocks: [agentBlock(failing)] });
  expect(own.response.status).toBe("failure");
  expect(readTree(engine.workspace)).toEqual(before);
  const test = { id: "test", type: "Shell", inputs: { command: "grep -q right kept.txt" }, depends_on: ["it"] };
  const later = await engine.run({ on_failure: "rollback", blocks: [agentBlock(working), test] });
  expect(later.response.status).toBe("failure");
  expect(readTree(engine.workspace)).toEqual(before);
});

test("retry.restore gives the second attempt the files that the first one found", async () => {
  const engine = open();
  const body = `
    fs.appendFileSync(beside("saw"), fs.readFileSync("kept.txt", "utf8") + "\\n");
    if (fs.readFileSync(beside("saw"), "utf8").split("\\n").length === 2) { ${failing} } else { ${working} }`;
  const fake = writeFakeAgent(body);
  const inputs = { agent: "claude", prompt: "x", program: fake.program };
  const retry = { attempts: 2, delay: 0, restore: true };
  const { response } = await engine.run({ blocks: [{ id: "it", type: "Agent", inputs, retry }] });
  expect(response.status).toBe("success");
  expect(readFileSync(join(fake.directory, "saw"), "utf8")).toBe("kept\nkept\n");
});

test("a key reaches the agent, and nothing that is left of the run: not the journal, a log, an answer or a stored file", async () => {
  const key = "kanari'+/?=key 7d1f";
  const engine = createTestEngine({ secrets: { KEY: key } });
  let shown = "";
  const body = `
    const key = process.env.THE_KEY;
    fs.writeFileSync(beside("got"), key);
    fs.writeFileSync("leak.txt", key);
    console.error("with " + key + " and " + Buffer.from(key).toString("base64"));
    console.log("plain " + key);
    emit({ type: "system", subtype: "init", session_id: key, model: key });
    emit({ type: "assistant", message: { id: "m", content: [
      { type: "text", text: "It is " + key }, { type: "tool_use", name: "Bash", input: { command: "echo " + key } } ] } });
    emit({ type: "result", is_error: args.includes("--max-turns=1"), errors: [key], result: "It is " + key, session_id: key,
      structured_output: { key }, total_cost_usd: 0.1 });`;
  const { program, directory } = writeFakeAgent(body);
  const inputs = {
    agent: "claude",
    prompt: "x",
    program,
    schema: { type: "object" },
    env: { THE_KEY: "${secrets.KEY}" },
  };
  for (const more of [{}, { max_turns: 1 }]) {
    const { events, response } = await engine.run(
      { blocks: [{ id: "it", type: "Agent", inputs: { ...inputs, ...more }, effects: "observe" }] },
      { onOutput: (_, text) => (shown += text) },
    );
    expect(readFileSync(join(directory, "got"), "utf8")).toBe(key);
    expect(findSecret(JSON.stringify(events), key)).toEqual([]);
    expect(findSecret(JSON.stringify(response), key)).toEqual([]);
  }
  expect(findSecret(shown, key)).toEqual([]);
  expect(shown).toContain("It is ");
  expect(filesWithSecret(engine.engine.platform.stateDirectory, key)).toEqual([]);
});

test("a secret is refused in a prompt, which agents keep in files of their own", () => {
  const engine = createTestEngine({ secrets: { KEY: "x" } });
  const { diagnostics } = engine.check({
    blocks: [{ id: "it", type: "Agent", inputs: { agent: "claude", prompt: "Use ${secrets.KEY}" } }],
  });
  expect(diagnostics.map(({ level }) => level)).toEqual(["error"]);
});

describe("isolated", async () => {
  await useIsolation();

  test("what it did is applied when it succeeds, and nothing of it when it fails", async () => {
    const engine = open();
    const before = readTree(engine.workspace);
    const failed = await engine.run({ blocks: [agentBlock(failing, { effects: "isolated" })] });
    expect(failed.response.status).toBe("failure");
    expect(readTree(engine.workspace)).toEqual(before);
    const worked = await engine.run({ blocks: [agentBlock(working, { effects: "isolated" })] });
    expect(worked.response.status).toBe("success");
    expect(readFileSync(join(engine.workspace, "kept.txt"), "utf8")).toBe("kept and changed");
    expect(existsSync(join(engine.workspace, "gone.txt"))).toBe(false);
  });
});

describe("in a sandbox", async () => {
  await useBubblewrap();

  test("it writes to the workspace, and to nothing else", async () => {
    const engine = open();
    const outside = join(engine.engine.platform.stateDirectory, "..", "outside.txt");
    const fake = writeFakeAgent(`
      ${working}
      try { fs.writeFileSync(${JSON.stringify(outside)}, "x"); } catch {}`);
    // What lies below /tmp is not seen in a sandbox, but for the workspace.
    const program = join(engine.workspace, "agent");
    copyFileSync(fake.program, program);
    const block = { id: "it", type: "Agent", inputs: { agent: "claude", prompt: "x", program }, sandbox: true };
    const { response } = await engine.run({ blocks: [block] });
    expect(response).toMatchObject({ status: "success" });
    expect(readFileSync(join(engine.workspace, "made.txt"), "utf8")).toBe("made");
    expect(existsSync(outside)).toBe(false);
  });

  test("one that has a sandbox of its own says that it needs full access there", async () => {
    const engine = open();
    const program = join(engine.workspace, "agent");
    copyFileSync(writeFakeAgent(succeedAs("codex")).program, program);
    const block = (access: string): object => ({
      ...{ id: "it", type: "Agent", inputs: { agent: "codex", prompt: "x", program, access }, sandbox: true },
    });
    const refused = await engine.run({ blocks: [block("edit")] });
    expect(refused.response.error).toContain("codex can't make its own sandbox inside the one of the block.");
    expect((await engine.run({ blocks: [block("full")] })).response.status).toBe("success");
  });
});
