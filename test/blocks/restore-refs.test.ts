import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestEngine, type Outcome, type TestEngine } from "../rig/engine.ts";
import { createRepository, git } from "../rig/git-repository.ts";
import { createMachine } from "../rig/machine.ts";
import { restoreBlocks } from "../rig/restore-blocks.ts";
import { runBlock } from "../rig/run-block.ts";
import { waitFor } from "../rig/wait-for.ts";

interface Ground {
  readonly engine: TestEngine;
  git(...args: readonly string[]): string;
  readonly first: string;
  readonly second: string;
  readonly inputs: object;
}

const machineOptions = { environment: { HOME: "/nonexistent" } };

/** A repository in which somebody has made a commit and a branch, and a directory beside. */
function prepare(): Ground {
  const engine = createTestEngine({ ...machineOptions, machine: createMachine() });
  const run = (...args: readonly string[]): string => git(engine.workspace, ...args);
  writeFileSync(join(engine.workspace, "a"), "first");
  createRepository(engine.workspace);
  const first = run("rev-parse", "HEAD");
  writeFileSync(join(engine.workspace, "a"), "second");
  run("commit", "--quiet", "--all", "--message=second");
  run("branch", "new");
  const second = run("rev-parse", "HEAD");
  const inputs = {
    files: [{ path: "made", expect: "missing", restore: "directory 0755" }],
    refs: [
      { repository: ".git", name: "refs/heads/main", expect: second, restore: first },
      { repository: ".git", name: "refs/heads/new", expect: second, restore: "missing" },
    ],
  };
  return { engine, git: run, first, second, inputs };
}

function restore(engine: TestEngine, inputs: object): Promise<Outcome> {
  return engine.run({ blocks: [{ id: "it", type: "RestoreFiles", inputs }] });
}

test("refs go back when the files are restored, and forth again; twice is once", async () => {
  const { engine, git: run, first, second, inputs } = prepare();
  const { response, state, events } = await restore(engine, inputs);
  expect(response.status, JSON.stringify(response)).toBe("success");
  expect(state.root.record.blocks.it?.outputs).toEqual({ restored: 3, already: 0, conflicts: [] });
  expect(run("rev-parse", "main")).toBe(first);
  expect(run("branch", "--list", "new")).toBe("");
  // Neither the index nor the files.
  expect(readFileSync(join(engine.workspace, "a"), "utf8")).toBe("second");
  expect(run("diff", "--cached", "--name-only")).toBe("a");

  const again = await restore(engine, inputs);
  expect(again.state.root.record.blocks.it?.outputs).toEqual({ restored: 0, already: 3, conflicts: [] });
  expect(again.events.filter(({ type }) => type === "file-changed")).toEqual([]);

  const redone = await engine.run({ blocks: restoreBlocks(events) });
  expect(redone.response.status, JSON.stringify(redone.response)).toBe("success");
  expect(run("rev-parse", "main", "new")).toBe(`${second}\n${second}`);
});

test("a ref that somebody has moved since stays, and everything else is restored; force moves it", async () => {
  const { engine, git: run, first, inputs } = prepare();
  run("commit", "--quiet", "--allow-empty", "--message=third");
  const third = run("rev-parse", "main");
  const { state } = await restore(engine, inputs);
  expect(state.root.record.blocks.it?.metadata).toMatchObject({
    outcome: "failure",
    message: "1 path was not restored (2 restored): 'refs/heads/main': it was moved since",
  });
  expect(state.root.record.blocks.it?.outputs.conflicts).toMatchObject([{ path: "refs/heads/main", found: third }]);
  expect(run("rev-parse", "main")).toBe(third);
  expect(run("branch", "--list", "new")).toBe("");

  const { outputs } = await runBlock(engine, "RestoreFiles", { ...inputs, on_conflict: "force" });
  expect(outputs).toEqual({ restored: 1, already: 2, conflicts: [] });
  expect(run("rev-parse", "main")).toBe(first);
});

test("a repository that is none is a conflict", async () => {
  const { engine, inputs } = prepare();
  const refs = [{ repository: "made", name: "refs/heads/main", expect: "missing", restore: "missing" }];
  const { outputs } = await runBlock(engine, "RestoreFiles", { ...inputs, refs });
  expect(outputs).toMatchObject({ restored: 1, conflicts: [{ path: "refs/heads/main" }] });
});

test("whoever goes on after Frond was killed moves the refs too", async () => {
  const machine = createMachine();
  const engine = createTestEngine({ ...machineOptions, machine });
  writeFileSync(join(engine.workspace, "a"), "first");
  createRepository(engine.workspace);
  const first = git(engine.workspace, "rev-parse", "HEAD");
  const inputs = {
    files: [{ path: "made", expect: "missing", restore: "directory 0755" }],
    refs: [{ repository: ".git", name: "refs/heads/new", expect: "missing", restore: first }],
  };
  const doomed = createTestEngine({ ...machineOptions, machine });
  const { runId } = await doomed.start(
    { blocks: [{ id: "it", type: "RestoreFiles", inputs }] },
    {
      onEvents(events) {
        if (events.some(({ type }) => type === "file-changed")) doomed.process.doom("before-append");
      },
    },
  );
  await waitFor("the process to die", () => doomed.process.isDead);
  // As if it had been killed between the two.
  if (git(engine.workspace, "branch", "--list", "new") !== "") git(engine.workspace, "branch", "--delete", "new");
  const { response } = await (await createTestEngine({ ...machineOptions, machine }).takeOver(runId)).settled;
  expect(response.status, JSON.stringify(response)).toBe("success");
  expect(git(engine.workspace, "rev-parse", "new")).toBe(first);
});
