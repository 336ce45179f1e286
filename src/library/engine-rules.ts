import type { Catalog } from "../block/catalog.ts";
import { loadWorkflow } from "../definition/load-workflow.ts";
import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import { type Diagnostic, toData } from "../diagnostic/diagnostic.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { Range } from "../diagnostic/source.ts";
import type { RunState } from "../engine/state.ts";
import type { FindWorkflow } from "../plan/block-shape.ts";
import { commandSources } from "./takes-commands.ts";

/** What whoever runs an engine allows its workflows, whatever they say themselves. */
export interface WorkflowRules {
  /** No block may be `unsafe`, in no workflow and through no call. */
  readonly forbidsUnsafe: boolean;
  /** Set when no workflow may take commands from who calls it: the names of those that may all the same. */
  readonly takingCommands?: ReadonlySet<string>;
}

export const noRules: WorkflowRules = { forbidsUnsafe: false };

export const unsafeForbidden = "unsafe-forbidden";

const commandsForbidden = "commands-forbidden";

/** Why a workflow can't be started under the rules. */
export function refuseCommands(
  definition: WorkflowDefinition,
  find: FindWorkflow,
  { takingCommands }: WorkflowRules,
): Problem | undefined {
  if (takingCommands === undefined || takingCommands.has(definition.name)) return undefined;
  const { inputs, answers } = commandSources(definition, find);
  if (inputs.size === 0 && !answers) return undefined;
  const [first, ...others] = inputs;
  const what = first === undefined ? "an answer" : `the input ${[first, ...others].join(" or ")}`;
  return problem(
    commandsForbidden,
    `'${definition.name}' takes commands: ${what} decides which program runs. That is forbidden here.`,
    `Use a workflow whose programs are fixed, or ask a person to restart the server with --allow ${definition.name}.`,
  );
}

/** Every place of a workflow that the rules forbid. */
export function findForbidden(definition: WorkflowDefinition, { forbidsUnsafe }: WorkflowRules): readonly Diagnostic[] {
  return forbidsUnsafe ? definition.blocks.flatMap(unsafePlaces) : [];
}

/** Why a run can't go on under the rules. */
export function refuseForbidden({ started }: RunState, catalog: Catalog, rules: WorkflowRules): Problem | undefined {
  if (!rules.forbidsUnsafe && rules.takingCommands === undefined) return undefined;
  const { runId, definitions } = started;
  const loaded = new Map<string, WorkflowDefinition>();
  for (const [name, { file, text }] of Object.entries(definitions)) {
    const { definition } = loadWorkflow({ name: file, text }, catalog);
    if (definition === undefined) continue;
    loaded.set(name, definition);
    const [found] = findForbidden(definition, rules);
    if (found === undefined) continue;
    const { line } = toData(found);
    return problem(unsafeForbidden, `${runId} can't go on here: ${file}, line ${line}: ${found.message}`, elsewhere);
  }
  const root = loaded.get(started.workflow);
  return root === undefined ? undefined : refuseCommands(root, (name) => loaded.get(name), rules);
}

const elsewhere = "Go on with it where unsafe blocks are allowed (a server without --no-unsafe), or cancel it.";

function unsafePlaces({ id, inputs, fileOutputs }: BlockDefinition): Diagnostic[] {
  const found: Diagnostic[] = [];
  const said = inputs.get("unsafe")?.value;
  if (said !== undefined && said.kind !== "literal") {
    found.push(forbidden(`block '${id}' may turn out to be unsafe`, said.range));
  } else if (said?.value === true) found.push(forbidden(`block '${id}' is unsafe`, said.range));
  for (const { value } of inputs.values()) {
    if (value.kind !== "compiled") continue;
    for (const { start, end } of value.compiled.pasted ?? []) {
      found.push(forbidden(`block '${id}' pastes a value as source`, value.text.rangeOf(start, end)));
    }
  }
  for (const { name, unsafe, range } of fileOutputs) {
    if (unsafe) found.push(forbidden(`output '${name}' of block '${id}' is unsafe`, range));
  }
  return found;
}

function forbidden(what: string, range: Range): Diagnostic {
  return {
    code: unsafeForbidden,
    level: "error",
    message: `${what}, which is forbidden here.`,
    why: "Whoever runs this server started it with --no-unsafe.",
    fix: "Do without: paths inside the workspace, values as they are. Or ask them to start it without --no-unsafe.",
    range,
  };
}
