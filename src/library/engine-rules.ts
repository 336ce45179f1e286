import { isDeepStrictEqual } from "node:util";
import type { Catalog } from "../block/catalog.ts";
import { allBlocks } from "../definition/all-blocks.ts";
import { loadWorkflow } from "../definition/load-workflow.ts";
import type { BlockDefinition, InputDeclaration, WorkflowDefinition } from "../definition/workflow-definition.ts";
import { type Diagnostic, locate } from "../diagnostic/diagnostic.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { Range } from "../diagnostic/source.ts";
import { thaw } from "../engine/plan-source.ts";
import type { RunState } from "../engine/state.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import type { FindWorkflow } from "../plan/block-shape.ts";
import { commandSources } from "./takes-commands.ts";

/** What whoever runs an engine allows its workflows, whatever they say themselves. */
export interface WorkflowRules {
  /** No block may be `unsafe`, in no workflow and through no call. */
  readonly forbidsUnsafe: boolean;
  /** Set when no workflow may take commands from who calls it. */
  readonly takingCommands?: CommandRules;
}

interface CommandRules {
  /** Names of the workflows that may all the same. */
  readonly allowed: ReadonlySet<string>;
  /** Directories that the person who runs the engine has named, so that what they say may run. */
  readonly workspaces: ReadonlySet<string>;
}

/** What a run is started with. */
interface StartedWith {
  readonly inputs: ValueMap;
  readonly workspace: string;
}

export const noRules: WorkflowRules = { forbidsUnsafe: false };

export const unsafeForbidden = "unsafe-forbidden";

const commandsForbidden = "commands-forbidden";

/** Why a workflow can't be started so under the rules. What its author has chosen, as by a default, is nobody's command. */
export function refuseCommands(
  definition: WorkflowDefinition,
  find: FindWorkflow,
  { takingCommands }: WorkflowRules,
  { inputs: given, workspace }: StartedWith,
): Problem | undefined {
  const { name } = definition;
  if (takingCommands === undefined || takingCommands.allowed.has(name)) return undefined;
  const sources = commandSources(definition, find);
  const inputs = [...sources.inputs].filter((input) => isGiven(definition.inputs.get(input), given[input]));
  if (inputs.length > 0 || sources.answers) {
    const what = inputs.length === 0 ? "an answer" : `the input ${inputs.join(" or ")}`;
    const message = `'${name}' takes commands: ${what} decides which program runs. That is forbidden here.`;
    const isNeeded = sources.answers || inputs.some((input) => definition.inputs.get(input)?.required);
    const fix = isNeeded ? "Use a workflow whose programs are fixed." : `Leave out ${inputs.join(" and ")}.`;
    return { ...problem(commandsForbidden, message, fix), advice: { kind: "allow-commands", workflow: name } };
  }
  if (!sources.workspace || takingCommands.workspaces.has(workspace)) return undefined;
  const message = `'${name}' runs programs of its workspace, as make and ./script do, and this server was not started for ${workspace}. That is forbidden here.`;
  return {
    ...problem(commandsForbidden, message, "Leave out the workspace."),
    advice: { kind: "allow-commands", workflow: name, workspace },
  };
}

/** Whether an input is something else than the workflow's author has written. */
function isGiven(declaration: InputDeclaration | undefined, value: Value | undefined): boolean {
  if (declaration === undefined || value === undefined) return false;
  if (value === null) return declaration.required;
  return !(declaration.default?.kind === "literal" && isDeepStrictEqual(declaration.default.value, value));
}

/** Every place of a workflow that the rules forbid. */
export function findForbidden(definition: WorkflowDefinition, { forbidsUnsafe }: WorkflowRules): readonly Diagnostic[] {
  return forbidsUnsafe ? [...allBlocks(definition)].flatMap(unsafePlaces) : [];
}

/** Why a run can't go on under the rules. */
export function refuseForbidden({ started }: RunState, catalog: Catalog, rules: WorkflowRules): Problem | undefined {
  if (!rules.forbidsUnsafe && rules.takingCommands === undefined) return undefined;
  const { runId, definitions } = started;
  const loaded = new Map<string, WorkflowDefinition>();
  for (const [key, frozen] of Object.entries(definitions)) {
    const { definition } = loadWorkflow(thaw(frozen), catalog);
    if (definition === undefined) continue;
    loaded.set(key, definition);
    const [found] = findForbidden(definition, rules);
    if (found === undefined) continue;
    const { line } = locate(found.range);
    const message = `${runId} can't go on here: ${frozen.file}, line ${line}: ${found.message}`;
    return { ...problem(unsafeForbidden, message, elsewhere), advice: { kind: "allow-unsafe" } };
  }
  const root = loaded.get(started.key ?? started.workflow);
  return root === undefined ? undefined : refuseCommands(root, (name) => loaded.get(name), rules, started);
}

const elsewhere = "Go on with it where unsafe blocks are allowed, or cancel it.";

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
  return found.map((one) => ({ ...one, block: id }));
}

function forbidden(what: string, range: Range): Diagnostic {
  return {
    code: unsafeForbidden,
    level: "error",
    message: `${what}, which is forbidden here.`,
    why: "The person who runs this server allows nothing that is unsafe.",
    fix: "Do without: paths inside the workspace, values as they are.",
    advice: { kind: "allow-unsafe" },
    range,
  };
}
