import { createHash, randomBytes } from "node:crypto";
import { closeSync, mkdirSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BlobProblem, Blobs, BlobUsage, FileProblem, FileSystem, PutFile, RootedPath } from "../../block/ports.ts";
import { makeDirectories } from "../../util/make-directories.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { shareTurns } from "../../util/share-turns.ts";
import {
  createPrivate,
  type Digest,
  digestOf,
  digestPattern,
  holdsBytes,
  linkFile,
  readWhole,
  statFile,
  syncFile,
  syncPath,
  writeWhole,
} from "./blob-files.ts";
import { discardUnused, goingSuffix, namesIn, runPattern, surveyBlobs, sweepBlobs } from "./blob-usage.ts";
import { hasCode, isSystemError, reasonFor } from "./file-problems.ts";
import { freeBytes } from "./free-bytes.ts";
import { beyondLimit } from "./memory-blobs.ts";

export interface BlobsOptions {
  /** What one run may use. */
  readonly mostBytes: number;
  /** How a file gets another name, which not every file system knows. */
  readonly link?: typeof linkFile;
}

/**
 * `<directory>/runs/<run id>/<sha256>` is what a run uses, and what lasts: it is synced. `<directory>/ab/<sha256>` is another name for
 * the same file, by which all runs find it; it is made again when it is lost. A file that has only that name left is used by nobody.
 * Where the file system has no second names, each run has files of its own.
 */
export function createBlobs(directory: string, options: BlobsOptions): Blobs {
  return new BlobFiles(directory, options);
}

/** Of more runs one process knows nothing by heart. */
const mostRunsKnown = 100;

interface KnownRun {
  readonly directory: string;
  used: number;
  /** What is being written, by several at once: together they keep to the limit. */
  coming: number;
  /** Whether the names of its directory, and of those above it, last. */
  isRooted: boolean;
  /** Makes the names in its directory last. */
  sync(): Promise<void>;
}

class BlobFiles implements Blobs {
  readonly #directory: string;
  readonly #mostBytes: number;
  readonly #link: typeof linkFile;
  readonly #known = new Map<string, KnownRun>();
  #isRooted = false;

  constructor(directory: string, { mostBytes, link = linkFile }: BlobsOptions) {
    this.#directory = directory;
    this.#mostBytes = mostBytes;
    this.#link = link;
  }

