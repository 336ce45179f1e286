import { expect } from "vitest";
import { type Catalog, createCatalog } from "../../src/block/catalog.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import { explainForTerminal } from "../../src/cli/print-diagnostics.ts";
import { loadWorkflow } from "../../src/definition/load-workflow.ts";
import type { WorkflowDefinition } from "../../src/definition/workflow-definition.ts";
import { type DiagnosticData, toData, type WordedDiagnostic } from "../../src/diagnostic/diagnostic.ts";
import type { Plan } from "../../src/plan/plan.ts";
import { planWorkflow } from "../../src/plan/plan-workflow.ts";

export const catalog: Catalog = createCatalog(blockTypes);

/** A diagnostic as data, with the very text it marks. */
export interface Problem extends DiagnosticData {
  readonly marked: string;
}

export interface Checked {
  readonly definition: WorkflowDefinition | undefined;
  readonly plan: Plan | undefined;
  readonly diagnostics: readonly WordedDiagnostic[];
  /** In the order they were found. */
  readonly problems: readonly Problem[];
}

/** Loads and plans a workflow the way every door does; `library` holds the texts of others by name. */
export function check(text: string, library: Readonly<Record<string, string>> = {}): Checked {
  const loaded = loadWorkflow({ name: "flow.yaml", text }, catalog);
  const find = (name: string): WorkflowDefinition | undefined =>
    Object.hasOwn(library, name) ? loadWorkflow({ name, text: library[name] ?? "" }, catalog).definition : undefined;
  const { definition } = loaded;
  const planned = definition === undefined ? undefined : planWorkflow(definition, find);
  const diagnostics = [...loaded.diagnostics, ...(planned?.diagnostics ?? [])].map(explainForTerminal);
  return { definition, plan: planned?.plan, diagnostics, problems: diagnostics.map(describe) };
}

function describe(diagnostic: WordedDiagnostic): Problem {
  const { range } = diagnostic;
  return { ...toData(diagnostic), marked: range === undefined ? "" : range.source.text.slice(range.start, range.end) };
}

/** The one problem a text has. */
export function onlyProblem(text: string, library?: Readonly<Record<string, string>>): Problem {
  const { problems } = check(text, library);
  expect(problems.map(({ code, message }) => `${code}: ${message}`)).toHaveLength(1);
  return problems[0] as Problem;
}

/** The codes of a text's problems of one level. */
export function codes(text: string, level: Problem["level"] = "error"): string[] {
  return check(text)
    .problems.filter((problem) => problem.level === level)
    .map(({ code }) => code);
}

/** The plan of a text that must have no errors. */
export function planned(text: string, library?: Readonly<Record<string, string>>): Plan {
  const { plan, problems } = check(text, library);
  expect(problems.filter(({ level }) => level === "error")).toEqual([]);
  return plan as Plan;
}

/** A whole workflow around the text of its blocks (items of a list, not indented). */
export function workflow(blocks: string, more = ""): string {
  return `name: flow\ndescription: A test\n${more}blocks:\n${blocks.replaceAll(/^(?=.)/gm, "  ")}\n`;
}

/** A Shell block on one line, with what else it says. */
export function shell(id: string, more = ""): string {
  return `- { id: ${id}, type: Shell, inputs: { command: "true" }${more === "" ? "" : `, ${more}`} }\n`;
}
