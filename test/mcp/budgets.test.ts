import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { connect, oldEra } from "../rig/mcp.ts";

const poor = `
name: poor
description: Costs more than it may
budget: { max_cost_usd: 1 }
blocks:
  - id: ask
    type: Shell
    for_each: [a, b, c]
    max_parallel: 1
    inputs: { command: "true" }
    cost: { usd: 0.5 }
`;

for (const era of oldEra) {
  test(`${era}: a model can't raise a budget; the reply says what was spent and who answers`, async () => {
    const { call } = await connect(createFrond(), { era });
    const { data: paused } = await call("execute_inline_workflow", { workflow_yaml: poor });
    expect(paused).toMatchObject({ status: "paused", audience: "human", spend: { usd: 1, tokens: 0 } });
    expect(paused.prompt).toContain("the budget of the run allows $1.00, $1.00 are used, and 'ask/2' may need $0.50");
    const answer = { checkpoint_id: paused.checkpoint_id, response: "5" };
    expect(await call("resume_workflow", answer)).toMatchObject({
      isError: true,
      data: { status: "paused", errors: [{ code: "needs-a-person" }] },
    });
    const { data: still } = await call("get_run", { run_id: paused.run_id });
    expect(still).toMatchObject({ status: "paused", spend: { usd: 1 } });
  });

  test(`${era}: a client that can ask a person does, and their answer raises the budget`, async () => {
    let asked = "";
    const { call } = await connect(createFrond(), {
      era,
      answer: ({ message }) => {
        asked = message;
        return { action: "accept", content: { answer: "+0.50" } };
      },
    });
    const { data } = await call("execute_inline_workflow", { workflow_yaml: poor });
    expect(asked).toContain("'ask/2' may need $0.50");
    expect(data).toMatchObject({ status: "success", spend: { usd: 1.5, tokens: 0 } });
  });
}
