import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { connect, newEra, shareServer } from "../rig/mcp.ts";

const args = ["--no-unsafe"];

function addWorkflow(frond: Frond, name: string, blocks: readonly object[], more: object = {}): void {
  const directory = join(frond.home, ".frond", "workflows");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, `${name}.yaml`), workflow(name, blocks, more));
}

const pasting = { id: "paste", type: "Shell", inputs: { command: "echo ${inputs.x | raw}", unsafe: true } };
const inputs = { x: { type: "string", description: "Some text", default: "a" } };

const unsafeWays: readonly (readonly [string, readonly object[], number])[] = [
  ["unsafe: true", [{ id: "a", type: "ReadFile", inputs: { path: "/etc/hostname", unsafe: true } }], 1],
  ["unsafe by an expression", [{ id: "a", type: "ReadFile", inputs: { path: "x", unsafe: "${inputs.x == 'b'}" } }], 1],
  ["a file output", [shell("a", "true", { outputs: { f: { path: "/etc/hostname", unsafe: true } } })], 1],
  ["| raw", [pasting], 2],
];

for (const era of newEra) {
  const shared = shareServer({ era, args });

  test.each(unsafeWays)(`${era}: %s is refused, with its place and what to do`, async (_, blocks, count) => {
    const { call } = shared();
    const text = workflow("inline", blocks, { inputs });
    const { isError, data } = await call("execute_inline_workflow", { workflow_yaml: text });
    expect(isError).toBe(true);
    expect(data.run_id).toBeUndefined();
    expect(data.errors).toHaveLength(count);
    for (const error of data.errors) {
      expect(error).toMatchObject({
        code: "unsafe-forbidden",
        line: expect.any(Number),
        column: expect.any(Number),
        fix: expect.stringContaining("--no-unsafe"),
      });
    }
    const validated = await call("validate_workflow_yaml", { workflow_yaml: text });
    const said = ({ code, message, line, column }: (typeof data.errors)[number]) => ({ code, message, line, column });
    expect(validated.data).toMatchObject({ valid: false, errors: data.errors.map(said) });
  });

  test(`${era}: what is unsafe in a called workflow is refused before anything runs, and when it is found only then`, async () => {
    const frond = createFrond();
    addWorkflow(frond, "pasting", [pasting], { inputs, expose: "tool" });
    addWorkflow(frond, "between", [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "pasting" } }]);
    const server = await connect(frond, { era, args });
    expect((await server.client.listTools()).tools.map(({ name }) => name)).not.toContain("run_pasting");
    await server.logged("'pasting' is no tool: block 'paste' pastes a value");
    const calls = (name: string) =>
      workflow("top", [{ id: "go", type: "ExecuteWorkflow", inputs: { workflow: name } }]);
    const early = await server.call("execute_inline_workflow", { workflow_yaml: calls("between") });
    expect(early).toMatchObject({ isError: true, data: { errors: [{ code: "unsafe-forbidden" }] } });
    expect(early.data.errors[0].message).toContain("pasting.yaml, line");
    const chosen = calls("${inputs.x}").replace('"blocks"', `"inputs": ${JSON.stringify(inputs)}, "blocks"`);
    const late = await server.call("execute_inline_workflow", { workflow_yaml: chosen, inputs: { x: "pasting" } });
    expect(late).toMatchObject({
      isError: true,
      data: { status: "failure", failed_blocks: [{ block: "go", message: expect.stringContaining("forbidden here") }] },
    });
  });

  test(`${era}: a person whose answer would let an unsafe run go on is asked once, and the run stays as it is`, async () => {
    const frond = createFrond();
    const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?", audience: "human" } };
    frond.write("flow.yaml", workflow("flow", [ask, { ...pasting, depends_on: ["ask"] }], { inputs }));
    const { run_id: runId } = (await frond.json(["run", "flow.yaml"])).reply as { run_id: string };
    let asked = 0;
    const server = await connect(frond, {
      era,
      args,
      answer: () => {
        asked += 1;
        return { action: "accept", content: { answer: "yes" } };
      },
    });
    expect((await server.call("resume_workflow", { checkpoint_id: runId })).data.status).toBe("paused");
    expect(asked).toBe(1);
    await server.logged(`${runId} can't go on here`);
  });

  test(`${era}: a run that began elsewhere goes on only where unsafe blocks are allowed, and can be cancelled anywhere`, async () => {
    const frond = createFrond();
    const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } };
    frond.write("flow.yaml", workflow("flow", [ask, { ...pasting, depends_on: ["ask"] }], { inputs }));
    const start = async (): Promise<{ run_id: string; checkpoint_id: string }> =>
      (await frond.json(["run", "flow.yaml"])).reply as { run_id: string; checkpoint_id: string };
    const first = await start();
    const strict = await connect(frond, { era, args });
    const answer = { checkpoint_id: first.checkpoint_id, response: "yes" };
    const refused = await strict.call("resume_workflow", answer);
    expect(refused).toMatchObject({ isError: true, data: { errors: [{ code: "unsafe-forbidden" }] } });
    expect(refused.data.errors[0].message).toMatch(/flow\.yaml, line \d+/);
    expect((await strict.call("get_run", { run_id: first.run_id })).data.status).toBe("paused");
    const lenient = await connect(frond, { era });
    expect((await lenient.call("resume_workflow", answer)).data).toMatchObject({ status: "success" });
    const second = await start();
    expect((await strict.call("cancel_run", { run_id: second.run_id })).data).toMatchObject({ cancelled: true });
  });
}
