import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Observer } from "../../src/changes/observer.ts";
import { createEnvironment } from "../../src/platform/environment.ts";
import { createBlobs } from "../../src/platform/files/blobs.ts";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { createObserver } from "../../src/platform/files/observe/observer.ts";
import { comparePairs, median, timed } from "./pairs.ts";

export interface ObserveFigures {
  /** Looking before and after a command that changes nothing, by what `git status` takes for the same tree. */
  readonly warm: { readonly ratio: number; readonly a: number; readonly b: number };
  /** The same when nothing is known of the tree yet. */
  readonly coldMs: number;
  /** For how long the event loop was held at most, above what it is when nothing is done. */
  readonly heldMs: number;
}

const directories = 500;
const filesEach = 100;

/** In a repository of 50,000 files, all of them tracked and unchanged. */
export async function measureObserving(pairs: number, workspace: string, state: string): Promise<ObserveFigures> {
  const tree = join(workspace, "observed");
  makeTree(tree);
  const environment = createEnvironment(process.env);
  const blobs = createBlobs(join(state, "blobs"), { mostBytes: 1e9 });
  const observer = createObserver({ stateDirectory: state, environment, files: createFileSystem(), blobs });
  const status = (): Promise<number> =>
    timed(async () => spawnSync("git", ["--no-optional-locks", "status", "--porcelain"], { cwd: tree }));
  const look = (): Promise<number> => timed(() => lookTwice(observer, tree));
  await status();
  const coldMs = await look();
  await look();
  const held: number[] = [];
  for (let pair = 0; pair < pairs; pair++) held.push((await longestHold(look)) - (await longestHold(() => sleep(300))));
  const warm = await comparePairs(pairs, look, status);
  return { warm, coldMs, heldMs: median(held) };
}

async function longestHold(action: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await action();
  delay.disable();
  return delay.max / 1e6;
}

async function lookTwice(observer: Observer, workspace: string): Promise<void> {
  const request = { runId: "run_1", workspace, signal: new AbortController().signal };
  const begun = await observer.begin({ ...request, writes: [] });
  if (!begun.ok) throw new Error(begun.error);
  const compared = await observer.compare(begun.value.snapshot, request);
  if (!compared.ok || compared.value.changes.length > 0) throw new Error("Nothing has changed.");
}

function makeTree(root: string): void {
  for (let directory = 0; directory < directories; directory++) {
    const path = join(root, `package-${directory % 50}`, "src", `module-${directory}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesEach; file++) {
      writeFileSync(join(path, `file-${file}.txt`), `${directory} ${file}\n`.repeat(1 + ((file * 7) % 60)));
    }
  }
  const git = (...args: readonly string[]): void => void execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init", "--quiet");
  git("add", "--all");
  // It would go on tidying up when the tree is removed.
  git("config", "gc.auto", "0");
  git("-c", "user.name=Bench", "-c", "user.email=bench@example.org", "commit", "--quiet", "--message=All");
  git("status");
}
