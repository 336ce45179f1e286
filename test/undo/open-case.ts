import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { createEnvironment } from "../../src/platform/environment.ts";
import { LookingThread } from "../../src/platform/files/observe/looking-thread.ts";
import { createIsolation } from "../../src/platform/isolation/isolation.ts";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { openTestEngine, type TestEngine } from "../rig/engine.ts";
import { git } from "../rig/git-repository.ts";
import { TestMachine } from "../rig/machine.ts";
import { memoryDirectory } from "../rig/memory-directory.ts";
import type { SharedParts } from "../rig/test-platform.ts";
import { CaseMemory, createCaseBlocks } from "./case-blocks.ts";
import { layOutTree } from "./random-tree.ts";
import type { UndoCase } from "./undo-case.ts";

export interface OpenCase {
  readonly engine: TestEngine;
  readonly memory: CaseMemory;
  close(): Promise<void>;
}

/** What cases have in common, made once: processes and threads, and a repository that nothing is in. */
export class CaseGround {
  readonly #directory = mkdtempSync(join(memoryDirectory(), "frond-cases-"));
  readonly #shared: SharedParts = {
    processes: createProcesses({ graceMs: 200 }),
    isolation: createIsolation(createEnvironment({ PATH: process.env.PATH }), this.#directory),
    thread: new LookingThread(),
  };
  #repository: string | undefined;

  /** An engine in a workspace as the case wants it. */
  open({ tree, git: committed, library }: UndoCase): OpenCase {
    const machine = new TestMachine(createMemoryJournal(), memoryDirectory());
    const { workspace } = machine;
    const memory = new CaseMemory();
    layOutTree(workspace, tree);
    if (committed !== "none") this.#makeRepository(workspace, committed);
    const engine = openTestEngine({
      workflows: library,
      types: createCaseBlocks(memory, workspace),
      machine,
      shared: this.#shared,
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

  async close(): Promise<void> {
    await this.#shared.processes.close(0);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** `part`: some of what lies there is not known to git. */
  #makeRepository(workspace: string, committed: "all" | "part"): void {
    this.#repository ??= this.#makeEmptyRepository();
    cpSync(this.#repository, join(workspace, ".git"), { recursive: true });
    git(workspace, "add", ...(committed === "all" ? ["--all"] : [".gitignore", "t0"]));
    git(workspace, "commit", "--quiet", "--allow-empty", "--message=First");
    if (committed === "all") return;
    cpSync(join(workspace, ".git/refs/heads/main"), join(workspace, ".git/refs/heads/other"));
  }

  #makeEmptyRepository(): string {
    const directory = join(this.#directory, "repository");
    mkdirSync(directory);
    git(directory, "init", "--quiet", "--initial-branch=main", "--template=");
    // Whatever git does by itself after a commit takes longer than that.
    for (const setting of ["gc.auto=0", "maintenance.auto=false"]) git(directory, "config", ...setting.split("="));
    return join(directory, ".git");
  }
}
