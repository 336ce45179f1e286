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

const placesOfThis: readonly string[] = ["expect.condition", "repeat.until"];

export function canReadThis(where: string): boolean {
  return placesOfThis.includes(where);
}

export function thisProblem(
  { steps }: Reference,
  where: string,
  block: BlockDefinition | undefined,
  find: FindWorkflow,
): ReferenceProblem | undefined {
  if (block === undefined || !canReadThis(where)) {
    return {
      code: "this-elsewhere",
      message: "`this` is only known in `condition` of expect and in `until` of repeat.",
      fix: "Write blocks.ID for another block, or each.previous for the pass before.",
    };
  }
  return problemIn(walkSelf(block, steps, "this", find));
}

export function eachProblem(
  reference: Reference,
  where: string,
  block: BlockDefinition | undefined,
  find: FindWorkflow,
): ReferenceProblem | undefined {
  if ((block?.forEach === undefined && block?.repeat === undefined) || where === "for_each") {
    return {
      code: "each-outside-loop",
      message: "`each` is only known inside a block that has for_each or repeat.",
      fix: "Add `for_each:` to this block, or read the loop's results: ${blocks.ID.outputs.results}.",
    };
  }
  const misplaced = block.repeat === undefined ? undefined : outsidePass(where);
  if (misplaced !== undefined) return misplaced;
  const [field] = reference.keys;
  if (field === "previous" && block.repeat === undefined && block.forEach?.mode !== "sequential") {
    return {
      code: "unknown-each",
      message: "each.previous is only known where elements run one after the other.",
      fix: "Add `for_each_mode: sequential`.",
    };
  }
  if (block.repeat !== undefined && (field === "value" || field === "count")) {
    return {
      code: "unknown-each",
      message: `There is no each.${field} in a block with repeat.`,
      fix: "It has each.index, each.key and each.previous.",
    };
  }
  if (field === "previous") return problemIn(walkSelf(block, reference.steps.slice(1), "each.previous", find));
  return fieldProblem(reference, "each", eachFields(block), "unknown-each");
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

export function runProblem(reference: Reference, block: BlockDefinition | undefined): ReferenceProblem | undefined {
  if (block?.isFinally) return fieldProblem(reference, "run", Object.keys(runFields), "unknown-run-field");
  return {
    code: "run-elsewhere",
    message: "`run` is only known in blocks under `finally`.",
    fix: "Write metadata.run_id for the id of the run, or blocks.ID.succeeded for how a block has gone.",
  };
}

export function metadataProblem(
  reference: Reference,
  where: string,
  block: BlockDefinition | undefined,
): ReferenceProblem | undefined {
  const isAttempt = reference.keys[0] === "attempt";
  if (!isAttempt || (block !== undefined && /^(?:inputs\.|outputs\.|expect\.|timeout$)/.test(where))) {
    return fieldProblem(reference, "metadata", scopeMetadataFields, "unknown-metadata");
  }
  return {
    code: "attempt-elsewhere",
    message: "metadata.attempt is only known while a block is tried: in its inputs and in expect.",
    fix: "Of a block that has ended, read blocks.ID.metadata.attempts.",
  };
}

/** What is known of a path that starts with `this` or `each`. */
export function typeOfOwn(
  { root, keys }: Reference,
  block: BlockDefinition | undefined,
  find: FindWorkflow,
): StaticType {
  if (root === "each" && (keys[0] === "index" || keys[0] === "count")) return "number";
  const walked = walkOwn(root, keys, block, find);
  return walked?.ok ? walked.type : "any";
}

/** Where a path leads that starts with `this`, or with the pass before, which may be null. */
export function walkOwn(
  root: string,
  keys: readonly (string | number)[],
  block: BlockDefinition | undefined,
  find: FindWorkflow,
): Walked | undefined {
  if (block === undefined) return undefined;
  if (root === "this") return walkSelf(block, keys, "this", find);
  const isInside = root === "each" && keys[0] === "previous" && keys.length > 1;
  return isInside ? walkSelf(block, keys.slice(1), "each.previous", find) : undefined;
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
  reference: Reference,
  root: string,
  fields: readonly string[],
  code: string,
): ReferenceProblem | undefined {
  const field = reference.keys[0];
  if (field === undefined || fields.includes(String(field))) return undefined;
  return { code, message: `There is no ${root}.${field}.`, fix: suggestName(String(field), fields, "field") };
}
