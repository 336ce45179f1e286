import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { createCatalog } from "../../src/block/catalog.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import type { Execution } from "../../src/engine/execution.ts";
import { restoreState } from "../../src/engine/restore-state.ts";
import { unwrap } from "../rig/unwrap.ts";

interface OldRun {
  readonly events: readonly RunEvent[];
  /** What was recorded of the run when its events were written. */
  readonly record: Execution;
  /** Ids of the questions that waited then. */
  readonly pending: readonly string[];
}

/** Events of runs as released versions have left them: finished, paused, sleeping between attempts and passes, and interrupted. Those are never made anew. */
const place = "test/fixtures/journals";
const files = readdirSync(place, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));

test.each(files)("the run %s means what it meant when it ran", async (file) => {
  const { events, record, pending } = JSON.parse(readFileSync(join(place, file), "utf8")) as OldRun;
  const state = unwrap(await restoreState(events, createCatalog(blockTypes)));
  const resting = state.questions.size === 0 ? "sleeping" : "paused";
  const status = state.finished !== undefined ? "finished" : state.paused ? resting : "interrupted";
  expect(status).toBe(basename(file, ".json"));
  expect([...state.questions.keys()]).toEqual(pending);
  expect(JSON.parse(JSON.stringify(state.root.record))).toEqual(record);
});
