import { createHash, randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOurs } from "./ownership.ts";

interface KeptHead {
  readonly description: string;
  readonly tags: readonly string[];
}

type Heads = ReadonlyMap<string, KeptHead>;

interface HeadStore {
  read(directory: string): Heads;
  write(directory: string, heads: Heads): void;
}

/** Directories of workflows that something is kept of: more than anybody works in at a time. */
const mostDirectories = 64;

/**
 * Keeps what lists show of workflow files, in the state directory: one file for each directory of workflows, which holds what is there
 * now and nothing else. It is replaced as a whole, so that of several writers one wins. Nothing depends on it: a file that is damaged, is
 * not ours, or was written by another Frond says nothing, and what can't be written is read again. `maker` tells one Frond from another.
 */
export function createHeadStore(stateDirectory: string, maker: string): HeadStore {
  const store = join(stateDirectory, "heads");
  const memory = new Map<string, Heads>();
  const fileOf = (directory: string): string => join(store, `${sumOf(directory).slice(0, 32)}.json`);

  function readFile(directory: string): Heads {
    try {
      const file = fileOf(directory);
      if (![stateDirectory, store, file].every((path) => isOurs(lstatSync(path)))) return new Map();
      const [head = "", body = ""] = readFileSync(file, "utf8").split("\n");
      return head === headline(directory, maker, body) ? parse(JSON.parse(body)) : new Map();
    } catch {
      return new Map();
    }
  }

  return {
    read: (directory) => memory.get(directory) ?? readFile(directory),
    write(directory, heads) {
      if (memory.size >= mostDirectories) memory.clear();
      memory.set(directory, new Map(heads));
      try {
        // Whoever only looks at workflows gets no state directory by that.
        if (!isOurs(lstatSync(stateDirectory))) return;
        mkdirSync(store, { recursive: true, mode: 0o700 });
        const body = JSON.stringify(Object.fromEntries(heads));
        replace(fileOf(directory), `${headline(directory, maker, body)}\n${body}\n`);
        removeOldest(store);
      } catch {
        // A state directory that can't be written makes lists slower, and nothing else.
      }
    },
  };
}

/** The same without leaving a trace. */
export function readOnlyHeads(store: HeadStore): HeadStore {
  return { read: store.read, write() {} };
}

/** What the first line has to be for the second to be believed. */
function headline(directory: string, maker: string, body: string): string {
  return JSON.stringify({ directory, maker, sum: sumOf(body) });
}

function parse(body: unknown): Heads {
  const entries = Object.entries(body as object) as [string, unknown][];
  return new Map(entries.filter((entry): entry is [string, KeptHead] => isHead(entry[1])));
}

function isHead(value: unknown): value is KeptHead {
  if (typeof value !== "object" || value === null) return false;
  const { description, tags } = value as Partial<Record<keyof KeptHead, unknown>>;
  return typeof description === "string" && Array.isArray(tags) && tags.every((tag) => typeof tag === "string");
}

function removeOldest(store: string): void {
  const files = readdirSync(store).map((name) => join(store, name));
  if (files.length <= mostDirectories) return;
  const dated = files.map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  const oldest = dated.sort((one, other) => one.time - other.time).slice(0, files.length - mostDirectories);
  for (const { file } of oldest) rmSync(file, { force: true });
}

function replace(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(12).toString("hex")}`;
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
  renameSync(temporary, path);
}

function sumOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
