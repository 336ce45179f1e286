import { BlockCannotRun, type BlockContext } from "../../block/define-block.ts";
import { OperationFailed } from "../files/file-operation.ts";
import type { Conflict } from "../files/find-restores.ts";
import { RefStore, type RefValue } from "./ref-store.ts";
import type { RefToRestore } from "./take-back-refs.ts";

/** A ref in a block's inputs; `missing` is one that does not exist. */
export interface WrittenRef {
  readonly repository: string;
  readonly name: string;
  readonly expect: string;
  readonly restore: string;
}

export type FoundRef =
  | { readonly kind: "already" }
  | { readonly kind: "movable"; readonly ref: RefToRestore; readonly value: RefValue }
  /** By somebody else, since. */
  | { readonly kind: "moved"; readonly ref: RefToRestore; readonly value: RefValue; readonly conflict: Conflict }
  | { readonly kind: "unusable"; readonly conflict: Conflict };

/** Where a ref is, beside where it was left and where it is to be again. */
export async function findRef(written: WrittenRef, unsafe: boolean, context: BlockContext): Promise<FoundRef> {
  const { name } = written;
  try {
    const repository = context.files.locate(written.repository, unsafe);
    const ref = { repository, name, expect: refValue(written.expect), restore: refValue(written.restore) };
    const value = await (await RefStore.open(context, repository)).read(name);
    if (value === ref.restore) return { kind: "already" };
    if (value === ref.expect) return { kind: "movable", ref, value };
    const reason = value === null ? "it was deleted since" : "it was moved since";
    return { kind: "moved", ref, value, conflict: { path: name, reason, found: value ?? "missing" } };
  } catch (error) {
    if (!(error instanceof OperationFailed || error instanceof BlockCannotRun)) throw error;
    return { kind: "unusable", conflict: { path: name, reason: error.message, found: "" } };
  }
}

function refValue(text: string): RefValue {
  return text === "missing" ? null : text;
}
