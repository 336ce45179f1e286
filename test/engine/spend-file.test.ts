import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";

const workflow = (command: string, more: object = {}): { blocks: object[] } => ({
  blocks: [{ id: "x", type: "Shell", inputs: { command }, ...more }],
});

test("a command tells what it has cost in the file that FROND_SPEND_FILE names", async () => {
  const engine = createTestEngine();
  const told = workflow(`echo '{"usd": 0.02, "tokens": 900}' >> "$FROND_SPEND_FILE"
echo '{"usd": 0.01}' >> "$FROND_SPEND_FILE"`);
  const { state, response } = await engine.run(told);
  expect(state.root.record.metadata.spend).toEqual({ usd: 0.03, tokens: 900 });
  expect(response.spend).toEqual({ usd: 0.03, tokens: 900 });
});

test("what it tells counts instead of what its author says, also when it fails; without a word the author's counts", async () => {
  const engine = createTestEngine();
  const cost = { cost: { usd: 2 } };
  const failed = await engine.run(workflow(`echo '{"usd": 0.5}' > "$FROND_SPEND_FILE"; exit 1`, cost));
  expect(failed.state.root.record.metadata.spend).toEqual({ usd: 0.5, tokens: 0 });
  const silent = await engine.run(workflow("true", cost));
  expect(silent.state.root.record.metadata.spend).toEqual({ usd: 2, tokens: 0 });
  const free = await engine.run(workflow("true"));
  expect(free.state.root.record.metadata).not.toHaveProperty("spend");
});

test("what a command had told when it was stopped counts", async () => {
  const engine = createTestEngine();
  const stopped = workflow(`echo '{"usd": 0.5}' > "$FROND_SPEND_FILE"; exec sleep 60`, { timeout: "300ms" });
  const { state } = await engine.run(stopped);
  expect(state.root.record.blocks.x?.metadata.message).toContain("ran longer than its limit");
  expect(state.root.record.metadata.spend).toEqual({ usd: 0.5, tokens: 0 });
});

test.each([
  ["ended early", `echo '{"usd": 0.5}' > "$FROND_SPEND_FILE"; exec sleep 60`, { timeout: "300ms" }],
  ["cut in the middle of a line", `printf '{"usd": 0.5}\n{"usd": 0.' > "$FROND_SPEND_FILE"`, {}],
])("what may not be all counts at least as its author says: %s", async (_what, command, more) => {
  const { state } = await createTestEngine().run(workflow(command, { cost: { usd: 2, tokens: 9 }, ...more }));
  expect(state.root.record.metadata.spend).toEqual({ usd: 2, tokens: 9 });
});

test.each([
  ["echo nonsense > $FROND_SPEND_FILE", 'line 1 is not like {"usd": 0.02, "tokens": 900}'],
  ["mkdir $FROND_SPEND_FILE", "it is no regular file"],
  ["ln -s /etc/passwd $FROND_SPEND_FILE", "it is a link"],
  ["head -c 2000000 /dev/zero > $FROND_SPEND_FILE", "it has more than 1000000 bytes"],
])("wrong content is a warning in the log of the block, and nothing breaks: %s", async (command, why) => {
  const engine = createTestEngine();
  const written: string[] = [];
  const { response, state } = await engine.run(workflow(command), { onOutput: (_, text) => void written.push(text) });
  expect(response.status).toBe("success");
  expect(state.root.record.metadata).not.toHaveProperty("spend");
  expect(written.join("")).toContain(`frond: not counted, FROND_SPEND_FILE: ${why}`);
});

test("every attempt and every block has a file of its own", async () => {
  const engine = createTestEngine();
  const command = 'test ! -e "$FROND_SPEND_FILE" && echo \'{"usd": 0.1}\' > "$FROND_SPEND_FILE"; exit 1';
  const { state } = await engine.run(workflow(command, { retry: { attempts: 2, delay: 0 }, for_each: [1, 2] }));
  expect(state.root.record.metadata.spend).toEqual({ usd: 0.4, tokens: 0 });
});

test("a run without max_cost_usd of its own has the default of whoever runs Frond; undoing is never held back", async () => {
  const engine = createTestEngine({ budgetUsd: 0.1 });
  const limited = await engine.run(workflow("true", { cost: { usd: 1 } }));
  expect(limited.response.status).toBe("paused");
  expect(limited.state.root.record.metadata.budget).toMatchObject({ max_cost_usd: 0.1 });
  const own = await engine.run({ ...workflow("true", { cost: { usd: 1 } }), budget: { max_cost_usd: 1 } });
  expect(own.response.status).toBe("success");
  const asked = await engine.run(workflow("true", { cost: { usd: 1 } }), { budget: { maxCostUsd: 2 } });
  expect(asked.response.status).toBe("success");
});

test("of the budget of a workflow and that of its run the tighter limit holds, each with its own consequence", async () => {
  const engine = createTestEngine();
  const workflowOf = (usd: number): { blocks: object[]; budget: object } => ({
    budget: { max_cost_usd: usd, on_exceeded: "stop" },
    ...workflow("true", { cost: { usd: 1 } }),
  });
  const written = await engine.run(workflowOf(0.5), { budget: { maxCostUsd: 5 } });
  expect(written.response.status).toBe("failure");
  const asked = await engine.run(workflowOf(5), { budget: { maxCostUsd: 0.5 } });
  expect(asked.response.status).toBe("paused");
});

test("rollback undoes what lies under the budget that is exceeded, and the parent sees a failure", async () => {
  const engine = createTestEngine();
  const { state, response } = await engine.run({
    blocks: [
      { id: "before", type: "CreateFile", inputs: { path: "before", content: "1" } },
      {
        id: "group",
        depends_on: ["before"],
        budget: { max_blocks: 2, on_exceeded: "rollback" },
        blocks: [
          { id: "a", type: "CreateFile", inputs: { path: "a", content: "1" } },
          { id: "b", type: "Shell", depends_on: ["a"], inputs: { command: "touch b" } },
          { id: "c", type: "Shell", depends_on: ["b"], inputs: { command: "touch c" } },
        ],
      },
      { id: "look", type: "Shell", condition: "${blocks.group.failed}", inputs: { command: "ls" } },
    ],
    outputs: { files: "${blocks.look.stdout}" },
  });
  expect(response.status).toBe("failure");
  expect(response.outputs).toEqual({ files: "before\n" });
  expect(state.root.record.blocks.group?.metadata).toMatchObject({ rollback: { state: "complete" } });
});
