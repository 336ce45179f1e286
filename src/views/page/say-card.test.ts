import { expect, test } from "vitest";
import type { BlockCard } from "./page-records.ts";
import { sayCard, sayPlanned, tellPlanned } from "./say-card.ts";

const inside = { ended: 19, total: 24, counts: { failed: 1 }, strip: "f" };
const slot = { kind: "slot", from: "2026-01-31T14:00:00.000Z", to: "2026-01-31T14:00:58.000Z" } as const;

test.each<[Partial<BlockCard>, string | undefined]>([
  [{ standing: "done" }, undefined],
  [{ standing: "done", workflow: "build-node" }, "{} · build-node"],
  [{ standing: "done", spend: { text: "$0.24" } }, "{} · $0.24"],
  [{ standing: "done", is_reused: true, workflow: "build-node" }, "reused"],
  [{ standing: "running" }, undefined],
  [{ standing: "running", attempt: 2, most_attempts: 3 }, "{} · try 2 of 3"],
  [{ standing: "running", spans: [slot] }, "{} · after 58s for a free slot"],
  [{ standing: "running", inside, holds: "loop" }, "19 of 24 · 1 failed"],
  [{ standing: "running", is_rolling_back: true }, "is rolled back"],
  [{ standing: "asks" }, "asks a person"],
  [{ standing: "sleeping", wake_at: "2026-01-31T14:05:00.000Z" }, "until <2026-01-31T14:05:00.000Z>"],
  [{ standing: "skipped", message: "sbom off" }, "skipped: sbom off"],
  [{ standing: "skipped", message: "'test' failed, and is required." }, "skipped: test failed"],
  [{ standing: "skipped", message: "The condition is false: inputs.sbom" }, "skipped: sbom off"],
  [{ standing: "failed", message: "exit code 3" }, undefined],
  [{ standing: "failed", inside }, "19 of 24 · 1 failed"],
])("a card of %j says the one thing to know", (given, says) => {
  expect(sayCard(card(given))).toBe(says);
});

test.each<[Partial<BlockCard>, string]>([
  [{}, "Shell"],
  [{ most_attempts: 3 }, "up to 3 times"],
  [{ condition: "inputs.sbom" }, "only if sbom"],
  [{ condition: "${blocks.plan.outputs.next}" }, "only if plan.next"],
  [{ condition: "${blocks.lint.failed}" }, "only if lint failed"],
  [{ holds: "loop" }, "once per element"],
])("a plan says of %j what it is or when it runs", (given, line) => {
  expect(sayPlanned(card(given))).toBe(line);
});

test("all that is known of a block before it runs is told", () => {
  const given = {
    workflow: "build",
    blocks_inside: 3,
    for_each: "inputs.targets",
    condition: "inputs.go",
    is_finally: true,
  };
  expect(tellPlanned(card(given as Partial<BlockCard>))).toBe(
    "calls build · 3 blocks inside · once for each of inputs.targets · only if inputs.go · however the others end",
  );
});

function card(given: Partial<BlockCard>): BlockCard {
  return {
    ...{ address: "build", name: "build", type: "Shell", standing: "done", wave: 0, started_at: null, duration_ms: 0 },
    ...{ attempt: 1, holds: "none", spans: [], ...given },
  };
}
