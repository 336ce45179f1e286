import { expect, test } from "vitest";
import { catalog, shell, workflow } from "../../test/definition/check.ts";
import { createLoader } from "../definition/load-workflow.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { missingWorkflow } from "../plan/check-calls.ts";
import type { Planned } from "../plan/plan-workflow.ts";
import { atOnce } from "../util/time-slice.ts";
import { PlanMemory } from "./plan-memory.ts";

const { load } = createLoader(catalog);

function define(name: string, blocks: string): WorkflowDefinition {
  const { definition } = load({ name, text: workflow(blocks).replace("name: flow", `name: ${name}`) });
  if (definition === undefined) throw new Error(`${name} can't be read.`);
  return definition;
}

const caller = define("caller", "- { id: call, type: ExecuteWorkflow, inputs: { workflow: child } }\n");
const child = define("child", shell("a"));

function planWith(memory: PlanMemory, called: WorkflowDefinition | undefined): Planned {
  return atOnce(memory.plan(caller, (key) => (key === "child" ? called : undefined), missingWorkflow));
}

test("a definition is planned once, as long as what it calls is the same", () => {
  const memory = new PlanMemory();
  const first = planWith(memory, child);
  expect(first.plan).toBeDefined();
  expect(planWith(memory, child)).toBe(first);
});

test("with another workflow in the place of one that is called, it is planned anew", () => {
  const memory = new PlanMemory();
  const first = planWith(memory, child);
  const second = planWith(memory, define("child", shell("b")));
  expect(second).not.toBe(first);
  expect(planWith(memory, child)).not.toBe(first);
  expect(planWith(memory, child)).toEqual(first);
});

test("a plan in which something is missing is not kept: why it is may change", () => {
  const memory = new PlanMemory();
  const first = planWith(memory, undefined);
  expect(first.diagnostics.map(({ code }) => code)).toContain("unknown-workflow");
  expect(planWith(memory, undefined)).not.toBe(first);
});
