import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import type { Execution } from "../../src/engine/execution.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { followCourse } from "./random-course.ts";
import { randomTwins, randomWorkflow } from "./random-workflow.ts";

const runs = scaled({ slice: 4, long: 1000 });
const seed = 20_240_609;

/** All of a record but times and order, and what names the run and the workflows that are called. */
function nameless({ inputs, outputs, metadata, blocks }: Execution): unknown {
  const inner = Object.fromEntries(Object.entries(blocks).map(([key, child]) => [key, nameless(child)]));
  const told = { inputs: metadata.run_id === undefined ? inputs : {}, outputs, metadata, inner };
  return JSON.parse(
    JSON.stringify(told, (key, value: unknown) => (ownToRun.has(key) && value !== null ? "some" : value)),
  );
}

const ownToRun: ReadonlySet<string> = new Set([
  ...["run_id", "workflow_name", "start_time", "started_at", "completed_at", "execution_time_ms", "waited_ms"],
  ...["execution_order"],
]);

/** To blocks, in any order. */
function whatHappened(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => ("path" in event ? [`${event.type} ${event.path}`] : [])).sort();
}

test("a group has the record that a called workflow with the same blocks has, and the same happens in it", {
  timeout: longTimeout,
}, async () => {
  const clock = createFakeClock({ intervals: true });
  await fc.assert(
    fc.asyncProperty(randomTwins("10h"), fc.nat(), fc.nat(), async (twins, fate, order) => {
      const group = await followCourse(twins.group, { fate, order }, clock);
      const workflow = await followCourse(twins.workflow, { fate, order }, clock);
      // How much happens in one turn depends on how busy the machine is, and so does the order.
      if (twins.group.dependsOnOrder) return;
      expect(nameless(group.state.root.record)).toEqual(nameless(workflow.state.root.record));
      expect(whatHappened(group.events)).toEqual(whatHappened(workflow.events));
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );
});

interface Seen {
  readonly blocks?: readonly Seen[];
  readonly type?: string;
  readonly [key: string]: unknown;
}

test("random workflows have groups of every kind, in which all that is around is read", () => {
  const found = new Set<string>();
  const look = (blocks: readonly Seen[], around: string): void => {
    for (const { blocks: inner, type, ...block } of blocks) {
      const reads: readonly string[] =
        JSON.stringify([block.inputs ?? "", block.condition ?? ""]).match(/blocks\.\w+|each\.outer/g) ?? [];
      if (around !== "" && reads.some((read) => !read.startsWith(`blocks.${around}_`))) found.add("reads around");
      if (reads.includes("each.outer")) found.add("each.outer");
      if (inner === undefined) continue;
      for (const key of ["for_each", "repeat", "retry", "timeout", "condition"]) if (key in block) found.add(key);
      found.add(around === "" ? "in a workflow" : "in a group");
      look(inner, String(block.id));
    }
  };
  for (const { root, library } of fc.sample(randomWorkflow("1s"), { numRuns: 300, seed })) {
    for (const { blocks } of [root, ...Object.values(library)] as readonly Seen[]) look(blocks ?? [], "");
  }
  const kinds = ["in a workflow", "in a group", "for_each", "repeat", "retry", "timeout", "condition"];
  expect([...found].sort()).toEqual([...kinds, "reads around", "each.outer"].sort());
});
