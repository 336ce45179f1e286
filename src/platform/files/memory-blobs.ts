import { createHash } from "node:crypto";
import type { BlobProblem, Blobs } from "../../block/ports.ts";
import { err, ok, type Result } from "../../util/result.ts";

/** For runs that nobody asks about when the process has ended. */
export function createMemoryBlobs(mostBytes: number = Number.POSITIVE_INFINITY): Blobs {
  const all = new Map<string, Uint8Array>();
  const users = new Map<string, Set<string>>();
  const sizeOf = (runId: string): number =>
    [...(users.get(runId) ?? [])].reduce((sum, sha256) => sum + (all.get(sha256)?.length ?? 0), 0);
  const add = (runId: string, sha256: string): void => {
    users.set(runId, (users.get(runId) ?? new Set()).add(sha256));
  };

  function put(runId: string, bytes: Uint8Array, lasting: boolean): Result<string, BlobProblem> {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (users.get(runId)?.has(sha256)) return ok(sha256);
    if (sizeOf(runId) + bytes.length > (lasting ? mostBytes : mostBytes / 2)) return err(beyondLimit(mostBytes));
    // The caller may use its buffer again.
    if (!all.has(sha256)) all.set(sha256, Uint8Array.from(bytes));
    add(runId, sha256);
    return ok(sha256);
  }

  return {
    put: async (runId, bytes, options) => put(runId, bytes, options?.lasting ?? true),
    async putFile(runId, at, files) {
      const pieces: Uint8Array[] = [];
      const read = await files.readPieces(at, async (piece) => void pieces.push(Uint8Array.from(piece)));
      if ("message" in read) return err(read);
      const kept = put(runId, Buffer.concat(pieces), true);
      return kept.ok ? ok({ sha256: kept.value, size: read.size, mode: read.mode }) : kept;
    },
    get: async (sha256) => all.get(sha256),
    async use(runId, sha256) {
      if (all.has(sha256)) add(runId, sha256);
      return all.has(sha256);
    },
    runs: () => [...users.keys()],
    size: sizeOf,
    remove(runId) {
      const used = users.get(runId) ?? [];
      users.delete(runId);
      for (const sha256 of used) if (![...users.values()].some((others) => others.has(sha256))) all.delete(sha256);
    },
    usage: async () => ({
      bytes: [...all.values()].reduce((sum, { length }) => sum + length, 0),
      unusedBytes: 0,
      runs: new Map([...users.keys()].map((runId) => [runId, sizeOf(runId)])),
    }),
    sweep: async () => {},
    freeBytes: () => undefined,
  };
}

export function beyondLimit(mostBytes: number): BlobProblem {
  const most = Math.round(mostBytes / 1e6).toLocaleString("en-US");
  return {
    kind: "limit",
    message: `The run has reached the ${most} MB that it may keep for undo. Set FROND_MAX_UNDO_MB to allow more.`,
  };
}
