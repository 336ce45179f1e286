import {
  executionMetadataFields,
  isStateShortcut,
  outcomes,
  type StateShortcut,
  spendFields,
  stateShortcuts,
  statuses,
  workflowMetadataFields,
} from "../definition/metadata-fields.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { StaticType } from "../expression/infer-type.ts";
import { type BlockShape, type FindWorkflow, findBlock, shapeOf, unknownShape } from "./block-shape.ts";

/** Null is a step that is only known at run time. */
type Key = string | number | null;

/** Where a path below a block leads, as far as that is known before the run. */
export type Walked =
  | {
      readonly ok: true;
      readonly type: StaticType;
      readonly mentionsState: boolean;
      /** The only texts that can be there. */
      readonly texts?: readonly string[];
    }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly fix: string };

const booleanState: ReadonlySet<Key> = new Set(["succeeded", "failed", "skipped"]);
const numericMetadata: ReadonlySet<Key> = new Set([
  "execution_time_ms",
  "wave",
  "execution_order",
  "attempts",
  "total_blocks",
  "execution_waves",
]);

/** Follows the keys after a block's id. `name` is how the block is called in messages. */
export function walkShape(shape: BlockShape, keys: readonly Key[], name: string, find: FindWorkflow): Walked {
  const [first, second, ...rest] = keys;
  if (first === undefined) return known("map", false);
  if (first === null || (second === null && first !== "blocks")) return known("any", first === "metadata");
  if (isStateShortcut(first)) return walkState(first, keys.slice(1), `${name}.${first}`);
  switch (first) {
    case "outputs":
      return second === undefined ? known("map", false) : walkOutput(shape, second, rest, name, `${name}.outputs`);
    case "inputs":
      return second === undefined || shape.inputs === undefined || shape.inputs.includes(String(second))
        ? known("any", false)
        : missing("unknown-input", `${name} has no input '${second}'.`, String(second), shape.inputs, "input");
    case "metadata":
      return walkMetadata(shape, second, rest, name);
    case "blocks":
      return walkChildren(shape, second, rest, name, find);
    default:
      return walkOutput(shape, first, keys.slice(1), name, name);
  }
}

function walkState(field: StateShortcut, rest: readonly Key[], path: string): Walked {
  const walked = scalar(stateType(field), rest, path, true);
  const texts = stateTexts[field];
  return walked.ok && texts !== undefined ? { ...walked, texts } : walked;
}

const stateTexts: Readonly<Partial<Record<StateShortcut, readonly string[]>>> = { status: statuses, outcome: outcomes };

function stateType(field: Key): StaticType {
  if (booleanState.has(field)) return "boolean";
  // `error` is null unless something failed.
  return field === "error" ? "any" : "string";
}

function known(type: StaticType, mentionsState: boolean): Walked {
  return { ok: true, type, mentionsState };
}

/** A value that is no list and no map: the path must end there. */
function scalar(type: StaticType, rest: readonly Key[], path: string, mentionsState: boolean): Walked {
  if (rest.length === 0) return known(type, mentionsState);
  const message = `${path} has no fields.`;
  return { ok: false, code: "nothing-inside", message, fix: `Write ${path} alone.` };
}

function missing(code: string, message: string, key: string, names: readonly string[], noun: string): Walked {
  return { ok: false, code, message, fix: suggestName(key, names, noun) };
}

function walkOutput(shape: BlockShape, field: Key, rest: readonly Key[], name: string, path: string): Walked {
  const mentionsState = shape.stateOutputs.includes(String(field));
  const type = shape.outputs?.get(String(field));
  const [step] = rest;
  if (type === "list" && typeof step === "string") return fieldOfList(`${path}.${field}`, step, rest);
  if (type === "any" || type === "list" || type === "map")
    return known(rest.length === 0 ? type : "any", mentionsState);
  if (type !== undefined) return scalar(type, rest, `${path}.${field}`, mentionsState);
  // What is not known to be missing may be there, but for a name that everybody takes for the state.
  const state = field === "success" ? "succeeded" : shape.outputs && stateShortcuts.find((one) => one === field);
  if (state !== undefined) {
    return {
      ok: false,
      code: "no-success-output",
      message: `${path}.${field} does not exist.`,
      fix: `Write ${name}.${state}: how a block went is in its state, not in its outputs.`,
    };
  }
  if (shape.outputs === undefined) return known("any", mentionsState);
  if (shape.children.kind === "elements" && shape.children.shape.outputs?.has(String(field))) {
    return {
      ok: false,
      code: "unknown-output",
      message: `${name} has no output '${field}': it is a loop, and each of its passes has one.`,
      fix: suggestPluck(`${name}.results`, [String(field), ...rest]),
    };
  }
  const inside = wayInside(shape, field, name);
  if (inside !== undefined) {
    const message = `${name} has no output '${field}': a block inside it has that id.`;
    return { ok: false, code: "unknown-output", message, fix: inside };
  }
  const names = [...shape.outputs.keys(), ...(path === name ? stateShortcuts : [])];
  return missing("unknown-output", `${name} has no output '${field}'.`, String(field), names, "output");
}

