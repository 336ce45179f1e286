import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCatalog } from "../../src/block/catalog.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import type { Execution } from "../../src/engine/execution.ts";
import { restoreState } from "../../src/engine/restore-state.ts";

interface OldRun {
  readonly events: readonly RunEvent[];
  /** What was recorded of the run when its events were written. */
  readonly record: Execution;
}

/** Events of runs as earlier versions have left them. They are never made anew. */
const place = "test/fixtures/journals";
const files = readdirSync(place, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));

test.each(files)("the run %s means what it meant when it ran", async (file) => {
  const { events, record } = JSON.parse(readFileSync(join(place, file), "utf8")) as OldRun;
  const { root, finished } = await restoreState(events, createCatalog(blockTypes));
  expect(finished).toBeDefined();
  expect(JSON.parse(JSON.stringify(root.record))).toEqual(record);
});
