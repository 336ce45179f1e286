import { isUtf8 } from "node:buffer";
import type { RootedPath } from "../block/ports.ts";
import { sha256Of } from "../changes/capture-changes.ts";
import type { EntryState, StoredState } from "../changes/recorded-change.ts";
import type { Platform } from "../runs/platform.ts";
import type { NetChange } from "./net-changes.ts";

/** Why there is no diff of a file whose bytes have changed. `not kept`: it holds a secret, or there was no room for it. */
export type NoDiff = "not text" | "too large" | "not kept";

/** What a file held before and after, as texts; or why that can't be told. */
export type ChangeContents = { readonly before: string | undefined; readonly after: string | undefined } | NoDiff;

/** Larger files are told by their size. */
const mostShown = 1_000_000;

export async function readContents(
  { at, from, before, after }: NetChange,
  platform: Platform,
): Promise<ChangeContents> {
  const isLarge = (state: EntryState): boolean => state.kind === "file" && (state.size ?? 0) > mostShown;
  if (isLarge(before) || isLarge(after)) return "too large";
  const bytesBefore = await readBytes(from ?? at, before, platform);
  const bytesAfter = await readBytes(at, after, platform);
  if (bytesBefore === "not kept" || bytesAfter === "not kept") return "not kept";
  const texts = [bytesBefore, bytesAfter].map((bytes) => (bytes === undefined ? undefined : textOf(bytes)));
  if (texts.includes(null)) return "not text";
  const [textBefore, textAfter] = texts as (string | undefined)[];
  return { before: textBefore, after: textAfter };
}

/** What a file holds now, as a text. */
export async function readPresent(at: RootedPath, { files }: Platform): Promise<string | undefined> {
  const read = await files.read(at, mostShown);
  return "bytes" in read ? (textOf(read.bytes) ?? undefined) : undefined;
}

/** What is not kept may hold a secret, so it is not read from the disk either; what is kept and lost is, if it still lies there. */
async function readBytes(
  at: RootedPath,
  state: StoredState | EntryState,
  { blobs, files }: Platform,
): Promise<Uint8Array | undefined | "not kept"> {
  if (state.kind !== "file") return undefined;
  if (state.sha256 === undefined || state.kept !== true) return "not kept";
  const bytes = await blobs.get(state.sha256);
  if (bytes !== undefined) return bytes;
  const read = await files.read(at, mostShown);
  return "bytes" in read && sha256Of(read.bytes) === state.sha256 ? read.bytes : "not kept";
}

/** Null for bytes that are no text. */
function textOf(bytes: Uint8Array): string | null {
  return !isUtf8(bytes) || bytes.includes(0) ? null : Buffer.from(bytes).toString();
}
