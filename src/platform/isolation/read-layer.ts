import type { BigIntStats } from "node:fs";
import { type FileHandle, lstat, open, readdir, readFile, readlink } from "node:fs/promises";
import type { FileChange } from "../../block/block-files.ts";
import { guardedDirectory } from "../../util/guarded-directory.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { permissionBits } from "../files/file-modes.ts";
import { nameOf, systemPath } from "../files/file-paths.ts";
import { hasCode } from "../files/file-problems.ts";

/** The directories of an overlay mount, and what tells who changed the lower one. */
export interface Layers {
  /** What commands have written. A device 0/0 in it stands for something that is gone. */
  readonly upper: string;
  /** The workspace as it is now. */
  readonly lower: string;
  /** What commands see: one is gone that is neither here nor a device in the upper layer, since its directory was made anew. */
  readonly merged: string;
  /** Whatever in the lower one was changed later than this, in nanoseconds, was changed by somebody else. */
  readonly since: bigint;
  /** Whether a path was in the lower one then. */
  wasThere(path: string): Promise<boolean>;
}

/** What makes the lower layer the same as what commands see; or what stands against it. */
export async function readLayer(layers: Layers): Promise<Result<readonly FileChange[], string>> {
  const reading = new LayerReading(layers);
  await reading.read("");
  const { changes, conflicts, problems } = reading;
  if (conflicts.size > 0) {
    const who = "was changed by somebody else while the command ran, which changed it too";
    return err(`${listed([...conflicts].map((path) => `'${path}'`))} ${who}`);
  }
  return problems.length === 0 ? ok(changes) : err(listed(problems));
}

/** Beyond what a buffer can hold. */
const mostBytes = 2_000_000_000n;
const mostListed = 10;

