import type { Ports } from "../block/ports.ts";
import { allBlocks } from "../definition/all-blocks.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import {
  type Diagnostic,
  type DiagnosticData,
  hasErrors,
  type Level,
  toData,
  type WordedDiagnostic,
} from "../diagnostic/diagnostic.ts";
import { defined } from "../util/defined.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { type BudgetSummary, summariseBudgets } from "./describe-budgets.ts";
import { describeMachines, type MachinesInfo } from "./describe-machines.ts";
import { summariseUndo, type UndoSummary } from "./describe-undo.ts";
import { secretsOf } from "./needed-secrets.ts";
import { verifyBlocks } from "./verify-blocks.ts";
import type { CheckedWorkflow, Workflows } from "./workflows.ts";

/** What is known against a workflow and, when it can be read, what it is made of; as data. */
export interface Validation extends MachinesInfo {
  readonly valid: boolean;
  readonly workflow?: string;
  readonly block_types_used?: readonly string[];
  readonly capabilities?: readonly string[];
  readonly secrets?: readonly string[];
  readonly undo?: UndoSummary;
  readonly budget?: BudgetSummary;
  readonly execution_waves?: readonly (readonly string[])[];
  readonly errors: readonly DiagnosticData[];
  readonly warnings: readonly DiagnosticData[];
  readonly hints: readonly DiagnosticData[];
}

/** Everything against a workflow, with what only the tools of its block types can see; those are asked until nobody wants to know. */
export async function allDiagnostics(
  checked: CheckedWorkflow,
  ports: Ports,
  signal?: AbortSignal,
): Promise<readonly Diagnostic[]> {
  return [...checked.diagnostics, ...(await verifyBlocks(checked.definition, ports, signal))];
}

export function isValid(diagnostics: readonly Diagnostic[], strict: boolean): boolean {
  return !hasErrors(diagnostics) && !(strict && diagnostics.some(({ level }) => level === "warning"));
}

export function describeValidation(
  parts: Partial<Validation>,
  diagnostics: readonly WordedDiagnostic[],
  strict: boolean,
): Validation {
  return {
    valid: isValid(diagnostics, strict),
    ...parts,
    errors: ofLevel(diagnostics, "error"),
    warnings: ofLevel(diagnostics, "warning"),
    hints: ofLevel(diagnostics, "hint"),
  };
}

/** What a workflow is made of: can be found out while its commands are looked at by others. */
export function describeParts({ definition, plan }: CheckedWorkflow, workflows: Workflows): Partial<Validation> {
  if (definition === undefined) return {};
  const find = (name: string): WorkflowDefinition | undefined => workflows.callable(name);
  const secrets = secretsOf(definition, find);
  return {
    workflow: definition.name,
    block_types_used: [...new Set(typesUsed(definition))].sort(),
    capabilities: capabilitiesOf(definition, find),
    ...(secrets.length === 0 ? {} : { secrets }),
    ...(plan === undefined ? {} : defined({ undo: summariseUndo(definition, find) })),
    ...defined({ budget: summariseBudgets(definition) }),
    ...describeMachines(definition),
    ...(plan === undefined ? {} : { execution_waves: plan.waves }),
  };
}

function* typesUsed(definition: WorkflowDefinition): Generator<string> {
  for (const { type, group } of allBlocks(definition)) if (group === undefined) yield type.type;
}

function ofLevel(diagnostics: readonly WordedDiagnostic[], level: Level): DiagnosticData[] {
  return diagnostics.filter((diagnostic) => diagnostic.level === level).map(toData);
}
