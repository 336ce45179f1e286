import { expect, test } from "vitest";
import { catalog, shell, workflow } from "../../test/definition/check.ts";
import { loadWorkflow } from "../definition/load-workflow.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { aroundBlocks, undoCoverage } from "./undo-coverage.ts";

function definitionOf(text: string): WorkflowDefinition {
  return loadWorkflow({ name: "flow.yaml", text }, catalog).definition as WorkflowDefinition;
}

/** Of each block, with the one inside it that decides. */
function covered(text: string, library: Readonly<Record<string, string>> = {}): Record<string, string> {
  const definition = definitionOf(text);
  const known = new Map(Object.entries(library).map(([name, other]) => [name, definitionOf(other)]));
  const around = aroundBlocks(definition, (name) => known.get(name));
  return Object.fromEntries(
    definition.blocks.map((block) => {
      const { coverage, inside } = undoCoverage(block, around);
      return [block.id, inside === undefined ? coverage : `${coverage}: ${inside}`];
    }),
  );
}

const undo = "undo: { type: Shell, inputs: { command: x } }";
const call = (id: string, inputs: string): string =>
  `- { id: ${id}, type: HttpCall, inputs: { url: "https://example.org"${inputs} } }\n`;

test("each block type says what can be taken back, as far as its inputs tell", () => {
  const blocks = [
    "- { id: reads, type: ReadFile, inputs: { path: a } }\n",
    "- { id: writes, type: CreateFile, inputs: { path: a, content: b } }\n",
    call("gets", ""),
    call("heads", ", method: HEAD"),
    call("posts", ", method: POST"),
    call("does", ', method: "${inputs.how}"'),
    "- { id: asks, type: Prompt, inputs: { prompt: Now? } }\n",
  ];
  const inputs = "inputs: { how: { type: string, description: d } }\n";
  expect(covered(workflow(blocks.join(""), inputs))).toEqual({
    reads: "not_needed",
    writes: "automatic",
    gets: "not_needed",
    heads: "not_needed",
    posts: "irreversible",
    does: "irreversible",
    asks: "not_needed",
  });
});

test("a command is covered where somebody asks for it", () => {
  const blocks = shell("a") + shell("b", "effects: observe") + shell("c", "effects: isolated") + shell("d", undo);
  expect(covered(workflow(blocks))).toEqual({ a: "irreversible", b: "observed", c: "isolated", d: "declared" });
  expect(covered(workflow(shell("a") + shell("b", "effects: none"), "on_failure: rollback\n"))).toEqual({
    a: "observed",
    b: "irreversible",
  });
});

test("what holds blocks is as good as the worst of them, and says which", () => {
  const inner = (...blocks: readonly string[]): string =>
    `[${blocks.map((block) => block.slice(2).trim()).join(", ")}]`;
  const blocks = [
    `- { id: g, blocks: ${inner(shell("a", "effects: observe"), call("b", ", method: PUT"))} }`,
    `- { id: l, for_each: [1], blocks: ${inner(shell("c", "effects: isolated"))} }`,
    `- { id: r, on_failure: rollback_block, blocks: ${inner(shell("d"))} }`,
    `- { id: u, ${undo}, blocks: ${inner(call("e", ", method: PUT"))} }`,
    "- { id: n, type: ExecuteWorkflow, inputs: { workflow: other } }",
    "- { id: m, type: ExecuteWorkflow, inputs: { workflow: missing } }",
    "- { id: s, type: ExecuteWorkflow, retry: { attempts: 2, restore: true }, inputs: { workflow: other } }",
  ];
  const other = workflow(
    `- { id: x, blocks: ${inner(shell("y"))} }\n- { id: again, type: ExecuteWorkflow, inputs: { workflow: other } }`,
  );
  expect(covered(workflow(blocks.join("\n")), { other })).toEqual({
    g: "irreversible: b",
    l: "isolated: c",
    r: "observed: d",
    u: "declared",
    n: "irreversible: x/y",
    m: "irreversible",
    s: "observed: x/y",
  });
});
