import type { Value, ValueMap } from "../../src/expression/value.ts";
import type { Programs } from "./fake-programs.ts";

/** One story that the founding text tells of one of its workflows, and how it ends. */
export interface Case {
  readonly workflow: string;
  readonly when: string;
  readonly programs?: Programs;
  /** A block that can't run at all. */
  readonly crashes?: string;
  readonly inputs?: ValueMap;
  /** Files that are in the workspace before. */
  readonly finds?: Readonly<Record<string, string>>;
  /** The workspace is a git repository, and git is the real one. */
  readonly isRepository?: boolean;
  readonly answers?: Readonly<Record<string, Value>>;
  /** Status and outcome of every block, in the order of the file. */
  readonly blocks: Readonly<Record<string, string>>;
  readonly run: "completed/success" | "completed/failure" | "failed/n/a";
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly calls?: readonly string[];
  /** Files that are in the workspace afterwards. */
  readonly leaves?: Readonly<Record<string, string>>;
}

export const success = "completed/success";
export const failure = "completed/failure";
export const crash = "failed/n/a";
export const skipped = "skipped/n/a";
