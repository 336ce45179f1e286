import { expect, test } from "vitest";
import type { BlockCard } from "../../../views/page/page-records.ts";
import { completeName, describeBlock, lineChoices, lineOf, noteOf } from "./block-words.ts";

const now = Date.parse("2026-01-31T14:00:23.000Z");
const inside = { ended: 19, total: 24, counts: { failed: 1 }, strip: "f" };

test.each<[Partial<BlockCard>, string, string]>([
  [{ standing: "done", duration_ms: 1800 }, "1.8s", "1.8s"],
  [{ standing: "done", duration_ms: 58_000, says: "{} · build-node" }, "58s · build-node", "58s · build-node"],
  [
    { standing: "running", running_since: "2026-01-31T14:00:00.000Z", says: "{} · try 2" },
    "23s · try 2",
    "23s · try 2",
  ],
  [{ standing: "asks", says: "asks a person" }, "asks a person", "asks a person"],
  [
    {
      ...{ standing: "asks", duration_ms: 18, says: "asks a person" },
      spans: [{ kind: "asked", from: "2026-01-31T14:00:17.000Z", to: null }],
    },
    "asks a person",
    "asks a person, 6.0s",
  ],
  [{ standing: "sleeping", duration_ms: 19, says: "sleeps" }, "sleeps", "sleeps"],
  [{ standing: "skipped", says: "skipped: sbom off" }, "skipped: sbom off", "skipped: sbom off"],
  [{ standing: "failed", message: "exit code 3", duration_ms: 6200 }, "exit code 3", "6.2s, exit code 3"],
  [{ standing: "handled", message: "exit code 3", duration_ms: 6200 }, "failed, handled", "6.2s, failed, handled"],
  [{ standing: "to_come" }, "to come", ""],
])("below the name of %j, and beside its bars, stands the one thing to know", (given, line, note) => {
  expect(lineOf(card(given), now)).toBe(line);
  expect(noteOf(card(given), now)).toBe(note);
});

test("where there is little room, what matters most is left", () => {
  const skipped = card({ standing: "skipped", says: "skipped: test failed" });
  expect(lineChoices(skipped, now).at(-1)).toBe("test failed");
  const done = card({ standing: "done", duration_ms: 19_000, says: "{} · $0.24" });
  expect(lineChoices(done, now)).toEqual(["19s · $0.24", "19s"]);
});

test("the full name of a block says how it stands, how long it took and what it holds", () => {
  const held = { ...inside, total: 6, counts: {} };
  expect(describeBlock(card({ standing: "done", duration_ms: 58_000, holds: "workflow", inside: held }), now)).toBe(
    "build, done, 58s, holds 6 blocks",
  );
  expect(describeBlock(card({ standing: "done", duration_ms: 58_000, is_reused: true, says: "reused" }), now)).toBe(
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
