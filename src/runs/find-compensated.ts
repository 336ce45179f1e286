import type { Catalog } from "../block/catalog.ts";
import type { Platform } from "./platform.ts";
import { restoreRun } from "./read-run.ts";

/**
 * Addresses of the blocks of a run for which what their authors declared has been done already: by a rollback, or when somebody undid the
 * run before. It is not done twice, for nothing that it did is done again by undoing it.
 */
export async function findCompensated(
  platform: Platform,
  catalog: Catalog,
  runId: string,
): Promise<ReadonlySet<string>> {
  const compensated = new Set<string>();
  for (const summary of await (await platform.journal()).list({ undoOf: runId })) {
    const restored = await restoreRun(platform, catalog, summary);
    if (!restored.ok) continue;
    for (const { block, record } of restored.value.state.nodes.values()) {
      const undone = block?.definition.undoes?.block;
      if (undone !== undefined && record.metadata.succeeded) compensated.add(undone);
    }
  }
  return compensated;
}
