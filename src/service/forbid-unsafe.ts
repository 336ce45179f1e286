import type { Catalog } from "../block/catalog.ts";
import { loadWorkflow } from "../definition/load-workflow.ts";
import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import { type Diagnostic, toData } from "../diagnostic/diagnostic.ts";
import type { Range } from "../diagnostic/source.ts";
import type { FrozenDefinition } from "../run/events.ts";
import { type Problem, problem } from "./problem.ts";

/** What whoever runs an engine allows its workflows, whatever they say themselves. */
export interface EngineRules {
  /** No block may be `unsafe`, in no workflow and through no call. */
  readonly forbidsUnsafe: boolean;
}

export const unsafeForbidden = "unsafe-forbidden";

/** Every place of a workflow that the rules forbid. */
export function findForbidden(definition: WorkflowDefinition, { forbidsUnsafe }: EngineRules): readonly Diagnostic[] {
  return forbidsUnsafe ? definition.blocks.flatMap(unsafePlaces) : [];
}

/** Why a run of these texts can't go on under the rules. */
export function refuseForbidden(
  runId: string,
  definitions: Iterable<FrozenDefinition>,
  catalog: Catalog,
  rules: EngineRules,
): Problem | undefined {
  for (const { file, text } of definitions) {
    const { definition } = loadWorkflow({ name: file, text }, catalog);
    const [found] = definition === undefined ? [] : findForbidden(definition, rules);
    if (found === undefined) continue;
    const { line } = toData(found);
    return problem(unsafeForbidden, `${runId} can't go on here: ${file}, line ${line}: ${found.message}`, elsewhere);
  }
  return undefined;
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
