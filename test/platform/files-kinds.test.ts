import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { type FileGround, makeFileGround } from "./file-ground.ts";
import { type FileStep, perform } from "./file-steps.ts";

/** What lies at a path, and the beginning of what each operation answers there. */
interface Kind {
  readonly is: string;
  readonly path?: string;
  make(ground: FileGround): void;
  readonly look: unknown;
  readonly read: string;
  readonly list: unknown;
  readonly replace: string;
  readonly remove: string;
  readonly makeDirectory: string;
  readonly makeLink: string;
  readonly setMode: string;
  readonly renameFrom: string;
  readonly renameTo: string;
}

const file = {
  list: "unusable: 'it' is not a directory",
  replace: "done",
  remove: "done",
  makeDirectory: "exists: 'it' can't be made: it exists already",
  makeLink: "exists: 'it' can't be made: it exists already",
  setMode: "done",
  renameFrom: "done",
  renameTo: "done",
};
const unreachable = {
  look: { kind: "missing" },
  read: "missing",
  list: "missing",
  replace: "missing",
  remove: "missing",
  makeDirectory: "missing",
  makeLink: "missing",
  setMode: "missing",
  renameFrom: "missing",
  renameTo: "missing",
};
const directory = {
  look: { kind: "directory", mode: 0o755 },
  read: "forbidden: 'it' is a directory, not a file",
  replace: "unusable: 'it' can't be written: it is a directory",
  makeDirectory: "exists",
  makeLink: "exists",
  setMode: "done",
  renameFrom: "done",
  renameTo: "exists: 'other' can't be renamed to 'it': that exists already",
};
const isLink = "forbidden: 'it' in 'it' is a symbolic link, and links are not followed";
const link = {
  read: isLink,
  list: isLink,
  replace: isLink,
  remove: "done",
  makeDirectory: "exists",
  makeLink: "exists",
  setMode: isLink,
  renameFrom: "done",
  renameTo: isLink,
};
const throughLink = "forbidden: 'linked' in 'linked/secret' is a symbolic link, and links are not followed";

const kinds: readonly Kind[] = [
  {
    is: "nothing",
    make: () => undefined,
    look: { kind: "missing" },
    read: "missing: the file 'it' does not exist",
    list: "missing: 'it' can't be listed: it does not exist",
    replace: "done",
    remove: "missing: 'it' can't be removed: it does not exist",
    makeDirectory: "done",
    makeLink: "done",
    setMode: "missing: 'it' can't be given another mode: it does not exist",
    renameFrom: "missing: 'it' can't be renamed to 'other': it does not exist",
    renameTo: "done",
  },
  {
    ...unreachable,
    is: "nothing, in no directory",
    path: "gone/it",
    make: () => undefined,
    read: "missing: 'gone/it' can't be read: there is no directory 'gone'",
    renameTo: "missing: 'gone/it' can't be made: there is no directory 'gone'",
  },
  {
    ...unreachable,
    is: "nothing, below a file",
    path: "a/file/it",
    make: ({ at }) => {
      mkdirSync(at("a"));
      writeFileSync(at("a/file"), "text");
    },
    replace: "missing: 'a/file/it' can't be written: 'a/file' is not a directory",
  },
  {
    ...file,
    is: "a file",
    make: ({ at }) => writeFileSync(at("it"), "text", { mode: 0o640 }),
    look: { kind: "file", mode: 0o640, size: 4 },
    read: "text",
  },
  {
    ...file,
    is: "an empty file",
    make: ({ at }) => writeFileSync(at("it"), "", { mode: 0o644 }),
    look: { kind: "file", mode: 0o644, size: 0 },
    read: "",
  },
  {
    ...file,
    is: "a file that may only be read",
    make: ({ at }) => writeFileSync(at("it"), "text", { mode: 0o444 }),
    look: { kind: "file", mode: 0o444, size: 4 },
    read: "text",
  },
  {
    ...directory,
    is: "an empty directory",
    make: ({ at }) => makeOpenDirectory(at("it")),
    list: [],
    remove: "done",
  },
  {
    ...directory,
    is: "a directory with something in it",
    make: ({ at }) => {
      makeOpenDirectory(at("it"));
      writeFileSync(at("it/b"), "");
      writeFileSync(at("it/A"), "");
      writeFileSync(at("it/a"), "");
    },
    list: ["A", "a", "b"],
    remove: "unusable: 'it' can't be removed: the directory is not empty",
  },
  {
    ...link,
    is: "a link to a file",
    make: ({ at, outside }) => symlinkSync(`${outside}/secret`, at("it")),
    look: { kind: "link", target: expect.stringMatching(/outside\/secret$/) },
  },
  {
    ...link,
    is: "a link to a directory",
    make: ({ at }) => symlinkSync("../outside", at("it")),
    look: { kind: "link", target: "../outside" },
  },
  {
    ...link,
    is: "a dangling link",
    make: ({ at }) => symlinkSync("../outside/new", at("it")),
    look: { kind: "link", target: "../outside/new" },
  },
  {
    ...link,
    is: "a link to itself",
    make: ({ at }) => symlinkSync("it", at("it")),
    look: { kind: "link", target: "it" },
  },
  {
    is: "a file below a linked directory",
    path: "linked/secret",
    make: ({ at }) => symlinkSync("../outside", at("linked")),
    look: throughLink,
    read: throughLink,
    list: throughLink,
    replace: throughLink,
    remove: throughLink,
    makeDirectory: throughLink,
    makeLink: throughLink,
    setMode: throughLink,
    renameFrom: throughLink,
    renameTo: throughLink,
  },
  {
    is: "a FIFO",
    make: ({ at }) => execFileSync("mkfifo", [at("it")]),
    look: { kind: "other" },
    read: "forbidden: 'it' is not a regular file",
    list: "unusable: 'it' is not a directory",
    replace: "forbidden: 'it' is not a regular file",
    remove: "forbidden: 'it' is not a regular file",
    makeDirectory: "exists",
    makeLink: "exists",
    setMode: "forbidden: 'it' is not a regular file",
    renameFrom: "done",
    renameTo: "forbidden: 'it' is not a regular file",
  },
];

