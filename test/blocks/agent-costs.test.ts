import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { succeedAs, writeFakeAgent } from "../rig/fake-agent.ts";
import { recordOf, run, startedWith, telling, workflowOf } from "./agent-ground.ts";

test("an agent ends itself at its limit of turns or of money, and says so", async () => {
  const ended = (subtype: string, error: string): string =>
    `emit({ type: "result", subtype: "${subtype}", is_error: true, num_turns: 3, errors: ["${error}"], total_cost_usd: 0.5 }); process.exitCode = 1;`;
  const turns = writeFakeAgent(`${telling}${ended("error_max_turns", "Reached maximum number of turns (3)")}`);
  const limited = await recordOf(turns, { inputs: { max_turns: 3, budget_usd: 0.4 } });
  expect(startedWith(turns).args).toEqual(expect.arrayContaining(["--max-turns=3", "--max-budget-usd=0.4"]));
  expect(limited.metadata.message).toBe("claude: Reached maximum number of turns (3)");
  expect(limited.outputs).toMatchObject({ turns: 3, cost_usd: 0.5, exit_code: 1 });
  expect(limited.metadata.spend).toEqual({ usd: 0.5, tokens: 0 });
});

test("an agent that tells its cost while it works is ended when that is more than its budget", async () => {
  const fake = writeFakeAgent(`
    emit({ type: "step_finish", part: { reason: "tool-calls", tokens: { input: 5 }, cost: 0.3 } });
    setInterval(() => {}, 1000);`);
  const { outputs, metadata } = await recordOf(fake, { agent: "opencode", inputs: { budget_usd: 0.2 } });
  expect(metadata.message).toBe("opencode was ended: it has cost more than budget_usd (0.2)");
  expect(outputs.tokens_in).toBe(5);
  expect(metadata.spend).toEqual({ usd: 0.3, tokens: 5 });
});

test("what it may cost at most is what it is told to cost at most, and else unknown", async () => {
  const { agent } = await import("../../src/blocks/agent.ts");
  const prices = { of: () => undefined };
  expect(agent.estimate?.({ budget_usd: 0.5 }, prices)).toEqual({ usd: 0.5 });
  expect(agent.estimate?.({}, prices)).toEqual({});
});

test("where costs are limited it starts with a budget_usd that fits, and not without one", async () => {
  const fake = writeFakeAgent(`fs.appendFileSync(beside("starts"), "."); ${succeedAs("claude")}`);
  const limited = (inputs: object): object => ({
    ...workflowOf(fake, { inputs }),
    budget: { max_cost_usd: 0.5, on_exceeded: "stop" },
  });
  const engine = createTestEngine();
  const without = await engine.run(limited({}) as { blocks: readonly object[] });
  expect(without.response.error).toContain("Nobody knows what it may cost");
  const tooMuch = await engine.run(limited({ budget_usd: 0.6 }) as { blocks: readonly object[] });
  expect(tooMuch.response.status).toBe("failure");
  expect(existsSync(join(fake.directory, "starts"))).toBe(false);
  const fitting = await engine.run(limited({ budget_usd: 0.5 }) as { blocks: readonly object[] });
  expect(fitting.response.status).toBe("success");
  expect(fitting.state.root.record.metadata.spend).toEqual({ usd: 0.25, tokens: 360 });
});

test("a cost that nobody knows counts as budget_usd, so that a budget around it holds", async () => {
  const killed = writeFakeAgent(
    `emit({ type: "system", subtype: "init", session_id: "s" }); process.kill(process.pid, "SIGKILL");`,
  );
  const ended = await recordOf(killed, { inputs: { budget_usd: 0.4 } });
  expect(ended.outputs.cost_usd).toBeNull();
  expect(ended.metadata.spend).toEqual({ usd: 0.4, tokens: 0 });
  const unpriced = await recordOf(writeFakeAgent(succeedAs("codex")), { agent: "codex", inputs: { budget_usd: 0.4 } });
  expect(unpriced.outputs.cost_usd).toBeNull();
  expect(unpriced.metadata.spend).toEqual({ usd: 0.4, tokens: 360 });
});

test("numbers that can't be meant are counted as far as they can be, and never take anything off a budget", async () => {
  const fake = writeFakeAgent(`emit({ type: "result", is_error: false, result: "x", num_turns: 1.5, total_cost_usd: -3,
    modelUsage: { m: { inputTokens: -5, outputTokens: 2.7, cacheReadInputTokens: 1e300 }, n: null, o: { inputTokens: "9" } } });`);
  const { outputs, metadata } = await recordOf(fake);
  expect(metadata.outcome).toBe("success");
  expect(outputs).toMatchObject({ turns: 1, tokens_in: 1e12, tokens_out: 2, cost_usd: null });
  expect(metadata.spend).toEqual({ usd: 0, tokens: 1e12 + 2, unpriced: true });
});

test("the price of a model is used where the program tells none, and else nobody knows it", async () => {
  const engine = createTestEngine({ prices: { "openai/gpt-x": { input: 10, output: 100, cacheRead: 1 } } });
  const fake = writeFakeAgent(succeedAs("codex"));
  const priced = await run(engine, fake, { agent: "codex", inputs: { model: "gpt-x" } });
  // 200 fresh and 20 written tokens at 10, 40 at 1, 100 at 100 for a million.
  expect(priced.state.root.record.blocks.it?.outputs.cost_usd).toBeCloseTo(0.01224, 10);
  const unknown = await run(engine, fake, { agent: "codex", inputs: { model: "gpt-y" } });
  expect(unknown.state.root.record.blocks.it?.outputs.cost_usd).toBeNull();
  expect(unknown.state.root.record.blocks.it?.metadata.spend).toEqual({ usd: 0, tokens: 360, unpriced: true });
});