  async put(
    runId: string,
    bytes: Uint8Array,
    { lasting = true }: { readonly lasting?: boolean } = {},
  ): Promise<Result<string, BlobProblem>> {
    const digest = digestOf(bytes);
    const run = this.#run(runId);
    const room = lasting ? this.#mostBytes : this.#mostBytes / 2;
    return await this.#answer(async () => {
      if (await this.#adopt(run, digest, room)) {
        if (lasting) await this.#makeLast(run, digest.sha256);
        return ok(digest.sha256);
      }
      if (run.used + run.coming + digest.size > room) return err(beyondLimit(this.#mostBytes));
      run.coming += digest.size;
      try {
        await this.#make(run, async (file) => {
          await writeWhole(file, bytes);
          if (lasting) await syncFile(file);
          return digest;
        });
      } finally {
        run.coming -= digest.size;
      }
      if (lasting) await run.sync();
      return ok(digest.sha256);
    });
  }

  async putFile(runId: string, at: RootedPath, files: FileSystem): Promise<Result<PutFile, BlobProblem | FileProblem>> {
    const run = this.#run(runId);
    const tooMuch = new Error("It does not fit.");
    let problem: FileProblem | undefined;
    let mode = 0;
    let copied = 0;
    const copy = async (file: number): Promise<Digest | undefined> => {
      const hash = createHash("sha256");
      const read = await files.readPieces(at, async (piece) => {
        copied += piece.length;
        run.coming += piece.length;
        if (run.used + run.coming > this.#mostBytes) throw tooMuch;
        hash.update(piece);
        await writeWhole(file, piece);
      });
      if ("message" in read) {
        problem = read;
        return undefined;
      }
      mode = read.mode;
      await syncFile(file);
      return { sha256: hash.digest("hex"), size: read.size };
    };
    return await this.#answer<PutFile, BlobProblem | FileProblem>(async () => {
      try {
        const made = await this.#make(run, copy);
        if (made === undefined) return err(problem as FileProblem);
        await run.sync();
        return ok({ ...made, mode });
      } catch (error) {
        if (error !== tooMuch) throw error;
        return err(beyondLimit(this.#mostBytes));
      } finally {
        run.coming -= copied;
      }
    });
  }

  async get(sha256: string): Promise<Uint8Array | undefined> {
    if (!digestPattern.test(sha256)) return undefined;
    for (const path of this.#placesOf(sha256)) {
      const bytes = await readWhole(path);
      if (bytes !== undefined && digestOf(bytes).sha256 === sha256) return bytes;
    }
    return undefined;
  }

  async use(runId: string, sha256: string): Promise<boolean> {
    if (!digestPattern.test(sha256)) return false;
    const run = this.#run(runId);
    for (const path of this.#placesOf(sha256)) {
      const size = statFile(path)?.size;
      if (size === undefined || !(await holdsBytes(path, { sha256, size }))) continue;
      const own = join(run.directory, sha256);
      if (path !== own) {
        const linked = this.#linkIn(run, path, own);
        if (linked === "missing") continue;
        if (linked === "unlinkable") await this.#make(run, (file) => copyInto(file, path, { sha256, size }));
        else if (linked === "linked") run.used += size;
      }
      await this.#makeLast(run, sha256);
      return true;
    }
    return false;
  }

  runs(): readonly string[] {
    return namesIn(join(this.#directory, "runs")).filter((name) => runPattern.test(name));
  }

  size(runId: string): number {
    const directory = this.#directoryOf(runId);
    return namesIn(directory).reduce((sum, name) => sum + (statFile(join(directory, name))?.size ?? 0), 0);
  }

  remove(runId: string): void {
    const directory = this.#directoryOf(runId);
    const used = namesIn(directory).filter((name) => digestPattern.test(name));
    this.#known.delete(runId);
    rmSync(directory, { recursive: true, force: true });
    for (const sha256 of used) discardUnused(this.#sharedPath(sha256));
  }

  usage(): Promise<BlobUsage> {
    return surveyBlobs(this.#directory);
  }

  sweep(): Promise<void> {
    return sweepBlobs(this.#directory);
  }

  freeBytes(): number | undefined {
    return freeBytes(this.#directory);
  }

  #directoryOf(runId: string): string {
    if (!runPattern.test(runId)) throw new RangeError(`'${runId}' is not the id of a run`);
    return join(this.#directory, "runs", runId);
  }

  #sharedPath(sha256: string): string {
    return join(this.#directory, sha256.slice(0, 2), sha256);
  }

  /** Nearly always the first one; the others after a crash, and where files have one name only. */
  *#placesOf(sha256: string): Generator<string> {
    const shared = this.#sharedPath(sha256);
    yield shared;
    yield shared + goingSuffix;
    for (const runId of this.runs()) yield join(this.#directoryOf(runId), sha256);
  }

  #run(runId: string): KnownRun {
    const known = this.#known.get(runId);
    if (known !== undefined) return known;
    const directory = this.#directoryOf(runId);
    const run: KnownRun = {
      directory,
      used: this.size(runId),
      coming: 0,
      isRooted: false,
      sync: shareTurns(() => this.#syncRun(run)),
    };
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostRunsKnown && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(runId, run);
    return run;
  }

  async #syncRun(run: KnownRun): Promise<void> {
    await syncPath(run.directory);
    if (run.isRooted) return;
    await syncPath(dirname(run.directory));
    if (!this.#isRooted) {
      await syncPath(this.#directory);
      await syncPath(dirname(this.#directory));
    }
    this.#isRooted = true;
    run.isRooted = true;
  }

  /** Takes bytes that are there already for the run. Another process may take them away at the same time: then they are not there. */
  async #adopt(run: KnownRun, digest: Digest, room: number): Promise<boolean> {
    const own = join(run.directory, digest.sha256);
    if (await holdsBytes(own, digest)) return true;
    const shared = this.#sharedPath(digest.sha256);
    if (run.used + run.coming + digest.size > room || !(await holdsBytes(shared, digest))) return false;
    const linked = this.#linkIn(run, shared, own);
    if (linked === "linked") run.used += digest.size;
    return linked === "linked" || (linked === "exists" && (await holdsBytes(own, digest)));
  }

  #linkIn(run: KnownRun, from: string, to: string): ReturnType<typeof linkFile> {
    const linked = this.#link(from, to);
    if (linked !== "missing") return linked;
    // Either of them may be.
    makeRunDirectory(run);
    return this.#link(from, to);
  }

  /** What was put so that it need not last may be asked for again as what must. */
  async #makeLast(run: KnownRun, sha256: string): Promise<void> {
    await syncPath(join(run.directory, sha256));
    await run.sync();
  }

  /** A new file, complete before it has its names. Nothing when there is nothing to fill it with. */
  async #make<D extends Digest | undefined>(run: KnownRun, fill: (file: number) => Promise<D>): Promise<D> {
    const temporary = join(run.directory, `.${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
    const file = createIn(run, temporary);
    try {
      const digest = await fill(file).finally(() => closeSync(file));
      if (digest === undefined) {
        unlinkSync(temporary);
        return digest;
      }
      await this.#share(temporary, digest);
      const own = join(run.directory, digest.sha256);
      const linked = this.#link(temporary, own);
      const isThere = linked === "exists" && (await holdsBytes(own, digest));
      if (linked === "unlinkable" || (linked === "exists" && !isThere)) renameSync(temporary, own);
      else unlinkSync(temporary);
      if (!isThere) run.used += digest.size;
      return digest;
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  /** Gives the file the name that all runs find it by, unless there is another one with the same bytes. */
  async #share(temporary: string, digest: Digest): Promise<void> {
    const shared = this.#sharedPath(digest.sha256);
    let linked = this.#link(temporary, shared);
    if (linked === "missing") {
      mkdirSync(dirname(shared), { mode: 0o700, recursive: true });
      linked = this.#link(temporary, shared);
    }
    if (linked !== "exists" || (await holdsBytes(shared, digest))) return;
    const second = `${temporary}2`;
    if (this.#link(temporary, second) === "linked") renameSync(second, shared);
  }

  async #answer<T, P>(action: () => Promise<Result<T, P>>): Promise<Result<T, P | BlobProblem>> {
    try {
      return await action();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      const isFull = hasCode(error, "ENOSPC", "EDQUOT");
      const room = isFull ? "Make room there, or choose" : "Choose";
      const message = `What undo needs can't be kept in ${this.#directory}: ${reasonFor(error)}. ${room} another place with FROND_STATE_DIR.`;
      return err({ kind: isFull ? "full" : "unusable", message });
    }
  }
}

function createIn(run: KnownRun, path: string): number {
  try {
    return createPrivate(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    makeRunDirectory(run);
    return createPrivate(path);
  }
}

function makeRunDirectory(run: KnownRun): void {
  makeDirectories(run.directory, 0o700);
  run.isRooted = false;
}

async function copyInto(file: number, from: string, digest: Digest): Promise<Digest> {
  await writeWhole(file, (await readWhole(from)) ?? Buffer.of());
  await syncFile(file);
  return digest;
}
