import { createHash } from "node:crypto";
import type { Blobs, FileSystem, RootedPath } from "../../../block/ports.ts";
import type { ObserverRequest } from "../../../changes/observer.ts";
import { Semaphore } from "../../../util/semaphore.ts";
import { isSliceOver, nextSlice } from "../../../util/time-slice.ts";
import type { Keeper, Kept } from "./surroundings.ts";

/** Files up to this size are read as a whole, larger ones piece by piece. */
const smallBytes = 1_000_000;
/** So many files are open at once; more would not be faster. */
const atOnce = 16;

const holdsSecret = "it holds a secret, which is kept nowhere";

/** The blobs of a run, for whoever looks at its workspace. `used` is what the run is known to use already. */
export function createKeeper(
  { blobs, files }: { readonly blobs: Blobs; readonly files: FileSystem },
  { runId, workspace, signal, holdsSecret: isSecret = () => false }: ObserverRequest,
  used: Set<string>,
): Keeper {
  const slots = new Semaphore(atOnce);
  const reading = files.withSignal(signal);

  async function inTurn<T>(action: () => Promise<T>): Promise<T> {
    await slots.acquire();
    try {
      signal.throwIfAborted();
      if (isSliceOver()) await nextSlice();
      return await action();
    } finally {
      slots.release();
    }
  }

  async function keepBytes(bytes: Uint8Array, lasting: boolean): Promise<Kept> {
    if (isSecret(bytes)) return { sha256: createHash("sha256").update(bytes).digest("hex"), problem: holdsSecret };
    const put = await blobs.put(runId, bytes, { lasting });
    if (!put.ok) return { problem: asReason(put.error.message) };
    if (lasting) used.add(put.value);
    return { sha256: put.value, size: bytes.length };
  }

  async function keepFile(at: RootedPath, lasting: boolean): Promise<Kept> {
    const read = await reading.read(at, smallBytes);
    if ("bytes" in read) return await keepBytes(read.bytes, lasting);
    if (read.kind !== "too-large") return { problem: asReason(read.message) };
    if (!lasting) return { problem: asReason(read.message) };
    if (await holdsSecretInPieces(at)) return { problem: holdsSecret };
    const put = await blobs.putFile(runId, at, reading);
    if (!put.ok) return { problem: asReason(put.error.message) };
    used.add(put.value.sha256);
    return { sha256: put.value.sha256, size: put.value.size };
  }

  /** Pieces overlap, so that nothing is cut where it could be found. */
  async function holdsSecretInPieces(at: RootedPath): Promise<boolean> {
    let isFound = false;
    let last: Uint8Array = new Uint8Array();
    await reading.readPieces(at, async (piece) => {
      if (isFound) return;
      if (isSliceOver()) await nextSlice();
      isFound = isSecret(Buffer.concat([last, piece]));
      last = Uint8Array.from(piece.subarray(-overlap));
    });
    return isFound;
  }

  return {
    keepFiles: (paths, lasting) =>
      Promise.all(paths.map((path) => inTurn(() => keepFile({ root: workspace, path }, lasting)))),
    keepBytes: (bytes, lasting) => inTurn(() => keepBytes(bytes, lasting)),
    use: (sha256s) => Promise.all(sha256s.map((sha256) => inTurn(() => use(sha256)))),
    get: (sha256) => blobs.get(sha256),
  };

  async function use(sha256: string): Promise<boolean> {
    if (used.has(sha256)) return true;
    const isThere = await blobs.use(runId, sha256);
    if (isThere) used.add(sha256);
    return isThere;
  }
}

const overlap = 200_000;

/** It stands behind what happened to the file, in the same sentence. */
function asReason(message: string): string {
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}
