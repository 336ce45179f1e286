import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { readTree } from "../rig/file-tree.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";

/** An engine in a workspace with one thing of every kind, and a directory beside it that nobody may touch. */
export interface Ground {
  readonly engine: TestEngine;
  readonly machine: TestMachine;
  readonly outside: string;
  /** In the workspace. */
  at(path: string): string;
  /** Everything in the workspace and outside it. */
  tree(): Readonly<Record<string, string>>;
}

export function prepareGround(): Ground {
  const machine = createMachine();
  const outside = createDirectory();
  const at = (path: string): string => join(machine.workspace, path);
  const guarded = [".git/config", "repository/.git/config", ".frond/workflows/own.yaml"];
  for (const path of ["file", "other", "dir/inner", "ünï ☃", ...guarded]) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), `${path}\n`);
  }
  writeFileSync(join(outside, "file"), "outside\n");
  symlinkSync("file", at("link-to-file"));
  symlinkSync("dir", at("link-to-dir"));
  symlinkSync("nowhere", at("dangling"));
  symlinkSync(outside, at("link-outside"));
  execFileSync("mkfifo", [at("fifo")]);
  const tree = () => ({ workspace: JSON.stringify(readTree(machine.workspace)), ...readTree(outside) });
  return { engine: createTestEngine({ machine }), machine, outside, at, tree };
}

function createDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "frond-outside-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Whether the run changed files, as far as its events tell. */
export function announcesChanges(events: readonly RunEvent[]): boolean {
  return events.some(({ type }) => type === "file-changed");
}

/** Nothing is forbidden to root, so root becomes somebody else for a while, to whom these belong. */
export async function asOrdinaryUser(owned: readonly string[], action: () => Promise<void>): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const nobody = 65_534;
  if (isRoot) {
    for (const path of owned) chownSync(path, nobody, nobody);
    process.seteuid?.(nobody);
  }
  try {
    await action();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
