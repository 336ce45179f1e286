import type { Lookup, Scope } from "../expression/ast.ts";
import { demandKnown, unknownValue } from "../expression/unknown-value.ts";
import type { ValueMap } from "../expression/value.ts";

/** What of it nobody knows before a run; a dry run has none of its own. */
export const unknownMetadata: ValueMap = Object.fromEntries(
  ["run_id", "execution_id", "start_time", "idempotency_key"].map((name) => [
    name,
    unknownValue(() => `metadata.${name}`),
  ]),
);

/** What a workflow knows about itself in the moment it starts: all that the defaults of its inputs may read. */
export function startMetadata(workflowName: string, runId: string, startTime: string): Scope {
  return scopeOf({ workflow_name: workflowName, run_id: runId, execution_id: runId, start_time: startTime });
}

/** The same in a dry run. */
export function foreseenMetadata(workflowName: string): Scope {
  return scopeOf({ ...unknownMetadata, workflow_name: workflowName });
}

function scopeOf(metadata: ValueMap): Scope {
  return {
    read(root, keys): Lookup {
      const key = String(keys[0]);
      const value = root === "metadata" && Object.hasOwn(metadata, key) ? metadata[key] : undefined;
      if (value !== undefined) {
        demandKnown(value);
        return { found: true, value };
      }
      return { found: false, message: `${root}.${key} is not known before the workflow has started.` };
    },
  };
}
