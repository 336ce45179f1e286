import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { FileChange } from "../../src/block/block-files.ts";
import type { BlockContext, LeafBehaviour } from "../../src/block/define-block.ts";
import type { FileSystem } from "../../src/block/ports.ts";
import { prompt } from "../../src/blocks/prompt.ts";
import { JournaledFiles } from "../../src/engine/journaled-files.ts";
import { type LeafAttempt, type LeafResult, runLeaf } from "../../src/engine/run-leaf.ts";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { createMemoryBlobs } from "../../src/platform/files/memory-blobs.ts";
import { KeyedLocks } from "../../src/util/keyed-locks.ts";
import { readTree } from "../rig/file-tree.ts";
import { keepIn } from "../rig/make-changes.ts";

interface Ground {
  readonly workspace: string;
  /** Three directories to be made, one in the other. */
  readonly changes: readonly FileChange[];
}

function prepare(): Ground {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "frond-attempt-")));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const changes = ["a", "a/b", "a/b/c"].map((path) => ({
    kind: "make-directory" as const,
    at: { root: workspace, path },
  }));
  return { workspace, changes };
}

interface Around {
  readonly signal: AbortSignal;
  readonly fileSystem?: FileSystem;
  announce?(): Promise<void>;
  confirmHeld?(): Promise<void>;
}

function openFiles({ workspace }: Ground, { signal, fileSystem, announce, confirmHeld }: Around): JournaledFiles {
  return new JournaledFiles({
    runId: "run_1",
    fileSystem: fileSystem ?? createFileSystem(),
    signal,
    locks: new KeyedLocks(),
    workspace,
    stateDirectory: "/nowhere",
    ...keepIn(createMemoryBlobs()),
    recall: async () => undefined,
    announce: async ({ changes }) => {
      await announce?.();
      changes(1);
    },
    confirmHeld: confirmHeld ?? (async () => {}),
  });
}

describe("changes of files", () => {
  test("end where the signal finds them", async () => {
    const ground = prepare();
    const stopping = new AbortController();
    let confirmed = 0;
    const files = openFiles(ground, {
      signal: stopping.signal,
      async confirmHeld() {
        if (++confirmed === 2) stopping.abort(new Error("told to stop"));
      },
    });
    await expect(files.change(ground.changes, {})).rejects.toThrow("told to stop");
    expect(Object.keys(readTree(ground.workspace))).toEqual(["a/"]);
    expect(files.progress).toBe("1 of 3 file changes were made");
  });

  test("end when another process has taken the run", async () => {
    const ground = prepare();
    let confirmed = 0;
    const files = openFiles(ground, {
      signal: new AbortController().signal,
      async confirmHeld() {
        if (++confirmed === 3) throw new Error("taken");
      },
    });
    await expect(files.change(ground.changes, {})).rejects.toThrow("taken");
    expect(Object.keys(readTree(ground.workspace))).toEqual(["a/", "a/b/"]);
  });

  test("are not announced for an attempt that ended while they waited for their turn", async () => {
    const ground = prepare();
    const stopping = new AbortController();
    const files = openFiles(ground, {
      signal: stopping.signal,
      announce: async () => stopping.abort(new Error("told to stop")),
    });
    await expect(files.change(ground.changes, {})).rejects.toThrow("told to stop");
    expect(files.progress).toBeUndefined();
    expect(readTree(ground.workspace)).toEqual({});
  });
});

function gate(): { readonly passed: Promise<void>; open(): void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

/** Calls a block of one's own code in an attempt that is cancelled by hand. */
function call(
  run: LeafBehaviour["run"],
  begin: (signal: AbortSignal) => LeafAttempt,
): { readonly result: Promise<LeafResult>; cancel(): void } {
  const cancelling = new AbortController();
  const behaviour: LeafBehaviour = { kind: "leaf", run };
  const result = runLeaf(
    { type: prompt, behaviour, input: {}, timeoutSeconds: undefined, how: { kind: "run" }, defaults: {} },
    begin,
    cancelling.signal,
  );
  return { result, cancel: () => cancelling.abort({ cause: "cancelled", message: "cancelled" }) };
}

function attemptWith(files: JournaledFiles, signal: AbortSignal): LeafAttempt {
  const context = { files, signal } as unknown as BlockContext;
  return { context, settled: () => files.settled().then(() => files.progress) };
}

describe("an attempt", () => {
  afterEach(() => void vi.useRealTimers());

  test("has ended only when the change has, that the system was making; and the ending says that it was made", async () => {
    const ground = prepare();
    const [begun, working] = [gate(), gate()];
    const real = createFileSystem();
    // A system call that takes long can't be told to stop.
    const slow: FileSystem = {
      ...real,
      withSignal: () => slow,
      async makeDirectory(at, mode) {
        begun.open();
        await working.passed;
        return real.makeDirectory(at, mode);
      },
    };
    const [change] = ground.changes as [FileChange];
    vi.useFakeTimers();
    const { result, cancel } = call(
      async (_input, { files }) => {
        await files.change([change], {});
        return { kind: "succeeded", outputs: {} };
      },
      (signal) => attemptWith(openFiles(ground, { signal, fileSystem: slow }), signal),
    );
    let hasEnded = false;
    void result.then(() => {
      hasEnded = true;
    });
    await begun.passed;
    cancel();
    // Longer than a block is waited for that does not stop.
    await vi.advanceTimersByTimeAsync(60_000);
    expect(hasEnded).toBe(false);
    working.open();
    vi.useRealTimers();
    expect(await result).toMatchObject({ ending: { message: "cancelled; 1 of 1 file changes were made" } });
    expect(Object.keys(readTree(ground.workspace))).toEqual(["a/"]);
  });

  test.each(["succeeds", "is cancelled"])("that %s leaves code that goes on without a way to files", async (how) => {
    const ground = prepare();
    writeFileSync(join(ground.workspace, "file"), "text");
    mkdirSync(join(ground.workspace, "directory"));
    const before = readTree(ground.workspace);
    const ended = gate();
    let late: Promise<unknown>[] = [];
    vi.useFakeTimers();
    const { result, cancel } = call(
      async (_input, { files }) => {
        const at = { root: ground.workspace, path: "file" };
        const acts: (() => Promise<unknown>)[] = [
          () => files.look(at),
          () => files.read(at, 10),
          () => files.list({ root: ground.workspace, path: "directory" }),
          () => files.exclusively(at, async () => "alone"),
          () => files.change(ground.changes, {}),
        ];
        late = acts.map((act) => ended.passed.then(act).catch((error: Error) => error.name));
        return how === "succeeds" ? { kind: "succeeded", outputs: { response: "" } } : await new Promise(() => {});
      },
      (signal) => attemptWith(openFiles(ground, { signal }), signal),
    );
    if (how === "is cancelled") cancel();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await result).toMatchObject({ kind: "ended" });
    vi.useRealTimers();
    ended.open();
    expect(new Set(await Promise.all(late))).toEqual(new Set(["AbortError"]));
    expect(readTree(ground.workspace)).toEqual(before);
  });
});
