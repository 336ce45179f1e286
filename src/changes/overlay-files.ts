import type { FileProblem, FileState, FileSystem, RootedPath } from "../block/ports.ts";
import { isWithin, parentOf, shownPath } from "../block/rooted-path.ts";
import { UnknownRead } from "../expression/unknown-value.ts";
import { sha256Of } from "./capture-changes.ts";
import { OverlayLayer, type Place, type WayEnd } from "./overlay-layer.ts";

/**
 * A file system over another one: what is read comes from below, what is changed stays here, in memory. Nothing below is ever
 * changed, so that blocks which only change files can run for real in a dry run. What is refused, and in which words, is as on a
 * disk; only what the disk alone knows, such as permissions and free space, is not foreseen.
 */
export class OverlayFiles implements FileSystem {
  readonly #below: FileSystem;
  readonly #layer: OverlayLayer;
  readonly #signal: AbortSignal | undefined;
  /** The last thing that somebody asked for and that is not known, here or below: whoever asked may not have said so. */
  readonly missed: Shared["missed"];

  constructor(below: FileSystem, shared: Partial<Shared> = {}, signal?: AbortSignal) {
    this.#below = below;
    this.#layer = shared.layer ?? new OverlayLayer();
    this.missed = shared.missed ?? { about: undefined };
    this.#signal = signal;
  }

