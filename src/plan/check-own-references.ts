import { scopeMetadataFields } from "../definition/metadata-fields.ts";
import type { BlockDefinition } from "../definition/workflow-definition.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { StaticType } from "../expression/infer-type.ts";
import type { Reference } from "../expression/references.ts";
import { type FindWorkflow, singleShape } from "./block-shape.ts";
import { type Walked, walkShape } from "./walk-shape.ts";

/** References to what only the block that holds them knows: `each`, `this`, and the number of its attempt. */
export interface ReferenceProblem {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

/** Where an expression stands. */
export interface Place {
  /** The key that holds it, such as `condition` or `inputs.command`. */
  readonly where: string;
  /** The block that has the key; absent for a workflow. */
  readonly block: BlockDefinition | undefined;
  /** The blocks that hold that one, innermost first. */
  readonly holders: readonly BlockDefinition[];
}

const placesOfThis: readonly string[] = ["expect.condition", "repeat.until"];

export function canReadThis({ where }: Place): boolean {
  return placesOfThis.includes(where);
}

export function thisProblem({ steps }: Reference, place: Place, find: FindWorkflow): ReferenceProblem | undefined {
  if (place.block === undefined || !canReadThis(place)) {
    return {
      code: "this-elsewhere",
      message: "`this` is only known in `condition` of expect and in `until` of repeat.",
      fix: "Write blocks.ID for another block, or each.previous for the pass before.",
    };
  }
  return problemIn(walkSelf(place.block, steps, "this", find));
}

/** The loop that a path beginning with `each` means, and what is left of the path. */
interface MeantLoop {
  readonly loop: BlockDefinition | undefined;
  /** How it is written: `each`, `each.outer`. */
  readonly name: string;
  /** How many keys that takes. */
  readonly depth: number;
}

function meantLoop(keys: readonly (string | number)[], place: Place): MeantLoop {
  const loops = loopsAround(place);
  const first = keys.findIndex((key) => key !== "outer");
  const depth = first === -1 ? keys.length : first;
  return { loop: loops[depth], name: `each${".outer".repeat(depth)}`, depth };
}

/** Innermost first. What makes a loop is read outside of its passes, where `each` is still that of the loop around. */
function loopsAround({ where, block, holders }: Place): BlockDefinition[] {
  const isOutside = block?.repeat === undefined ? where === "for_each" : outsidePass(where) !== undefined;
  const own = block === undefined || isOutside ? [] : [block];
  return [...own, ...holders].filter(({ forEach, repeat }) => forEach !== undefined || repeat !== undefined);
}

export function eachProblem(reference: Reference, place: Place, find: FindWorkflow): ReferenceProblem | undefined {
  const { loop, name, depth } = meantLoop(reference.keys, place);
  if (loop === undefined) return noLoopProblem(place, name, depth);
  const field = reference.keys[depth];
  if (field === "previous" && loop.repeat === undefined && loop.forEach?.mode !== "sequential") {
    return {
      code: "unknown-each",
      message: `${name}.previous is only known where elements run one after the other.`,
      fix: "Add `for_each_mode: sequential`.",
    };
  }
  if (loop.repeat !== undefined && (field === "value" || field === "count")) {
    return {
      code: "unknown-each",
      message: `There is no ${name}.${field} in a block with repeat.`,
      fix: `It has ${name}.index, ${name}.key and ${name}.previous.`,
    };
  }
  if (field === "previous") {
    return problemIn(walkSelf(loop, reference.steps.slice(depth + 1), `${name}.previous`, find));
  }
  const fields = [...eachFields(loop), "outer"];
  return fieldProblem(field, name, fields, "unknown-each");
}

function noLoopProblem(place: Place, name: string, depth: number): ReferenceProblem {
  const misplaced = depth === 0 && place.block?.repeat !== undefined ? outsidePass(place.where) : undefined;
  if (misplaced !== undefined) return misplaced;
  if (depth > 0) {
    return {
      code: "each-outside-loop",
      message: `There is no ${name} here.`,
      fix: "It is the `each` of the loop around a loop: of a block with `blocks` that has for_each or repeat.",
    };
  }
  return {
    code: "each-outside-loop",
    message: "`each` is only known inside a block that has for_each or repeat.",
    fix: "Add `for_each:` to this block, or read the loop's results: ${blocks.ID.outputs.results}.",
  };
}

function eachFields({ repeat, forEach }: BlockDefinition): readonly string[] {
  if (repeat !== undefined) return ["index", "key", "previous"];
  return ["value", "key", "index", "count", ...(forEach?.mode === "sequential" ? ["previous"] : [])];
}

/** What is read of a repeated block outside of its passes. */
function outsidePass(where: string): ReferenceProblem | undefined {
  if (where === "condition") {
    return {
      code: "each-outside-pass",
      message: "The condition of a block with repeat is asked once, before the first pass, and knows no `each`.",
      fix: "To end it after a pass, write `until` under repeat.",
    };
  }
  if (where !== "repeat.max" && where !== "repeat.delay") return undefined;
  return {
    code: "each-outside-pass",
    message: `\`each\` can't be in ${where}: it belongs to a pass.`,
    fix: "Use inputs or other blocks there.",
  };
}

export const runStatuses: readonly string[] = ["success", "failure"];

/** How the workflow has gone, in `finally`. */
const runFields: Readonly<Record<string, StaticType>> = { status: "string", failed_blocks: "list", message: "any" };

export function typeOfRun(field: string | number | undefined): StaticType {
  return runFields[String(field)] ?? "any";
}

export function runProblem(reference: Reference, { block, holders }: Place): ReferenceProblem | undefined {
  if ([block, ...holders].some((at) => at?.isFinally))
    return fieldProblem(reference.keys[0], "run", Object.keys(runFields), "unknown-run-field");
  return {
    code: "run-elsewhere",
    message: "`run` is only known in blocks under `finally`.",
    fix: "Write metadata.run_id for the id of the run, or blocks.ID.succeeded for how a block ended.",
  };
}

export function metadataProblem(reference: Reference, { where, block }: Place): ReferenceProblem | undefined {
  const field = reference.keys[0];
  if (field !== "attempt" || (block !== undefined && /^(?:inputs\.|outputs\.|expect\.|timeout$)/.test(where))) {
    return fieldProblem(field, "metadata", scopeMetadataFields, "unknown-metadata");
  }
  return {
    code: "attempt-elsewhere",
    message: "metadata.attempt is only known while a block is tried: in its inputs and in expect.",
    fix: "Of a block that has ended, read blocks.ID.metadata.attempts.",
  };
}

/** What is known of a path that starts with `this` or `each`. */
export function typeOfOwn({ root, keys }: Reference, place: Place, find: FindWorkflow): StaticType {
  const field = root === "each" ? keys[meantLoop(keys, place).depth] : undefined;
  if (field === "index" || field === "count") return "number";
  const walked = walkOwn(root, keys, place, find);
  return walked?.ok ? walked.type : "any";
}

/** Where a path leads that starts with `this`, or with the pass before, which may be null. */
export function walkOwn(
  root: string,
  keys: readonly (string | number)[],
  place: Place,
  find: FindWorkflow,
): Walked | undefined {
  if (root === "this") return place.block === undefined ? undefined : walkSelf(place.block, keys, "this", find);
  if (root !== "each") return undefined;
  const { loop, name, depth } = meantLoop(keys, place);
  const isInside = loop !== undefined && keys[depth] === "previous" && keys.length > depth + 1;
  return isInside ? walkSelf(loop, keys.slice(depth + 1), `${name}.previous`, find) : undefined;
}

function walkSelf(
  block: BlockDefinition,
  steps: readonly (string | number | null)[],
  name: string,
  find: FindWorkflow,
): Walked {
  return walkShape(singleShape(block, find), steps, name, find);
}

function problemIn(walked: Walked): ReferenceProblem | undefined {
  return walked.ok ? undefined : walked;
}

function fieldProblem(
  field: string | number | undefined,
  name: string,
  fields: readonly string[],
  code: string,
): ReferenceProblem | undefined {
  if (field === undefined || fields.includes(String(field))) return undefined;
  return { code, message: `There is no ${name}.${field}.`, fix: suggestName(String(field), fields, "field") };
}
