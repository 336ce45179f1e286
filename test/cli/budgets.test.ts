import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";

const three = workflow("three", [
  shell("ask", "true", { for_each: ["a", "b", "c"], max_parallel: 1, cost: { usd: 0.5 } }),
]);

test("a run that is paused by its budget goes on when a person at a terminal raises it, and not without a person", async () => {
  const frond = createFrond({ "three.yaml": three });
  const paused = await frond.run(["run", "three.yaml", "--budget", "usd=1"]);
  expect(paused.code).toBe(3);
  expect(paused.stdout).toContain("the budget of the run allows $1.00, $1.00 are used, and 'ask/2' may need $0.50");
  const listed = await frond.run(["runs"]);
  expect(listed.stdout).toContain("$1.00");
  const refused = await frond.json(["resume", "last", "--response", "2"]);
  expect(refused).toMatchObject({ code: 2, reply: { errors: [{ code: "needs-a-person" }] } });
  const person = frond.startInTerminal(["resume", "last"]);
  await person.until("? ask/2 asks");
  person.type("1.20\r");
  await person.until("$1.20 is not enough");
  person.type("\u0015+0.50\r");
  const { code, stdout } = await person.ended;
  expect(code).toBe(0);
  expect(stdout).toContain("for $1.50");
  const { reply } = await frond.json(["show", "last"]);
  expect(reply).toMatchObject({ spend: { usd: 1.5, tokens: 0 }, metadata: { budget: { max_cost_usd: 1.5 } } });
});

test("FROND_BUDGET_USD holds for a run that says nothing itself; --max-cost goes before it", async () => {
  const frond = createFrond({ "three.yaml": three });
  const env = { FROND_BUDGET_USD: "0.10" };
  expect((await frond.run(["run", "three.yaml"], { env })).code).toBe(3);
  expect((await frond.run(["run", "three.yaml", "--max-cost", "2"], { env })).code).toBe(0);
  const stopped = await frond.json(["run", "three.yaml", "--budget", "blocks=2,on_exceeded=stop"]);
  expect(stopped).toMatchObject({
    code: 1,
    reply: { status: "failure", error: "the budget of the run allows 2 attempts, and 2 attempts have started" },
  });
});

test("validate and info tell of budgets, and what they count without a cap", async () => {
  const blocks = [shell("a", "true"), shell("b", "true", { cost: { usd: 0.1 } })];
  const frond = createFrond({ "poor.yaml": workflow("poor", blocks, { budget: { max_cost_usd: 0.5 } }) });
  const budget = "$0.50 (pause); counted, not capped: a";
  expect((await frond.run(["validate", "poor.yaml"])).stdout).toContain(`budget: ${budget}`);
  expect((await frond.run(["info", "poor.yaml"])).stdout).toContain(`Budget: ${budget}.`);
});
