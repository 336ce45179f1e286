import type { LibrarySource } from "../definition/library.ts";
import type { ValueTemplate } from "../definition/value-template.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import { hasErrors } from "../diagnostic/diagnostic.ts";
import type { Value } from "../expression/value.ts";
import type { FindWorkflow } from "../plan/block-shape.ts";
import { describeEdge, type Plan } from "../plan/plan.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { secretsOf } from "./needed-secrets.ts";
import type { Workflows } from "./workflows.ts";

export interface WorkflowSummary {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly source: LibrarySource;
  readonly file: string;
  readonly trusted: boolean;
  readonly overrides?: readonly string[];
}

/** Every workflow that is sound, sorted by name. */
export function listWorkflows(workflows: Workflows): WorkflowSummary[] {
  return workflows.library.entries().flatMap((entry) => {
    const { definition, diagnostics } = entry.load();
    if (definition === undefined || hasErrors(diagnostics)) return [];
    const { description, tags } = definition;
    const overrides = entry.overrides.length === 0 ? {} : { overrides: entry.overrides };
    return [
      {
        name: entry.name,
        description,
        tags,
        source: entry.source,
        file: entry.file,
        trusted: entry.trusted,
        ...overrides,
      },
    ];
  });
}

export interface WorkflowInfo {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly author?: string;
  readonly tags: readonly string[];
  readonly file: string;
  readonly inputs: Readonly<Record<string, InputInfo>>;
  readonly outputs: Readonly<Record<string, { readonly type?: string; readonly description?: string }>>;
  readonly blocks: readonly BlockInfo[];
  /** What it can touch of the outside, through everything it calls. */
  readonly capabilities: readonly string[];
  /** Names of the secrets it uses, through everything it calls. */
  readonly secrets?: readonly string[];
  readonly execution_waves: number;
}

export interface InputInfo {
  readonly type: string;
  readonly description?: string;
  readonly required: boolean;
  readonly default?: Value;
  readonly enum?: readonly Value[];
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
  readonly undo: string;
}

export function describeWorkflow(plan: Plan, find: FindWorkflow): WorkflowInfo {
  const { definition } = plan;
  const { name, description, version, author, tags } = definition;
  const secrets = secretsOf(definition, find);
  return {
    name,
    description,
    version,
    ...(author === undefined ? {} : { author }),
    tags,
    file: definition.source.name,
    inputs: describeInputs(definition),
    outputs: describeOutputs(definition),
    blocks: plan.blocks.map((block): BlockInfo => {
      const { id, type, description: about, condition, forEach } = block.definition;
      return {
        id,
        type: type.type,
        ...(about === undefined ? {} : { description: about }),
        wave: block.wave,
        depends_on: block.edges.map((edge) => ({
          block: plan.blocks[edge.on]?.definition.id ?? "",
          required: edge.required && !edge.conditionDecides,
          reason: describeEdge(edge.reason),
        })),
        ...(condition === undefined ? {} : { condition: condition.text.text.trim() }),
        ...(forEach === undefined ? {} : { for_each: true }),
        undo: type.undo,
      };
    }),
    capabilities: capabilitiesOf(definition, find),
    ...(secrets.length === 0 ? {} : { secrets }),
    execution_waves: plan.waves.length,
  };
}

function describeInputs(definition: WorkflowDefinition): Record<string, InputInfo> {
  const inputs: Record<string, InputInfo> = {};
  for (const input of definition.inputs.values()) {
    inputs[input.name] = {
      type: input.type,
      ...(input.description === undefined ? {} : { description: input.description }),
      required: input.required,
      ...defaultOf(input.default),
      ...(input.enum === undefined ? {} : { enum: input.enum }),
      ...(input.secret ? { secret: true } : {}),
    };
  }
  return inputs;
}

/** A default that is only known at run time is shown as it is written. */
function defaultOf(template: ValueTemplate | undefined): { default?: Value } {
  if (template === undefined) return {};
  if (template.kind === "literal") return { default: template.value };
  return { default: template.range.source.text.slice(template.range.start, template.range.end) };
}

function describeOutputs(definition: WorkflowDefinition): WorkflowInfo["outputs"] {
  const outputs: Record<string, { type?: string; description?: string }> = {};
  for (const { name, type, description } of definition.outputs.values()) {
    outputs[name] = { ...(type === undefined ? {} : { type }), ...(description === undefined ? {} : { description }) };
  }
  return outputs;
}
