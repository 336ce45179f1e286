import { describeLimits, plainLimits, type ValueLimits } from "../definition/value-limits.ts";
import type { ValueTemplate } from "../definition/value-template.ts";
import type { OnFailure, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Value } from "../expression/value.ts";
import type { FindWorkflow } from "../plan/block-shape.ts";
import { describeEdge, type Plan } from "../plan/plan.ts";
import { type Around, aroundBlocks, aroundInner, type Coverage, undoCoverage } from "../plan/undo-coverage.ts";
import { defined } from "../util/defined.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { type BudgetSummary, summariseBudgets } from "./describe-budgets.ts";
import { describeMachines, describeSchedule, type MachinesInfo } from "./describe-machines.ts";
import { summariseUndo, type UndoSummary } from "./describe-undo.ts";
import type { LibraryEntry, LibrarySource, Standing } from "./library.ts";
import { secretsOf } from "./needed-secrets.ts";
import type { Workflows } from "./workflows.ts";

export interface WorkflowSummary {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly source: LibrarySource;
  readonly file: string;
  readonly trusted: boolean;
  /** Why it is not trusted. */
  readonly standing?: Exclude<Standing, "trusted">;
  /** Files of the same name that it wins over. */
  readonly overrides?: readonly string[];
  /** Those that it would win over if it were trusted. */
  readonly would_override?: readonly string[];
  /** Whether a built-in one is among either. */
  readonly replaces_built_in?: true;
  readonly schedule?: MachinesInfo["schedule"];
}

/** Every workflow that is sound, sorted by name; with the time now, when it is started next is told too. */
export function listWorkflows(workflows: Workflows, now?: Date): WorkflowSummary[] {
  return workflows.library.entries().flatMap((entry) => {
    const head = entry.head();
    if (head === undefined) return [];
    const { description, tags, schedule } = head;
    const { standing } = entry;
    return [
      {
        name: entry.name,
        description,
        tags,
        source: entry.source,
        file: entry.file,
        trusted: entry.trusted,
        ...(standing === "trusted" ? {} : { standing }),
        ...describeOverrides(entry),
        ...defined({ schedule: describeSchedule(schedule, now) }),
      },
    ];
  });
}

type Overrides = Pick<WorkflowSummary, "overrides" | "would_override" | "replaces_built_in">;

export function describeOverrides({ overrides, trusted }: LibraryEntry): Overrides {
  if (overrides.length === 0) return {};
  const files = overrides.map(({ file }) => file);
  return {
    ...(trusted ? { overrides: files } : { would_override: files }),
    ...(overrides.some(({ source }) => source === "built-in") ? { replaces_built_in: true } : {}),
  };
}

export interface WorkflowInfo extends Overrides, MachinesInfo {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly author?: string;
  readonly tags: readonly string[];
  readonly file: string;
  readonly inputs: Readonly<Record<string, InputInfo>>;
  /** Variables for its commands, as they are written. */
  readonly env?: Readonly<Record<string, Value>>;
  readonly outputs: Readonly<Record<string, { readonly type?: string; readonly description?: string }>>;
  readonly blocks: readonly BlockInfo[];
  /** What it can touch of the outside, through everything it calls. */
  readonly capabilities: readonly string[];
  /** Names of the secrets it uses, through everything it calls. */
  readonly secrets?: readonly string[];
  /** How much of what it does can be undone; absent where nothing has to be. */
  readonly undo?: UndoSummary;
  /** What it may cost by its own text. */
  readonly budget?: BudgetSummary;
  readonly execution_waves: number;
}

export interface InputInfo extends ValueLimits {
  readonly description?: string;
  readonly required: boolean;
  readonly default?: Value;
  readonly secret?: true;
}

export interface BlockInfo {
  readonly id: string;
  readonly type: string;
  readonly description?: string;
  readonly wave: number;
  readonly depends_on: readonly { readonly block: string; readonly required: boolean; readonly reason: string }[];
  readonly condition?: string;
  readonly for_each?: true;
  readonly repeat?: true;
  readonly finally?: true;
  /** How much of what it does can be undone; of one that holds others, the worst of those. Absent where nothing has to be. */
  readonly undo?: Exclude<Coverage, "not_needed">;
  /** What its failure leads to, where that is not that the others go on. */
  readonly on_failure?: OnFailure;
  readonly commit_point?: true;
  /** Those that it holds. */
  readonly blocks?: readonly BlockInfo[];
}

