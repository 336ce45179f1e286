import { createHash } from "node:crypto";
import type { CronExpression } from "../../util/cron-expression.ts";

/** A workflow that something else is to run at certain times. No text in it has control characters. */
export interface ScheduledRun {
  readonly workflow: string;
  /** A real path. */
  readonly workspace: string;
  readonly cron: CronExpression;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Variables that are set now, and that what starts it may not have. */
  readonly variables: ReadonlyMap<string, string>;
  /** Path of the file that gets what it prints. */
  readonly log: string;
}

/** One name for each workflow in each directory, of letters that may stand in the names of files. */
export function unitName({ workflow, workspace }: Pick<ScheduledRun, "workflow" | "workspace">): string {
  const own = createHash("sha256").update(`${workflow}\n${workspace}`).digest("hex").slice(0, 8);
  const letters = workflow.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `frond-${letters.slice(0, 40)}-${own}`;
}

/** Variables that decide how runs go, but for secrets, which have no place in files that others may read. */
const kept: readonly string[] = [
  "FROND_STATE_DIR",
  "FROND_DATABASE_URL_FILE",
  "FROND_PG",
  "FROND_DBOS",
  "FROND_HOST",
  "FROND_WORKSPACES_DIR",
  "FROND_MAX_PROCESSES",
  "FROND_SLOTS",
  "FROND_BROWSER",
  "FROND_BROWSER_SANDBOX",
  "FROND_BUDGET_USD",
  "FROND_MAX_DEPTH",
  "FROND_MAX_NODES",
  "FROND_MAX_RECORDED_MB",
  "FROND_MAX_UNDO_MB",
  "FROND_PLAYWRIGHT",
  "FROND_PRICES_FILE",
  "FROND_SANDBOX_READ",
  "FROND_RETENTION_DAYS",
  "FROND_RETENTION_GB",
  "WORKFLOWS_TEMPLATE_PATHS",
];

/** Those of the environment that a scheduled run needs: cron starts with hardly any. */
export function variablesToKeep(
  environment: Readonly<Record<string, string | undefined>>,
  stateDirectory: string,
): ReadonlyMap<string, string> {
  const found = new Map([["PATH", withoutRepeats(environment.PATH ?? "")]]);
  for (const name of kept) {
    const value = environment[name];
    if (value !== undefined && value !== "") found.set(name, value);
  }
  // Whatever says where the state is, the run is to be found where the reader looks for it.
  if (environment.FROND_STATE_DIR || environment.XDG_STATE_HOME) found.set("FROND_STATE_DIR", stateDirectory);
  return found;
}

/** What stands in a PATH twice is never looked at again, and lines of a crontab are short. */
function withoutRepeats(path: string): string {
  return [...new Set(path.split(":").filter((directory) => directory !== ""))].join(":");
}
