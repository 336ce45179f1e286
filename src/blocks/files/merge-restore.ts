import type { BlockFiles } from "../../block/block-files.ts";
import type { Restore } from "../../changes/order-restores.ts";
import type { EntryState } from "../../changes/recorded-change.ts";
import { mergeTexts } from "../../util/merge-texts.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { textOf } from "../../util/text-of.ts";
import type { WantedState } from "./find-restores.ts";

type FileEntry = Extract<EntryState, { kind: "file" }>;

/** More could hold up everything else. */
const mostBytes = 1_000_000;

/**
 * Takes back what was changed in a text, and leaves what somebody else has changed in it since. Nothing to restore where that was done
 * already. The error says why it can't be done.
 */
export async function mergeRestore(
  files: BlockFiles,
  { at, expect, restore }: WantedState,
  present: EntryState,
): Promise<Result<Restore | undefined, string>> {
  if (expect.kind !== "file" || restore.kind !== "file" || present.kind !== "file") {
    return err("only what was and is a file can be merged");
  }
  const [base, theirs] = await Promise.all([recallText(files, expect), recallText(files, restore)]);
  if (base === undefined || theirs === undefined)
    return err("not merged: the texts that it had are not there any more");
  const read = await files.read(at, mostBytes);
  if ("message" in read) return err(`not merged: ${read.message}`);
  const ours = textOf(read.bytes);
  if (base === null || theirs === null || ours === null) return err("not merged: it is not text");
  const merged = mergeTexts(base, ours, theirs);
  if (merged === undefined) return err("not merged: the same lines were changed since");
  const mode = present.mode === expect.mode ? restore.mode : present.mode;
  if (merged === ours && mode === present.mode) return ok(undefined);
  const bytes = merged === ours ? {} : { bytes: Buffer.from(merged) };
  return ok({ at, present, restore: { kind: "file", mode, ...bytes } });
}

/** Null for what is no text. */
async function recallText(files: BlockFiles, { sha256 }: FileEntry): Promise<string | null | undefined> {
  const bytes = sha256 === undefined ? undefined : await files.recall(sha256);
  if (bytes === undefined || bytes.length > mostBytes) return undefined;
  return textOf(bytes);
}
