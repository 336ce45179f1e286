import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { openTestEngine, type TestEngine } from "../rig/engine.ts";
import { createRepository, git } from "../rig/git-repository.ts";
import { TestMachine } from "../rig/machine.ts";
import { memoryDirectory } from "../rig/memory-directory.ts";
import { CaseMemory, createCaseBlocks } from "./case-blocks.ts";
import { layOutTree } from "./random-tree.ts";
import type { UndoCase } from "./undo-case.ts";

export interface OpenCase {
  readonly engine: TestEngine;
  readonly memory: CaseMemory;
  close(): Promise<void>;
}

/** An engine in a workspace as the case wants it. */
export function openCase({ tree, git: committed, library }: UndoCase): OpenCase {
  const machine = new TestMachine(createMemoryJournal(), memoryDirectory());
  const { workspace } = machine;
  const memory = new CaseMemory();
  layOutTree(workspace, tree);
  if (committed !== "none") makeRepository(workspace, committed);
  const engine = openTestEngine({
    workflows: library,
    types: createCaseBlocks(memory, workspace),
    machine,
    graceMs: 200,
  });
  return {
    engine,
    memory,
    async close() {
      await engine.close();
      machine.close();
    },
  };
}

/** `part`: some of what lies there is not known to git. */
function makeRepository(workspace: string, committed: "all" | "part"): void {
  if (committed === "all") return createRepository(workspace);
  git(workspace, "init", "--quiet", "--initial-branch=main");
  git(workspace, "add", ".gitignore", "t0");
  git(workspace, "commit", "--quiet", "--message=First");
  git(workspace, "branch", "other");
}
