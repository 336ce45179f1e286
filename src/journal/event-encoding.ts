import { createHash } from "node:crypto";
import { roughSize } from "../util/rough-size.ts";
import { parseStored } from "./stored-json.ts";

/** Data as it is stored: JSON, in which the places that `parts` names hold what is kept elsewhere. */
export interface StoredText {
  readonly body: string;
  /** JSON of `Part[]`; null when there are none, as nearly always. */
  readonly parts: string | null;
}

/** Content that is stored once, however often it is used. */
export interface Blob extends StoredText {
  /** Of body and parts. */
  readonly hash: string;
}

export interface EncodedEvent extends StoredText {
  /** All that the data consists of beside its body. */
  readonly blobs: readonly Blob[];
}

/** A place in a body, from its root, and the content that belongs there. */
type Part = readonly [path: readonly (string | number)[], hash: string];

/** In characters of JSON. */
const largest = 65_536;
/** How large a body may become before its members are taken out although they are small, and how small those may be. */
const largestBody = 1_000_000;
const leastMember = 256;

/**
 * Writes data as JSON and takes what is too large out of it, from the inside to the outside: so content that occurs in several
 * places, such as a file that many blocks read, is the same blob everywhere. No text becomes much larger than `largestBody`,
 * unless one value is. Yields often, because there is no limit to what it is given.
 */
export function* encodeEvent(data: object): Generator<void, EncodedEvent> {
  if (roughSize(data, largest) <= largest) {
    const body = JSON.stringify(data);
    if (body.length <= largest) return { body, parts: null, blobs: [] };
  }
  const blobs = new Map<string, Blob>();
  return { ...storedText(yield* writeMembers(data, blobs)), blobs: [...blobs.values()] };
}

/** JSON under construction, with a placeholder where a part belongs. */
interface Draft {
  readonly json: string;
  readonly parts: readonly Part[];
}

function* write(data: unknown, blobs: Map<string, Blob>): Generator<void, Draft> {
  yield;
  if (typeof data !== "object" || data === null) {
    const draft = plain(JSON.stringify(data));
    return draft.json.length > largest ? moveOut(draft, blobs) : draft;
  }
  if (roughSize(data, largest) <= largest) {
    const draft = plain(JSON.stringify(data));
    if (draft.json.length <= largest) return draft;
  }
  const draft = yield* writeMembers(data, blobs);
  return sizeOf(draft) > largest ? moveOut(draft, blobs) : draft;
}

function* writeMembers(data: object, blobs: Map<string, Blob>): Generator<void, Draft> {
  const isList = Array.isArray(data);
  const parts: Part[] = [];
  const texts: string[] = [];
  let size = 0;
  for (const key of isList ? data.keys() : Object.keys(data)) {
    const member = (data as Record<string | number, unknown>)[key];
    if (member === undefined && !isList) continue;
    const whole = yield* write(member ?? null, blobs);
    const isTooMuch = size > largestBody && whole.json.length > leastMember;
    const draft = isTooMuch ? moveOut(whole, blobs) : whole;
    for (const [path, hash] of draft.parts) parts.push([[key, ...path], hash]);
    texts.push(isList ? draft.json : `${JSON.stringify(key)}:${draft.json}`);
    size += draft.json.length;
  }
  return { json: isList ? `[${texts.join()}]` : `{${texts.join()}}`, parts };
}

function moveOut(draft: Draft, blobs: Map<string, Blob>): Draft {
  const text = storedText(draft);
  // A line feed never occurs in what JSON.stringify writes, so no two pairs of body and parts look the same.
  const hash = createHash("sha256")
    .update(text.body)
    .update(`\n${text.parts ?? ""}`)
    .digest("base64url");
  blobs.set(hash, { ...text, hash });
  return { json: "null", parts: [[[], hash]] };
}

function plain(json: string): Draft {
  return { json, parts: [] };
}

function storedText({ json, parts }: Draft): StoredText {
  return { body: json, parts: parts.length === 0 ? null : JSON.stringify(parts) };
}

function sizeOf({ json, parts }: Draft): number {
  let size = json.length;
  for (const [path, hash] of parts) size += hash.length + 10 * path.length;
  return size;
}

/** Reads encoded data back. Content that occurs more than once becomes one object. */
export function createDecoder(findBlob: (hash: string) => StoredText): (text: StoredText) => unknown {
  const found = new Map<string, unknown>();
  return function decode({ body, parts }) {
    const root = parseStored(body);
    if (parts === null) return root;
    for (const [path, hash] of parseStored(parts) as readonly Part[]) {
      if (!found.has(hash)) found.set(hash, decode(findBlob(hash)));
      put(root, path, found.get(hash));
    }
    return root;
  };
}

/** What a text consists of beside its body. */
export function hashesIn({ parts }: StoredText): readonly string[] {
  return parts === null ? [] : (parseStored(parts) as readonly Part[]).map(([, hash]) => hash);
}

function put(root: unknown, path: readonly (string | number)[], content: unknown): void {
  let container = root as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) container = container[key] as Record<string | number, unknown>;
  const last = path.at(-1);
  if (last === undefined) throw new Error("A part can't be the whole.");
  container[last] = content;
}