/** `entry` is what the library has of it, if anything; with the time now, when it is started next is told too. */
export function describeWorkflow(plan: Plan, find: FindWorkflow, entry?: LibraryEntry, now?: Date): WorkflowInfo {
  const { definition } = plan;
  const { name, description, version, author, tags } = definition;
  const secrets = secretsOf(definition, find);
  return {
    name,
    description,
    version,
    ...defined({ author }),
    tags,
    file: definition.source.name,
    ...(entry === undefined ? {} : describeOverrides(entry)),
    inputs: describeInputs(definition),
    ...describeEnv(definition),
    outputs: describeOutputs(definition),
    blocks: describeBlocks(plan, aroundBlocks(definition, find)),
    capabilities: capabilitiesOf(definition, find),
    ...(secrets.length === 0 ? {} : { secrets }),
    ...defined({ undo: summariseUndo(definition, find), budget: summariseBudgets(definition) }),
    ...describeMachines(definition, now),
    execution_waves: plan.waves.length,
  };
}

function describeBlocks({ blocks, mainBlocks }: Plan, around: Around): BlockInfo[] {
  return blocks.map(({ definition, index, wave, edges, group, onFailure }) => {
    const { coverage } = undoCoverage(definition, around);
    const { id, type, description, condition, forEach, repeat } = definition;
    return {
      id,
      type: type.type,
      ...defined({ description }),
      wave,
      depends_on: edges.map((edge) => ({
        block: blocks[edge.on]?.definition.id ?? "",
        required: edge.required && !edge.conditionDecides,
        reason: describeEdge(edge.reason),
      })),
      ...defined({ condition: condition?.text.text.trim() }),
      ...(forEach === undefined ? {} : { for_each: true }),
      ...(repeat === undefined ? {} : { repeat: true }),
      ...(index < mainBlocks ? {} : { finally: true }),
      ...(coverage === "not_needed" ? {} : { undo: coverage }),
      ...(onFailure === "continue" ? {} : { on_failure: onFailure }),
      ...(definition.commitPoint === true ? { commit_point: true } : {}),
      ...(group === undefined ? {} : { blocks: describeBlocks(group, aroundInner(definition, around)) }),
    };
  });
}

/** What can be given to a workflow. */
export function describeInputs(definition: WorkflowDefinition): Record<string, InputInfo> {
  const inputs: Record<string, InputInfo> = {};
  for (const input of definition.inputs.values()) {
    inputs[input.name] = {
      type: input.type,
      ...defined({ description: input.description }),
      required: input.required,
      ...defaultOf(input.default),
      ...plainLimits(input),
      ...(input.secret ? { secret: true } : {}),
    };
  }
  return inputs;
}

/** What an input has to be beside its type, in words. */
export function inputLimits(input: InputInfo): readonly string[] {
  return describeLimits(input);
}

function defaultOf(template: ValueTemplate | undefined): { default?: Value } {
  return template === undefined ? {} : { default: shownValue(template) };
}

function describeEnv({ env }: WorkflowDefinition): Pick<WorkflowInfo, "env"> {
  if (env === undefined || env.entries.length === 0) return {};
  return { env: Object.fromEntries(env.entries.map(({ key, value }) => [key, shownValue(value)])) };
}

/** What is only known at run time is shown as it is written. */
function shownValue(template: ValueTemplate): Value {
  if (template.kind === "literal") return template.value;
  if (template.kind === "text") return template.text.text;
  return template.range.source.text.slice(template.range.start, template.range.end);
}

function describeOutputs(definition: WorkflowDefinition): WorkflowInfo["outputs"] {
  const outputs: Record<string, { type?: string; description?: string }> = {};
  for (const { name, type, description } of definition.outputs.values()) {
    outputs[name] = defined({ type, description });
  }
  return outputs;
}
