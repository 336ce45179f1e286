import { createHash } from "node:crypto";
import { sha1Digits } from "./digest-file.ts";
import { askGit, type GitProgram } from "./git-program.ts";

/** An object of a repository that is wanted, and the size that it must have. */
export interface WantedObject {
  readonly id: string;
  readonly size: number;
}

/** So many bytes are in memory at once, or one object. */
const bytesAtOnce = 16_000_000;
const objectsAtOnce = 1_000;

/** The bytes of objects, those that belong together in one go. Missing ones, and others than were asked for, are left out. */
export async function* readObjects(
  program: GitProgram,
  gitDirectory: string,
  wanted: readonly WantedObject[],
): AsyncGenerator<ReadonlyMap<string, Uint8Array>> {
  for (let from = 0; from < wanted.length; ) {
    let bytes = 0;
    let to = from;
    do bytes += wanted[to++]?.size ?? 0;
    while (to < wanted.length && to - from < objectsAtOnce && bytes + (wanted[to]?.size ?? 0) <= bytesAtOnce);
    const asked = wanted.slice(from, to);
    const ids = Buffer.from(asked.map(({ id }) => `${id}\n`).join(""));
    const place = { cwd: gitDirectory, gitDirectory };
    const answer = await askGit(program, place, ["cat-file", "--batch"], ids);
    yield answer === undefined ? new Map() : parseObjects(answer, asked);
    from = to;
  }
}

function parseObjects(answer: Buffer, asked: readonly WantedObject[]): ReadonlyMap<string, Uint8Array> {
  const objects = new Map<string, Uint8Array>();
  let at = 0;
  for (const { id, size } of asked) {
    const end = answer.indexOf("\n", at);
    const [, kind, told] = answer.toString("latin1", at, end).split(" ");
    at = end + 1;
    // "<id> missing"
    if (told === undefined) continue;
    const bytes = answer.subarray(at, at + Number(told));
    at += Number(told) + 1;
    if (kind === "blob" && bytes.length === size && gitIdOf(bytes, id.length) === id) objects.set(id, bytes);
  }
  return objects;
}

function gitIdOf(bytes: Uint8Array, digits: number): string {
  const hash = createHash(digits === sha1Digits ? "sha1" : "sha256");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
