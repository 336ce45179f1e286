import { expect, test } from "vitest";
import type { BlockCard } from "../../../views/page/page-records.ts";
import { completeName, describeBlock, lineChoices, planLine, secondLine } from "./block-words.ts";

const now = Date.parse("2026-01-31T14:00:23.000Z");
const inside = { ended: 19, total: 24, counts: { failed: 1 }, strip: "f" };

test.each<[Partial<BlockCard>, string]>([
  [{ standing: "done", duration_ms: 1800 }, "1.8s"],
  [{ standing: "done", duration_ms: 58_000, workflow: "build-node" }, "58s · build-node"],
  [
    { standing: "running", running_since: "2026-01-31T14:00:00.000Z", attempt: 2, most_attempts: 3 },
    "23s · try 2 of 3",
  ],
  [{ standing: "running", inside, holds: "loop" }, "19 of 24 · 1 failed"],
  [{ standing: "asks" }, "asks a person"],
  [{ standing: "skipped", message: "sbom off" }, "skipped: sbom off"],
  [{ standing: "skipped", message: "inputs.sbom is false" }, "skipped: inputs.sb…"],
  [{ standing: "skipped", message: "The condition is false: inputs.sbom" }, "skipped: sbom off"],
  [{ standing: "failed", message: "exit code 3" }, "exit code 3"],
  [{ standing: "handled", message: "exit code 3" }, "failed, handled"],
  [{ standing: "to_come" }, "to come"],
])("the second line of %j is short", (given, line) => {
  expect(secondLine(card(given), now)).toBe(line);
});

test.each<[Partial<BlockCard>, string]>([
  [{}, "Shell"],
  [{ most_attempts: 3 }, "up to 3 times"],
  [{ condition: "inputs.sbom" }, "only if sbom"],
  [{ condition: "${blocks.plan.outputs.next}" }, "only if plan.next"],
  [{ condition: "${blocks.lint.failed}" }, "only if lint failed"],
  [{ holds: "loop" }, "once per element"],
])("a plan says of %j what it is or when it runs", (given, line) => {
  expect(planLine(card(given))).toBe(line);
});

test("where there is little room, what matters most is left", () => {
  const skipped = card({ standing: "skipped", message: "'test' failed, and is required." });
  expect(lineChoices(skipped, now).at(-1)).toBe("test failed");
  const done = card({ standing: "done", duration_ms: 19_000, spend: { text: "$0.24" } });
  expect(lineChoices(done, now)).toEqual(["19s · $0.24", "19s"]);
});

test("the full name of a block says how it stands, how long it took and what it holds", () => {
  const held = { ...inside, total: 6, counts: {} };
  expect(describeBlock(card({ standing: "done", duration_ms: 58_000, holds: "workflow", inside: held }), now)).toBe(
    "build, done, 58s, holds 6 blocks",
  );
  expect(describeBlock(card({ standing: "done", duration_ms: 58_000, is_reused: true }), now)).toBe(
    "build, done, reused",
  );
  expect(describeBlock(card({ standing: "failed", element: "arm64" }), now)).toBe("build, failed, arm64");
  expect(describeBlock(card({ standing: "failed", message: "exit code 3" }), now)).toBe("build, failed, exit code 3");
});

test("the name of what shows some of it begins with that, and says nothing twice", () => {
  const done = card({ standing: "done", duration_ms: 58_000 });
  expect(completeName("build 58s", done, now)).toBe("build 58s, done");
  const failed = card({ standing: "failed", message: "exit code 3", attempt: 2 });
  expect(completeName("build exit code 3", failed, now)).toBe("build exit code 3, failed, try 2");
});

function card(given: Partial<BlockCard>): BlockCard {
  return {
    ...{ address: "build", name: "build", type: "Shell", standing: "done", wave: 0, started_at: null, duration_ms: 0 },
    ...{ attempt: 1, holds: "none", spans: [], ...given },
  };
}
