import type { CompleteResult } from "@modelcontextprotocol/server";
import { eachRun } from "../runs/each-run.ts";
import { isReachable } from "./reach-run.ts";
import type { ServerContext } from "./server-context.ts";

/** Finds the values that begin like this. */
export type Completer = (beginning: string, context: ServerContext) => Promise<CompleteResult["completion"]>;

/** As many as the protocol allows in one answer. */
const mostValues = 100;

/** Those that begin so first, then those that have it elsewhere in their name. */
export const completeWorkflow: Completer = async (beginning, { openRuntime, settings }) => {
  const entries = openRuntime(settings.workspace).workflows.library.entries();
  const names = entries.flatMap(({ name, trusted }) => (trusted ? [name] : []));
  const first = names.filter((name) => name.startsWith(beginning));
  const further = names.filter((name) => !name.startsWith(beginning) && name.includes(beginning));
  const found = [...first, ...further];
  return { values: found.slice(0, mostValues), total: found.length, hasMore: found.length > mostValues };
};

/** Newest first; how many there are in all is told only when it takes no further look. */
export const completeRun: Completer = async (beginning, context) => {
  const values: string[] = [];
  for await (const { runId, workspace } of eachRun(await context.platform.journal(), {})) {
    if (!runId.startsWith(beginning) || !isReachable(workspace, context)) continue;
    if (values.length === mostValues) return { values, hasMore: true };
    values.push(runId);
  }
  return { values, total: values.length, hasMore: false };
};