/** How a block inside is read, or one inside each pass, if a key is its id. */
function wayInside({ children }: BlockShape, key: Key, name: string): string | undefined {
  const pass = children.kind === "elements" ? children.shape.children : children;
  if (pass.kind !== "workflow" || findBlock(pass.holder, String(key)) === undefined) return undefined;
  return children.kind === "elements"
    ? `Write ${name}.blocks['KEY'].blocks.${key}, with the key of a pass, such as 0.`
    : `Write ${name}.blocks.${key}.`;
}

/** `results.stdout`: a key where only an index leads on. */
export function fieldOfList(path: string, step: string, rest: readonly Key[]): Extract<Walked, { readonly ok: false }> {
  const fix = /^(?:length|size|count)$/.test(step) ? `Write len(${path}).` : suggestPluck(path, rest);
  return { ok: false, code: "field-of-list", message: `${path} is a list, which has no '${step}'.`, fix };
}

function suggestPluck(list: string, keys: readonly Key[]): string {
  const computed = keys.indexOf(null);
  const path = (computed === -1 ? keys : keys.slice(0, computed)).join(".");
  return `Write pluck(${list}, '${path}') for that of every item, or ${list}[0].${path} for that of the first.`;
}

function walkMetadata(shape: BlockShape, field: Key | undefined, rest: readonly Key[], name: string): Walked {
  if (field === undefined) return known("map", true);
  const holdsWorkflow = shape.children.kind === "workflow" || shape.children.kind === "unknown";
  const fields: readonly string[] = [...executionMetadataFields, ...(holdsWorkflow ? workflowMetadataFields : [])];
  if (!fields.includes(String(field))) {
    return missing("unknown-metadata", `${name} has no metadata '${field}'.`, String(field), fields, "metadata");
  }
  const path = `${name}.metadata.${field}`;
  if (field === "attempt_history") return known(rest.length === 0 ? "list" : "any", true);
  if (field === "spend") return walkSpend(rest, path);
  if (isStateShortcut(field)) return walkState(field, rest, path);
  return scalar(numericMetadata.has(field) ? "number" : "any", rest, path, true);
}

function walkSpend([field, ...rest]: readonly Key[], path: string): Walked {
  if (field === undefined || field === null) return known(field === null ? "any" : "map", true);
  if (!spendFields.includes(String(field))) {
    return missing("unknown-metadata", `${path} has no '${field}'.`, String(field), spendFields, "metadata");
  }
  return scalar(field === "unpriced" ? "any" : "number", rest, `${path}.${field}`, true);
}

function walkChildren(
  shape: BlockShape,
  id: Key | undefined,
  rest: readonly Key[],
  name: string,
  find: FindWorkflow,
): Walked {
  const { children } = shape;
  if (id === undefined) return known("map", false);
  const inner = `${name}.blocks.${id ?? "..."}`;
  switch (children.kind) {
    case "none":
      return {
        ok: false,
        code: "nothing-inside",
        message: `${name} has no blocks inside it.`,
        fix: "Only nested workflows, and blocks with blocks, for_each or repeat, have.",
      };
    case "unknown":
      return walkShape(unknownShape, rest, inner, find);
    case "elements": {
      const walked = walkShape(children.shape, rest, inner, find);
      const inside = walked.ok ? undefined : wayInside(shape, id, name);
      return walked.ok || inside === undefined ? walked : { ...walked, fix: inside };
    }
    case "workflow": {
      if (id === null) return walkShape(unknownShape, rest, inner, find);
      const { holder, what } = children;
      const block = findBlock(holder, String(id));
      if (block !== undefined) return walkShape(shapeOf(block, find), rest, inner, find);
      if (holder.unreadable.has(String(id))) return walkShape(unknownShape, rest, inner, find);
      const ids = holder.blocks.map((candidate) => candidate.id);
      return missing("unknown-block", `${what} has no block '${id}'.`, String(id), ids, "block");
    }
  }
}
