import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { pick, type Random } from "../crash/random.ts";
import { names } from "./random-tree.ts";
import { locate, type TreeSnapshot, takeSnapshot } from "./tree-snapshot.ts";

/** What somebody else has done to a workspace, while Frond was or was not looking. */
export interface ForeignEdit {
  readonly path: string;
  /** What they wrote there; nothing when they removed it or changed its mode. */
  readonly bytes?: Buffer;
}

let lastEdit = 0;

/** Does to a workspace what a person would. Every text that is written is found nowhere else. */
export function editAsBystander(random: Random, workspace: string, within: readonly string[]): readonly ForeignEdit[] {
  const snapshot = takeSnapshot(workspace);
  const known = [...snapshot].filter(([path]) => within.includes(path.split("/")[0] as string));
  const directories = known.filter(([, { what }]) => what.kind === "directory").map(([path]) => path);
  const files = known.filter(([, { what }]) => what.kind === "file").map(([path]) => path);
  const bytes = Buffer.from(`somebody else's, edit ${++lastEdit} of ${process.pid}\n`);
  const directory = pick(random, directories);
  const file = pick(random, files);
  switch (random(6)) {
    case 0: {
      if (directory === undefined) return [];
      return write(workspace, `${directory}/${pick(random, names)}`, bytes, snapshot);
    }
    case 1: {
      if (directory === undefined) return [];
      const made = `${directory}/theirs ${lastEdit}`;
      mkdirSync(locate(workspace, made));
      return [{ path: made }, ...write(workspace, `${made}/${pick(random, names)}`, bytes, snapshot)];
    }
    case 2:
    case 3:
      return file === undefined ? [] : write(workspace, file, bytes, snapshot);
    case 4: {
      const path = random(3) === 0 ? directory : file;
      if (path === undefined || within.includes(path)) return [];
      rmSync(locate(workspace, path), { recursive: true });
      return [...snapshot.keys()]
        .filter((one) => one === path || one.startsWith(`${path}/`))
        .map((one) => ({ path: one }));
    }
    default: {
      if (file === undefined) return [];
      const { mode } = statSync(locate(workspace, file));
      chmodSync(locate(workspace, file), (mode & 0o777) === 0o711 ? 0o700 : 0o711);
      return [{ path: file }];
    }
  }
}

/** Writes as a person would who works beside a run: a new file, or what they want to have in one that is there. */
export function writeAsBystander(random: Random, workspace: string, within: readonly string[]): readonly ForeignEdit[] {
  const snapshot = takeSnapshot(workspace);
  const known = [...snapshot].filter(([path]) => within.includes(path.split("/")[0] as string));
  const kind = random(2) === 0 ? "directory" : "file";
  const chosen = pick(
    random,
    known.filter(([, { what }]) => what.kind === kind).map(([path]) => path),
  );
  if (chosen === undefined) return [];
  const bytes = Buffer.from(`somebody else's, edit ${++lastEdit} of ${process.pid}\n`);
  return write(workspace, kind === "directory" ? `${chosen}/theirs ${lastEdit}` : chosen, bytes, snapshot);
}

function write(workspace: string, path: string, bytes: Buffer, snapshot: TreeSnapshot): ForeignEdit[] {
  const kind = snapshot.get(path)?.what.kind;
  if (kind !== undefined && kind !== "file") return [];
  const at = locate(workspace, path);
  if (existsSync(at)) chmodSync(at, statSync(at).mode | 0o200);
  writeFileSync(at, bytes);
  return [{ path, bytes }];
}
