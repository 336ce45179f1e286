import type { WorkflowRules } from "../library/engine-rules.ts";
import { pathBelow } from "../util/path-below.ts";

/** Groups of tools that a server offers or leaves out. */
export const toolsets = ["core", "authoring", "checkpoints", "runs", "undo", "plans"] as const;
export type Toolset = (typeof toolsets)[number];
/** Those that are offered where nobody says which: what every client would pay for and few need is left out. */
export const usualToolsets: readonly Toolset[] = toolsets.filter((toolset) => toolset !== "plans");

/** How a server is to be run, as its user says. */
export interface ServerSettings {
  /** Real path of the directory that runs work in when nobody says otherwise. It lies in a root, too. */
  readonly workspace: string;
  /** Real paths: a run's workspace lies in one of them. */
  readonly roots: readonly string[];
  readonly toolsets: readonly Toolset[];
  /** Offers only what changes nothing. */
  readonly isReadOnly: boolean;
  /** Whether a client may send the text of a workflow. */
  readonly allowsInline: boolean;
  /** Names of workflows that may take commands although no text may be sent. */
  readonly allowed: readonly string[];
  /** Whether workflows may have blocks that say `unsafe: true`. */
  readonly allowsUnsafe: boolean;
  /** Names of workflows that are tools of their own, beside those that say so themselves. */
  readonly exposed: readonly string[];
  /** Leaves the runs that are started to workers. */
  readonly queuesRuns?: boolean;
  /** Over HTTP instead of standard input and output. */
  readonly http?: HttpSettings;
}

export interface HttpSettings {
  readonly host: string;
  /** The first of them that is free; 0 for any. */
  readonly ports: readonly number[];
  /** Names, beside its own, under which clients may reach it. */
  readonly allowedHosts: readonly string[];
  /** Whether it goes on with runs whose process is gone, or whose time to wake has come. */
  readonly recovers: boolean;
  /** How long runs that it drives may go on when it is told to end; then they are left for others. */
  readonly drainMs: number;
  /** Whether a server for the same project that listens on one of the ports is used instead. */
  readonly joins: boolean;
}

/** What the workflows of a server may do. */
export function rulesOf({ allowsInline, allowsUnsafe, allowed, workspace, roots }: ServerSettings): WorkflowRules {
  const takingCommands = { allowed: new Set(allowed), workspaces: new Set([workspace, ...roots]) };
  return { forbidsUnsafe: !allowsUnsafe, ...(allowsInline ? {} : { takingCommands }) };
}

export function isWithinRoots(directory: string, roots: readonly string[]): boolean {
  return roots.some((root) => pathBelow(root, directory) !== undefined);
}