  withSignal(signal: AbortSignal): OverlayFiles {
    return new OverlayFiles(this.#below.withSignal(signal), { layer: this.#layer, missed: this.missed }, signal);
  }

  /** Another one over this, which keeps its changes to itself. */
  over(): OverlayFiles {
    return new OverlayFiles(this, { missed: this.missed });
  }

  get newFileMode(): number {
    return this.#below.newFileMode;
  }

  get newDirectoryMode(): number {
    return this.#below.newDirectoryMode;
  }

  get below(): FileSystem {
    return this.#below;
  }

  get layer(): OverlayLayer {
    return this.#layer;
  }

  /** From now on nobody knows what lies there: whoever looks learns what that depends on. */
  forget(at: RootedPath, about: string): void {
    this.#layer.set(at, { state: { kind: "other" }, unknown: about });
  }

  async look(at: RootedPath): Promise<FileState | FileProblem> {
    const place = this.#find(at);
    switch (place.kind) {
      case "below":
        return this.#below.look(place.at);
      case "entry":
        return place.entry.state;
      case "nowhere":
        return place.end.kind === "link" ? linkOnTheWay(at, place) : { kind: "missing" };
    }
  }

  async read(at: RootedPath, maxBytes: number): ReturnType<FileSystem["read"]> {
    const place = this.#find(at);
    if (place.kind === "below") return this.#below.read(place.at, maxBytes);
    if (place.kind === "nowhere") return noWay(at, place, "read");
    const { state, bytes, source } = place.entry;
    if (state.kind !== "file") return notAFile(at, state);
    if (bytes === undefined) return withMode(await this.#below.read(source ?? at, maxBytes), state.mode);
    if (bytes.length <= maxBytes) return { bytes, mode: state.mode };
    const most = maxBytes.toLocaleString("en-US");
    return { kind: "too-large", message: `'${shownPath(at)}' is larger than ${most} bytes` };
  }

  async hash(at: RootedPath): ReturnType<FileSystem["hash"]> {
    const place = this.#find(at);
    if (place.kind === "below") return this.#below.hash(place.at);
    const moved = unwritten(place);
    if (moved !== undefined) return withMode(await this.#below.hash(moved.source), moved.mode);
    const read = await this.read(at, Number.POSITIVE_INFINITY);
    if ("message" in read) return read;
    return { sha256: sha256Of(read.bytes), size: read.bytes.length, mode: read.mode };
  }

  async readPieces(
    at: RootedPath,
    onPiece: (piece: Uint8Array) => Promise<void>,
  ): ReturnType<FileSystem["readPieces"]> {
    const place = this.#find(at);
    if (place.kind === "below") return this.#below.readPieces(place.at, onPiece);
    const moved = unwritten(place);
    if (moved !== undefined) return withMode(await this.#below.readPieces(moved.source, onPiece), moved.mode);
    const read = await this.read(at, Number.POSITIVE_INFINITY);
    if ("message" in read) return read;
    await onPiece(read.bytes);
    return { size: read.bytes.length, mode: read.mode };
  }

  async list(at: RootedPath, maxNames: number = mostNames): ReturnType<FileSystem["list"]> {
    const place = this.#find(at);
    const state = await this.look(at);
    if ("message" in state) return state;
    if (state.kind === "missing") return missing(at, "listed");
    if (state.kind === "link") return { kind: "forbidden", message: linked(at) };
    if (state.kind !== "directory") return { kind: "unusable", message: `'${shownPath(at)}' is not a directory` };
    const source = place.kind === "below" ? place.at : place.kind === "entry" ? place.entry.source : undefined;
    const found = source === undefined ? [] : await this.#below.list(source, maxNames);
    if ("message" in found) return found;
    const names = new Set(found);
    for (const [name, entry] of this.#layer.entriesIn(at)) {
      if (entry.unknown !== undefined) throw this.#note(entry.unknown);
      if (entry.state.kind === "missing") names.delete(name);
      else names.add(name);
    }
    if (names.size <= maxNames) return [...names].sort();
    const most = maxNames.toLocaleString("en-US");
    return { kind: "too-large", message: `'${shownPath(at)}' holds more than ${most} entries` };
  }

  async replace(at: RootedPath, bytes: Uint8Array, mode: number): Promise<FileProblem | undefined> {
    const found = await this.#inDirectory(at, "written");
    if ("message" in found) return found;
    if (found.kind === "directory") {
      return { kind: "unusable", message: `'${shownPath(at)}' can't be written: it is a directory` };
    }
    if (found.kind !== "missing" && found.kind !== "file") return notAFile(at, found);
    // The caller may use its buffer again.
    const copy = Uint8Array.from(bytes);
    this.#layer.set(at, { state: { kind: "file", mode: mode & permissionBits, size: copy.length }, bytes: copy });
    return undefined;
  }

  async remove(at: RootedPath): Promise<FileProblem | undefined> {
    const found = await this.#inDirectory(at, "removed");
    if ("message" in found) return found;
    if (found.kind === "missing") return missing(at, "removed");
    if (found.kind === "other") return notAFile(at, found);
    if (found.kind === "directory") {
      const names = await this.list(at, Number.POSITIVE_INFINITY);
      if ("message" in names) return names;
      if (names.length > 0) {
        return { kind: "unusable", message: `'${shownPath(at)}' can't be removed: the directory is not empty` };
      }
    }
    this.#layer.remove(at);
    return undefined;
  }

  async removeTree(at: RootedPath): Promise<FileProblem | undefined> {
    const found = await this.look(at);
    if ("message" in found) return found;
    if (found.kind !== "missing") this.#layer.remove(at);
    return undefined;
  }

  async makeDirectory(at: RootedPath, mode: number): Promise<FileProblem | undefined> {
    return this.#make(at, { kind: "directory", mode: mode & permissionBits });
  }

  async makeLink(at: RootedPath, target: string): Promise<FileProblem | undefined> {
    return this.#make(at, { kind: "link", target });
  }

  async rename(from: RootedPath, to: RootedPath): Promise<FileProblem | undefined> {
    const done = `renamed to '${shownPath(to)}'`;
    const moved = await this.#inDirectory(from, done);
    if ("message" in moved) return moved;
    if (moved.kind === "missing") return missing(from, done);
    const found = await this.#inDirectory(to, "made");
    if ("message" in found) return found;
    if (found.kind !== "missing") {
      if (moved.kind === "directory" || found.kind === "directory") {
        return { kind: "exists", message: `'${shownPath(from)}' can't be ${done}: that exists already` };
      }
      if (found.kind !== "file") return notAFile(to, found);
    }
    if (moved.kind === "directory" && isWithin(to, from)) {
      return { kind: "unusable", message: `'${shownPath(from)}' can't be ${done}: that lies in it` };
    }
    const place = this.#find(from);
    const entry = place.kind === "entry" ? place.entry : { state: moved, source: (place as { at: RootedPath }).at };
    this.#layer.move(from, to, entry);
    return undefined;
  }

  async setMode(at: RootedPath, mode: number): Promise<FileProblem | undefined> {
    const found = await this.#inDirectory(at, "given another mode");
    if ("message" in found) return found;
    if (found.kind === "missing") return missing(at, "given another mode");
    if (found.kind !== "file" && found.kind !== "directory") return notAFile(at, found);
    const place = this.#find(at);
    const entry = place.kind === "entry" ? place.entry : { source: (place as { at: RootedPath }).at };
    this.#layer.set(at, { ...entry, state: { ...found, mode: mode & permissionBits } });
    return undefined;
  }

  async #make(at: RootedPath, state: FileState): Promise<FileProblem | undefined> {
    const found = await this.#inDirectory(at, "made");
    if ("message" in found) return found;
    if (found.kind !== "missing") {
      return { kind: "exists", message: `'${shownPath(at)}' can't be made: it exists already` };
    }
    this.#layer.set(at, { state });
    return undefined;
  }

  /** What lies at a path whose directory there is. */
  async #inDirectory(at: RootedPath, done: string): Promise<FileState | FileProblem> {
    if (at.path === "") return { kind: "forbidden", message: `'${at.path}' names no file` };
    const parent = parentOf(at);
    if (parent.path !== "") {
      const directory = await this.look(parent);
      if ("message" in directory) return directory;
      if (directory.kind === "link") return linkOnTheWay(at, { name: nameOf(parent) });
      if (directory.kind !== "directory") {
        return noWay(at, { name: shownPath(parent), end: directory }, done);
      }
    }
    return this.look(at);
  }

  #find(at: RootedPath): Place {
    this.#signal?.throwIfAborted();
    const place = this.#layer.find(at);
    const unknown = place.kind === "entry" ? place.entry.unknown : place.kind === "nowhere" ? place.unknown : undefined;
    if (unknown !== undefined) throw this.#note(unknown);
    return place;
  }

  /** Whatever a block makes of it, that it looked is remembered. */
  #note(about: string): UnknownRead {
    this.missed.about = about;
    return new UnknownRead(about);
  }
}

