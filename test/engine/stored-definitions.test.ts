import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCatalog } from "../../src/block/catalog.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import { losses } from "../../src/definition/load-stored.ts";
import { loadWorkflow } from "../../src/definition/load-workflow.ts";
import { hasErrors } from "../../src/diagnostic/diagnostic.ts";
import type { RunEvent, RunStarted } from "../../src/engine/events.ts";
import { restoreState } from "../../src/engine/restore-state.ts";
import type { WorkflowInside } from "../../src/engine/run-node.ts";
import type { Scope } from "../../src/expression/ast.ts";
import { planWorkflow } from "../../src/plan/plan-workflow.ts";
import { runStarted } from "../journal/sample-events.ts";
import { unwrap } from "../rig/unwrap.ts";

const catalog = createCatalog(blockTypes);

function textOf(blocks: readonly string[], more = ""): string {
  return `name: deploy\ndescription: A workflow\n${more}blocks:\n${blocks.map((block) => `  - ${block}\n`).join("")}`;
}

function start(text: string, more: Partial<RunStarted> = {}): RunStarted {
  return runStarted("run_1", { definitions: { deploy: { file: "deploy.yaml", text } }, ...more });
}

function isRefused(text: string): boolean {
  const { definition, diagnostics } = loadWorkflow({ name: "deploy.yaml", text }, catalog);
  if (definition === undefined || hasErrors(diagnostics)) return true;
  return planWorkflow(definition, () => undefined).plan === undefined;
}

test.each([
  ["a reference to an input that there is not", "{ id: a, type: Shell, inputs: { command: 'echo ${inputs.gone}' } }"],
  ["an input that does not fit its schema", "{ id: a, type: Shell, inputs: { command: 'true', env: 5 } }"],
  ["an input that is missing", "{ id: a, type: CreateFile, inputs: { path: a.txt } }"],
  ["a name that is not allowed", "{ id: A-b, type: Shell, inputs: { command: 'true' } }"],
  ["a secret where none may be", '{ id: a, type: Prompt, inputs: { prompt: "${secrets.TOKEN}" } }'],
  ["a command that is refused", "{ id: a, type: Shell, inputs: { command: 'eval ${inputs.x}' } }"],
])("a stored run is read although a new run would be refused for %s", async (_, block) => {
  const text = textOf([block], "inputs: { x: { type: string, description: X } }\n");
  expect(isRefused(text)).toBe(true);
  const { root } = unwrap(await restoreState([start(text)], catalog));
  expect(Object.keys(root.record.blocks)).toHaveLength(1);
});

test("a stored command that is refused now keeps its place in the order, and is never run as it is written", async () => {
  const text = textOf([
    "{ id: a, type: Shell, inputs: { command: 'true' } }",
    "{ id: b, type: Shell, inputs: { command: 'eval ${blocks.a.outputs.stdout}' } }",
  ]);
  const { root } = unwrap(await restoreState([start(text)], catalog));
  const { plan } = root.inside as WorkflowInside;
  expect(plan.waves).toEqual([["a"], ["b"]]);
  const command = plan.blocks[1]?.definition.inputs.get("command")?.value;
  for (const value of ["ls", "x; touch y"]) {
    const scope: Scope = { read: () => ({ found: true, value }) };
    expect(command?.kind === "compiled" && command.compiled.resolve(scope), value).toMatchObject({ ok: false });
  }
});

test.each([
  ["a block type", "{ id: a, type: Gone }", "There is no block type 'Gone'."],
  ["a key", "{ id: a, type: Shell, gone: 1, inputs: { command: 'true' } }", "block 'a' has no key 'gone'."],
  ["an input", "{ id: a, type: Shell, inputs: { command: 'true', gone: 1 } }", "Shell has no input 'gone'."],
  ["a function", "{ id: a, type: Prompt, condition: 'gone(1)', inputs: { prompt: P } }", "gone"],
])("without %s that it needs, a stored run can't be read, and says why", async (_, block, reason) => {
  const restored = await restoreState([start(textOf([block]))], catalog);
  expect(restored).toMatchObject({ ok: false, error: { kind: "outdated", reason: expect.stringContaining(reason) } });
});

test("a run in a newer language is left to a newer Frond", async () => {
  const restored = await restoreState([start(textOf(["{ id: a, type: Gone }"]), { languageVersion: 2 })], catalog);
  const reason = "It is written in version 2 of the workflow language, and this Frond knows 1.";
  expect(restored).toEqual({ ok: false, error: { kind: "newer", reason } });
});

test("a child that was called late and can't be read any more makes the run unreadable", async () => {
  const text = textOf(["{ id: a, type: ExecuteWorkflow, inputs: { workflow: '${inputs.which}' } }"]);
  const definition = { file: "late.yaml", text: textOf(["{ id: x, type: Gone }"]) };
  const entered: RunEvent = {
    type: "block-started",
    at: "",
    path: "a",
    attempt: 1,
    inputs: {},
    idempotencyKey: "",
    becauseOf: [],
    inside: { kind: "workflow", workflow: "late", inputs: {}, workspace: "/work", definition },
  };
  const reason = "The workflow 'late' can't be run: There is no block type 'Gone'.";
  expect(await restoreState([start(text), entered], catalog)).toEqual({
    ok: false,
    error: { kind: "outdated", reason },
  });
});

test.each([
  ["nothing", []],
  ["no start", [{ type: "run-paused", at: "" }]],
  ["a block that there is not", [start(textOf(["{ id: a, type: Prompt }"])), { type: "block-skipped", path: "b" }]],
  ["half an event", [start(textOf(["{ id: a, type: Prompt }"])), { type: "block-finished", path: "a" }]],
  ["no event", [start(textOf(["{ id: a, type: Prompt }"])), null]],
  ["half a start", [{ type: "run-started" }]],
])("events that hold %s are damage, never an exception", async (_, events) => {
  const restored = await restoreState(events as unknown as RunEvent[], catalog);
  expect(restored).toMatchObject({
    ok: false,
    error: { kind: "damaged", reason: expect.stringMatching(/^Its .*\.$/) },
  });
});

test("every error that stands for something left out is one that is reported", () => {
  const sources = ["src/definition", "src/expression"].flatMap((folder) =>
    readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8")),
  );
  const reported = (code: string): boolean =>
    sources.some((source) => source.replace(/losses[^;]*;/s, "").includes(`"${code}"`));
  expect([...losses].filter((code) => !reported(code))).toEqual([]);
});