function listed(all: readonly string[]): string {
  const more = all.length - mostListed;
  return `${all.slice(0, mostListed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

class LayerReading {
  readonly changes: FileChange[] = [];
  readonly conflicts = new Set<string>();
  readonly problems: string[] = [];
  readonly #layers: Layers;

  constructor(layers: Layers) {
    this.#layers = layers;
  }

  /** A directory of the upper layer. */
  async read(directory: string): Promise<void> {
    const { upper, lower } = this.#layers;
    const names = await namesIn(`${upper}/${directory}`);
    for (const name of await this.#goneWithoutMark(directory, new Set(names)))
      await this.#remove(below(directory, name));
    for (const name of names) {
      const path = below(directory, name);
      const now = await statOf(`${upper}/${path}`);
      const before = await statOf(`${lower}/${path}`);
      if (now === undefined) continue;
      if (isGone(now)) {
        if (before !== undefined) await this.#remove(path);
      } else if (guardedDirectory(name) !== undefined) {
        this.problems.push(`'${path}' was changed, which can't be undone: do that in a block that is not isolated`);
      } else await this.#compare(path, now, before);
    }
  }

  async #compare(path: string, now: BigIntStats, before: BigIntStats | undefined): Promise<void> {
    if (now.isDirectory()) return this.#compareDirectory(path, now, before);
    if (!now.isFile() && !now.isSymbolicLink()) {
      this.problems.push(`'${path}' is neither a file nor a directory nor a link, so it can't be kept`);
      return;
    }
    if (await this.#isSame(path, now, before)) return;
    if (before === undefined) await this.#checkNew(path);
    // A file is replaced as a whole; anything else has to go first.
    else if (before.isFile() && now.isFile()) this.#checkOld(path, before);
    else await this.#remove(path);
    if (now.isSymbolicLink()) {
      const target = await targetOf(`${this.#layers.upper}/${path}`);
      this.changes.push({ kind: "make-link", at: this.#at(path), target });
    } else if (now.size > mostBytes) this.problems.push(`'${path}' is too large to be kept`);
    else this.#write(path, modeOf(now));
  }

  async #compareDirectory(path: string, now: BigIntStats, before: BigIntStats | undefined): Promise<void> {
    const mode = modeOf(now);
    if (before?.isDirectory()) {
      if (modeOf(before) !== mode) this.changes.push({ kind: "set-mode", at: this.#at(path), mode });
      return this.read(path);
    }
    if (before === undefined) await this.#checkNew(path);
    else await this.#remove(path);
    const isEmpty = (await namesIn(`${this.#layers.upper}/${path}`)).length === 0;
    // Into one that its owner may not write to nothing could be put.
    this.changes.push({ kind: "make-directory", at: this.#at(path), mode: isEmpty ? mode : mode | ownerMay });
    await this.read(path);
  }

  async #isSame(path: string, now: BigIntStats, before: BigIntStats | undefined): Promise<boolean> {
    const { upper, lower } = this.#layers;
    const [one, other] = [`${upper}/${path}`, `${lower}/${path}`];
    if (now.isSymbolicLink())
      return before?.isSymbolicLink() === true && (await targetOf(one)) === (await targetOf(other));
    if (!before?.isFile() || before.size !== now.size || modeOf(before) !== modeOf(now)) return false;
    return haveSameBytes(one, other);
  }

  /** Whatever is at a path of the lower layer, with all that is in it. */
  async #remove(path: string): Promise<void> {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const at = `${this.#layers.lower}/${path}`;
    const before = await statOf(at);
    if (before === undefined) return;
    if (guardedDirectory(name) !== undefined) {
      this.problems.push(`'${path}' was removed, which can't be undone: do that in a block that is not isolated`);
      return;
    }
    // Of a directory that tells only of what is in it, which is looked at itself.
    if (before.isDirectory()) for (const inside of await namesIn(at)) await this.#remove(below(path, inside));
    else this.#checkOld(path, before);
    this.changes.push({ kind: "remove", at: this.#at(path) });
  }

  /** Those of a directory that was removed and made again, or put in the place of another. */
  async #goneWithoutMark(directory: string, marked: ReadonlySet<string>): Promise<readonly string[]> {
    const { lower, merged, since } = this.#layers;
    if (!(await statOf(`${lower}/${directory}`))?.isDirectory()) return [];
    const others = (await namesIn(`${lower}/${directory}`)).filter((name) => !marked.has(name));
    if (others.length === 0) return [];
    const seen = new Set(await namesIn(`${merged}/${directory}`));
    const unseen = others.filter((name) => !seen.has(name));
    // What is new is not seen either where the system remembers what was there.
    for (const name of unseen) {
      const before = await statOf(`${lower}/${below(directory, name)}`);
      if (before !== undefined && before.ctimeNs <= since) return unseen;
    }
    return [];
  }

  #checkOld(path: string, before: BigIntStats): void {
    if (before.ctimeNs > this.#layers.since) this.conflicts.add(path);
  }

  async #checkNew(path: string): Promise<void> {
    const { lower, since, wasThere } = this.#layers;
    const directory = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const around = await statOf(`${lower}/${directory}`);
    const isUntouched = around !== undefined && around.ctimeNs <= since;
    if (!isUntouched && (await wasThere(path))) this.conflicts.add(path);
  }

  /** Read when it is needed, for all that a command has written may be more than fits into memory. */
  #write(path: string, mode: number): void {
    const from = systemPath(`${this.#layers.upper}/${path}`);
    this.changes.push({ kind: "write", at: this.#at(path), mode, bytes: () => readFile(from) });
  }

  #at(path: string): { readonly root: string; readonly path: string } {
    return { root: this.#layers.lower, path };
  }
}

const ownerMay = 0o700;

function below(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

function isGone(stats: BigIntStats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0n;
}

function modeOf({ mode }: BigIntStats): number {
  return Number(mode) & permissionBits;
}

async function namesIn(directory: string): Promise<string[]> {
  const names = await readdir(systemPath(directory), { encoding: "buffer" });
  return names.map(nameOf).sort();
}

async function statOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(systemPath(path), { bigint: true });
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}

async function targetOf(path: string): Promise<string> {
  return nameOf(await readlink(systemPath(path), { encoding: "buffer" }));
}

const pieceBytes = 256 * 1024;

async function haveSameBytes(one: string, other: string): Promise<boolean> {
  const files: FileHandle[] = [];
  try {
    for (const path of [one, other]) files.push(await open(systemPath(path)));
    const [first, second] = files as [FileHandle, FileHandle];
    const pieces = [Buffer.alloc(pieceBytes), Buffer.alloc(pieceBytes)] as const;
    for (;;) {
      const { bytesRead } = await first.read(pieces[0], 0, pieceBytes);
      if (bytesRead !== (await second.read(pieces[1], 0, pieceBytes)).bytesRead) return false;
      if (bytesRead === 0) return true;
      if (!pieces[0].subarray(0, bytesRead).equals(pieces[1].subarray(0, bytesRead))) return false;
    }
  } finally {
    for (const file of files) await file.close();
  }
}
