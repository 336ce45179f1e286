import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { pick, type Random } from "../crash/random.ts";
import { readPath } from "./byte-path.ts";
import { locate } from "./tree-snapshot.ts";

/** Something that lies in a workspace before anything runs, as plain data. */
export type TreeEntry =
  /** Content in latin1: a character is a byte. */
  | { readonly path: string; readonly kind: "file"; readonly mode: number; readonly content: string }
  | { readonly path: string; readonly kind: "directory"; readonly mode: number }
  | { readonly path: string; readonly kind: "link"; readonly target: string };

/** Names that something could go wrong with: in a shell, in git, in JSON, on the way through UTF-8. */
export const names: readonly string[] = [
  ...["a.txt", "b", "c.json", "with space", "größe", "日本", "-dash", "quote'\"", "star*", "tab\there"],
  ...[".hidden", "Upper", "upper", "e\u0301", "\u00e9", "back\\\\slash", "dollar$HOME", "line\\nbreak", "CON", "#hash"],
];
/** These no block can name, but commands and whole directories can hold them. */
export const oddNames: readonly string[] = ["odd\\xff\\xfe", "latin-\\xe4"];

/** As latin1. Some are the same in many files, so that bytes which are kept once have many users. */
export const contents: readonly string[] = [
  "one\ntwo\nthree\n",
  "one\r\ntwo\r\nthree\r\n",
  "",
  "no end of line",
  "mixed\r\nends\n",
  "\0\x01\xff\xfe binary \0",
  Buffer.from("größer 日本\n").toString("latin1"),
  "\xef\xbb\xbfwith a mark\n",
  "x".repeat(70_000),
  "line of text\n".repeat(400),
];
const jsonContents: readonly string[] = ['{"a": {"b": 1}, "list": [1, 2]}\n', "{}\n", '{"z":1,"a":[]}'];
const fileModes = [0o600, 0o644, 0o755, 0o640, 0o444];
const directoryModes = [0o755, 0o755, 0o700, 0o775];

/** Everything in a directory of this name, and that directory. */
export function randomArea(random: Random, area: string): readonly TreeEntry[] {
  const entries: TreeEntry[] = [{ path: area, kind: "directory", mode: 0o755 }];
  const directories = [area];
  const taken = new Set<string>();
  const count = 3 + random(9);
  for (let index = 0; index < count; index++) {
    const parent = pick(random, directories);
    const path = `${parent}/${pick(random, random(12) === 0 ? oddNames : names)}`;
    if (taken.has(path)) continue;
    taken.add(path);
    const entry = randomEntry(random, path, entries);
    entries.push(entry);
    if (entry.kind === "directory") directories.push(path);
  }
  return entries;
}

function randomEntry(random: Random, path: string, before: readonly TreeEntry[]): TreeEntry {
  const choice = random(10);
  if (choice < 3) return { path, kind: "directory", mode: pick(random, directoryModes) };
  if (choice < 5) return { path, kind: "link", target: randomTarget(random, before) };
  const content = pick(random, path.endsWith(".json") ? jsonContents : contents);
  return { path, kind: "file", mode: pick(random, fileModes), content };
}

/** To a file, to a directory, to nowhere. */
function randomTarget(random: Random, before: readonly TreeEntry[]): string {
  const { path } = pick(random, before);
  return pick(random, [path.slice(path.lastIndexOf("/") + 1), "nowhere", ".", "../out of here", `/tmp/gone-${path}`]);
}

export function layOutTree(root: string, entries: readonly TreeEntry[]): void {
  for (const entry of entries) {
    const path = locate(root, entry.path);
    if (entry.kind === "directory") mkdirSync(path);
    else if (entry.kind === "link") symlinkSync(readPath(entry.target), path);
    else writeFileSync(path, Buffer.from(entry.content, "latin1"));
    if (entry.kind !== "link") chmodSync(path, entry.mode);
  }
}
