import type { InputDeclaration, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { ValueMap } from "../expression/value.ts";
import { capabilitiesOf } from "./capabilities.ts";
import type { LibraryEntry } from "./library.ts";
import { limitsSchema } from "./plain-schema.ts";
import type { Workflows } from "./workflows.ts";

/** A workflow that clients are offered by itself. */
export interface ExposedWorkflow {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its inputs as one object. */
  readonly inputs: ValueMap;
  readonly capabilities: ReturnType<typeof capabilitiesOf>;
}

export interface Exposure {
  readonly name: string;
  /** Why it can't be offered, where there is no `workflow`. */
  readonly problem?: string;
  readonly workflow?: ExposedWorkflow;
}

/** The workflows to be offered: those named, in that order, then those that say so themselves, by name. */
export function findExposed(workflows: Workflows, named: readonly string[]): readonly Exposure[] {
  const own = workflows.library.entries().filter(saysTool);
  const names = new Set([...named, ...own.map(({ name }) => name)]);
  return [...names].map((name) => expose(name, workflows));
}

/** Most files do not speak of it, and need not be parsed to know that. */
function saysTool({ text, load }: LibraryEntry): boolean {
  if (!text.includes("expose")) return false;
  const { definition } = load();
  return definition === undefined ? /^expose:[ \t]+["']?tool\b/m.test(text) : definition.expose === "tool";
}

function expose(name: string, workflows: Workflows): Exposure {
  const { plan, diagnostics } = workflows.findByName(name);
  if (plan === undefined) {
    const { message = "It can't be run.", fix = "" } = diagnostics.find(({ level }) => level === "error") ?? {};
    return { name, problem: `${message} ${fix}`.trim() };
  }
  const { definition } = plan;
  const inputs = [...definition.inputs.values()];
  const secret = inputs.find((input) => input.secret);
  if (secret !== undefined) {
    return { name, problem: `Its input '${secret.name}' is secret, and what a client passes is recorded.` };
  }
  const long = inputs.find((input) => input.name.length > longestInputName);
  if (long !== undefined) {
    return { name, problem: `The name of its input '${long.name}' has more than ${longestInputName} characters.` };
  }
  return {
    name,
    workflow: {
      name,
      description: definition.description.trim(),
      inputs: inputsSchema(definition),
      capabilities: capabilitiesOf(definition, (called) => workflows.callable(called)),
    },
  };
}

/** One name that is longer makes some models refuse every tool of a client. */
const longestInputName = 64;

function inputsSchema({ inputs }: WorkflowDefinition): ValueMap {
  const declared = [...inputs.values()];
  const required = declared.filter((input) => input.required).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(declared.map((input) => [input.name, inputSchema(input)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function inputSchema(input: InputDeclaration): ValueMap {
  const { type, description, required, default: preset, enum: choices } = input;
  return {
    ...limitsSchema(input, description),
    ...(type === "string" && required && choices === undefined ? { minLength: 1 } : {}),
    ...(preset?.kind === "literal" && preset.value !== null ? { default: preset.value } : {}),
  };
}
