import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Blobs } from "../../src/block/ports.ts";
import { shownPath } from "../../src/block/rooted-path.ts";
import type { NotObserved, ObservedChanges, Observer } from "../../src/changes/observer.ts";
import type { RecordedChange } from "../../src/changes/recorded-change.ts";
import { writeState } from "../../src/changes/state-text.ts";
import { createEnvironment } from "../../src/platform/environment.ts";
import { createBlobs } from "../../src/platform/files/blobs.ts";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { createObserver } from "../../src/platform/files/observe/observer.ts";
import { git } from "../rig/git-repository.ts";
import { unwrap } from "../rig/unwrap.ts";

/** A workspace to observe, with a state directory beside it. */
export interface ObserveGround {
  readonly root: string;
  readonly workspace: string;
  readonly state: string;
  readonly blobs: Blobs;
  readonly observer: Observer;
  at(path: string): string;
  write(path: string, content: string | Uint8Array): void;
  git(...args: readonly string[]): string;
  /** A new observer, as another process would have it. */
  restart(): Observer;
  begin(writes?: readonly string[]): Promise<string>;
  notCaptured: readonly NotObserved[];
  compare(snapshot: string): Promise<ObservedChanges>;
  /** What a command does to the workspace, as `observed path: before -> after` with the bytes in the place of digests. */
  observe(command: string, writes?: readonly string[]): Promise<readonly string[]>;
}

const runId = "run_1";

export function makeObserveGround(mostBytes = 100_000_000): ObserveGround {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "frond-observe-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [workspace, state, home] = ["workspace", "state", "home"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const directory of [workspace, state, home]) mkdirSync(directory);
  const environment = createEnvironment({ PATH: process.env.PATH ?? "", HOME: home, GIT_DIR: "/nonexistent" });
  const blobs = createBlobs(join(state, "blobs"), { mostBytes });
  const create = (): Observer =>
    createObserver({ stateDirectory: state, environment, files: createFileSystem(), blobs });
  const signal = new AbortController().signal;
  const ground: ObserveGround = {
    root,
    workspace,
    state,
    blobs,
    observer: create(),
    notCaptured: [],
    at: (path) => join(workspace, path),
    write(path, content) {
      const file = join(workspace, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
    git: (...args) => git(workspace, ...args),
    restart: create,
    async begin(writes = []) {
      const { snapshot, notCaptured } = unwrap(await ground.observer.begin({ runId, workspace, writes, signal }));
      ground.notCaptured = notCaptured;
      return snapshot;
    },
    async compare(snapshot) {
      return unwrap(await ground.observer.compare(snapshot, { runId, workspace, signal }));
    },
    async observe(command, writes) {
      const snapshot = await ground.begin(writes);
      run(workspace, command);
      const observed = await ground.compare(snapshot);
      ground.notCaptured = observed.notCaptured;
      return await Promise.all(observed.changes.map((change) => describeChange(change, blobs)));
    },
  };
  return ground;
}

function run(workspace: string, command: string): void {
  const identity = ["GIT_AUTHOR", "GIT_COMMITTER"].flatMap((who) => [
    [`${who}_NAME`, "Test"],
    [`${who}_EMAIL`, "test@example.org"],
  ]);
  const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", ...Object.fromEntries(identity) };
  execFileSync("bash", ["-euc", command], { cwd: workspace, env, stdio: "pipe" });
}

/** As if nobody had touched it for a long time. */
export function age(path: string): void {
  const before = new Date(Date.now() - 3_600_000);
  utimesSync(path, before, before);
}

async function describeChange(change: RecordedChange, blobs: Blobs): Promise<string> {
  if (change.kind === "ref") {
    const { repository, name, before, after } = change;
    return `ref ${shownPath(repository)} ${name}: ${shorten(before)} -> ${shorten(after)}`;
  }
  if (change.kind !== "observed") throw new Error(`Nobody has observed ${change.kind}.`);
  const show = async (state: typeof change.before | typeof change.after): Promise<string> => {
    if (state.kind !== "file") return writeState(state);
    const { mode, sha256 } = state;
    if (!state.kept || sha256 === undefined) return `file ${mode.toString(8)} not kept`;
    const bytes = await blobs.get(sha256);
    return `file ${mode.toString(8)} ${JSON.stringify(bytes === undefined ? null : Buffer.from(bytes).toString())}`;
  };
  return `${change.at.path}: ${await show(change.before)} -> ${await show(change.after)}`;
}

function shorten(value: string | null): string {
  if (value === null) return "missing";
  return value.startsWith("ref: ") ? value : "commit";
}
