import type { Ports, Scratch } from "../block/ports.ts";
import type { ListOptions } from "../definition/library.ts";
import type { Result } from "../util/result.ts";
import type { Semaphore } from "../util/semaphore.ts";

/** Everything the use cases need from outside, handed over by the composition root. */
export interface Outside {
  readonly ports: Ports;
  /** Bounds the commands of all runs of this process together. */
  readonly processSlots: Semaphore;
  createScratch(workspace: string, runId: string): Scratch;
  listWorkflowFiles(directory: string, options: ListOptions): readonly string[] | undefined;
  readWorkflowText(file: string): ReadText;
  realDirectory(path: string): Result<string, string>;
  directoryInside(root: string, path: string): Result<string, string>;
  readonly trust: TrustStore;
  /** Tells the user what they should know although nothing has failed. */
  warn(message: string): void;
}

export type ReadText =
  | { readonly text: string }
  | { readonly problem: "missing" | "directory" | "too-large" | "unreadable"; readonly detail: string };

/** The project directories a person has vouched for. */
export interface TrustStore {
  has(directory: string): boolean;
  add(directory: string): Result<void, string>;
  remove(directory: string): Result<void, string>;
  list(): readonly string[];
}
