import { statSync } from "node:fs";
import { join } from "node:path";
import { type Catalog, createCatalog } from "./block/catalog.ts";
import { blockTypes } from "./blocks/index.ts";
import { createLoader, createRememberingLoader, type WorkflowLoader } from "./definition/load-workflow.ts";
import { knowHeads } from "./known-heads.ts";
import { PlanMemory } from "./library/plan-memory.ts";
import type { HeadStore } from "./library/workflow-files.ts";
import { createHeadStore, readOnlyHeads } from "./platform/files/head-store.ts";

/** What is known of workflow files before they are read again, for all libraries of a process. */
export interface LibraryMemory {
  readonly catalog: Catalog;
  readonly loader: WorkflowLoader;
  readonly plans?: PlanMemory;
  readonly heads?: HeadStore;
}

export interface MemoryOptions {
  /** Where Frond itself is installed. */
  readonly packageRoot: string;
  readonly version: string;
  readonly stateDirectory: string;
  /** False where nothing may be written. */
  readonly leavesTrace: boolean;
  /** Whether the same workflows are run again and again. */
  readonly servesMany: boolean;
}

export function createLibraryMemory(options: MemoryOptions): LibraryMemory {
  const { packageRoot, version, stateDirectory, leavesTrace, servesMany } = options;
  const store = createHeadStore(stateDirectory, `${version} ${builtAt(packageRoot)}`);
  const heads = leavesTrace ? store : readOnlyHeads(store);
  const catalog = createCatalog(blockTypes);
  if (!servesMany) return { catalog, loader: knowHeads(createLoader(catalog), headsFile(packageRoot)), heads };
  const loader = knowHeads(createRememberingLoader(catalog), headsFile(packageRoot));
  return { catalog, loader, plans: new PlanMemory(), heads };
}

/** For a single library, of which nothing is kept. */
export function forgetfulMemory(packageRoot: string): LibraryMemory {
  const catalog = createCatalog(blockTypes);
  return { catalog, loader: knowHeads(createLoader(catalog), headsFile(packageRoot)) };
}

function headsFile(packageRoot: string): string {
  return join(packageRoot, "dist", "workflow-heads.json");
}

/** Tells a build from a later one of the same version, which may find something else wrong with the same text. */
function builtAt(packageRoot: string): number {
  return statSync(headsFile(packageRoot), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