function makeOpenDirectory(path: string): void {
  mkdirSync(path);
  chmodSync(path, 0o755);
}

type Operation = Exclude<keyof Kind, "is" | "path" | "make">;

const steps: Record<Operation, (path: string) => FileStep> = {
  look: (path) => ["look", path],
  read: (path) => ["read", path],
  list: (path) => ["list", path],
  replace: (path) => ["replace", path, "new"],
  remove: (path) => ["remove", path],
  makeDirectory: (path) => ["makeDirectory", path],
  makeLink: (path) => ["makeLink", path, "../outside"],
  setMode: (path) => ["setMode", path],
  renameFrom: (path) => ["rename", path, "other"],
  renameTo: (path) => ["rename", "other", path],
};

/** What is at another path afterwards than before, by what is said to have been done. */
function expectedTree(operation: Operation, before: Record<string, string>): Record<string, string> {
  const entries = Object.entries(before);
  const isIt = (path: string): boolean => /^it(\/|$)/.test(path);
  const others = Object.fromEntries(entries.filter(([path]) => !isIt(path)));
  switch (operation) {
    case "replace":
      return { ...others, it: "new" };
    case "remove":
      return others;
    case "makeDirectory":
      return { ...others, "it/": "directory" };
    case "makeLink":
      return { ...others, it: "link to ../outside" };
    case "renameFrom":
      return Object.fromEntries(entries.map(([path, what]) => [isIt(path) ? `other${path.slice(2)}` : path, what]));
    case "renameTo":
      return { it: "moved" };
    default:
      return before;
  }
}

describe.each(["linux", "darwin", "freebsd"] as const)("as on %s", (platform) => {
  const files = createFileSystem(platform);

  describe.each(kinds)("where $is lies", (kind) => {
    test.each(Object.keys(steps) as Operation[])("%s does what it says, or nothing at all", async (operation) => {
      const ground = makeFileGround();
      kind.make(ground);
      if (operation === "renameTo") writeFileSync(ground.at("other"), "moved");
      const before = ground.tree();
      const canary = ground.canary();
      const answer = await perform(files, ground.root, steps[operation](kind.path ?? "it"));
      const expected = kind[operation];
      const begins = typeof expected === "string" && expected !== "";
      expect(begins ? String(answer).slice(0, expected.length) : answer).toEqual(expected);
      expect(ground.tree()).toEqual(answer === "done" ? expectedTree(operation, before) : before);
      expect(ground.canary()).toEqual(canary);
    });
  });
});
