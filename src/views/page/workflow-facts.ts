import type { WorkflowDefinition } from "../../definition/workflow-definition.ts";
import { summariseBudgets, wordBudgets } from "../../library/describe-budgets.ts";
import { describeMachines, wordMachines } from "../../library/describe-machines.ts";
import { coveredBlocks } from "../../library/describe-undo.ts";
import { describeInputs, type InputInfo, inputLimits } from "../../library/describe-workflow.ts";
import type { FindWorkflow } from "../../plan/block-shape.ts";
import type { Plan } from "../../plan/plan.ts";
import { aroundBlocks, type Coverage } from "../../plan/undo-coverage.ts";
import type { Platform } from "../../runs/platform.ts";
import { defined } from "../../util/defined.ts";
import { wordTouches, wordUndo } from "./word-facts.ts";
import { budgetField, fieldsOfInputs } from "./workflow-fields.ts";
import type { UndoPart, WorkflowFacts, WorkflowInput } from "./workflow-records.ts";
import { describeTouches } from "./workflow-touches.ts";

/**
 * What a workflow says of itself: what it takes, gives, can touch, and what of that can be taken back; as work that can be interrupted.
 */
export function* describeFacts(
  { definition }: Plan,
  find: FindWorkflow,
  platform: Pick<Platform, "secrets" | "clock">,
): Generator<void, WorkflowFacts> {
  const { name, description, version, author, tags, outputs } = definition;
  const inputs = Object.entries(describeInputs(definition)).map(([input, info]) => describeInput(input, info));
  const budget = summariseBudgets(definition);
  const words = budget === undefined ? undefined : wordBudgets(budget);
  const touches = yield* describeTouches(definition, find, platform.secrets);
  const machines = wordMachines(describeMachines(definition, platform.clock.now()));
  return {
    name,
    description: description.trim(),
    version,
    ...defined({ author }),
    tags,
    inputs,
    fields: fieldsOfInputs(inputs),
    budget_field: budgetField,
    outputs: [...outputs.values()].map((output) => ({
      name: output.name,
      ...defined({ type: output.type, description: output.description }),
    })),
    touches,
    touches_rows: wordTouches(touches, words),
    undo: yield* describeCoverage(definition, find),
    ...defined({ budget: words }),
    ...(machines.length === 0 ? {} : { machines }),
  };
}

function describeInput(name: string, info: InputInfo): WorkflowInput {
  const { type, description, required, default: usual, secret } = info;
  const { enum: choices, ...others } = info;
  const limits = inputLimits(others).join(", ");
  return {
    name,
    type,
    required,
    ...defined({ description, default: usual, choices, secret, limits: limits === "" ? undefined : limits }),
  };
}

const kinds: Readonly<Record<Coverage, UndoPart["kind"]>> = {
  automatic: "undone",
  declared: "undone",
  isolated: "partly",
  observed: "partly",
  not_needed: "nothing",
  irreversible: "not_undone",
};

const order: readonly UndoPart["kind"][] = ["undone", "partly", "nothing", "not_undone"];
const mostNamed = 8;

function* describeCoverage(definition: WorkflowDefinition, find: FindWorkflow): Generator<void, UndoPart[]> {
  const found = new Map<UndoPart["kind"], { addresses: string[]; why: Set<string> }>();
  for (const { address, covered } of coveredBlocks(definition.blocks, aroundBlocks(definition, find), "")) {
    const kind = kinds[covered.coverage];
    const part = found.get(kind) ?? { addresses: [], why: new Set() };
    part.addresses.push(address);
    part.why.add(covered.why);
    found.set(kind, part);
    yield;
  }
  return order.flatMap((kind) => {
    const part = found.get(kind);
    if (part === undefined) return [];
    const { addresses, why } = part;
    const isWorthIt = kind === "partly" || kind === "not_undone";
    const told = { kind, count: addresses.length, blocks: addresses.slice(0, mostNamed) };
    return [{ ...told, says: wordUndo(told), ...(isWorthIt ? { why: [...why].join("; ") } : {}) }];
  });
}
