import type { Lookup, Scope } from "../expression/ast.ts";

/** What a workflow knows about itself in the moment it starts: all that the defaults of its inputs may read. */
export function startMetadata(workflowName: string, runId: string, startTime: string): Scope {
  const metadata: Readonly<Record<string, string>> = {
    workflow_name: workflowName,
    run_id: runId,
    execution_id: runId,
    start_time: startTime,
  };
  return {
    read(root, keys): Lookup {
      const key = String(keys[0]);
      const value = root === "metadata" && Object.hasOwn(metadata, key) ? metadata[key] : undefined;
      if (value !== undefined) return { found: true, value };
      return { found: false, message: `${root}.${key} is not known before the workflow has started.` };
    },
  };
}