interface Shared {
  readonly layer: OverlayLayer;
  readonly missed: { about: string | undefined };
}

/** As on a disk: the bits that let others act as the owner are neither told nor set. */
const permissionBits = 0o1777;
const mostNames = 100_000;

/** A file with the bytes of one below, whose mode may be another. */
function unwritten(place: Place): { readonly source: RootedPath; readonly mode: number } | undefined {
  if (place.kind !== "entry" || place.entry.bytes !== undefined) return undefined;
  const { source, state } = place.entry;
  return source === undefined || state.kind !== "file" ? undefined : { source, mode: state.mode };
}

function withMode<T extends { readonly mode: number }>(read: T | FileProblem, mode: number): T | FileProblem {
  return "message" in read ? read : { ...read, mode };
}

function nameOf({ path }: RootedPath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function linked(at: RootedPath): string {
  return `'${nameOf(at)}' in '${shownPath(at)}' is a symbolic link, and links are not followed`;
}

function linkOnTheWay(at: RootedPath, { name }: { readonly name: string }): FileProblem {
  return {
    kind: "forbidden",
    message: `'${name}' in '${shownPath(at)}' is a symbolic link, and links are not followed`,
  };
}

function missing(at: RootedPath, done: string): FileProblem {
  return { kind: "missing", message: `'${shownPath(at)}' can't be ${done}: it does not exist` };
}

function noWay(at: RootedPath, { name, end }: WayEnd, done: string): FileProblem {
  if (end.kind === "link") return linkOnTheWay(at, { name });
  const why = end.kind === "missing" ? `there is no directory '${name}'` : `'${name}' is not a directory`;
  return { kind: "missing", message: `'${shownPath(at)}' can't be ${done}: ${why}` };
}

function notAFile(at: RootedPath, state: FileState): FileProblem {
  const path = shownPath(at);
  if (state.kind === "missing") return { kind: "missing", message: `the file '${path}' does not exist` };
  if (state.kind === "link") return { kind: "forbidden", message: linked(at) };
  if (state.kind === "directory") return { kind: "forbidden", message: `'${path}' is a directory, not a file` };
  return { kind: "forbidden", message: `'${path}' is not a regular file` };
}
