import { expect, test } from "vitest";
import type { BlockContext, BlockResult, LeafBehaviour, WrittenInputs } from "../block/define-block.ts";
import type { ValueMap } from "../expression/value.ts";
import { wait } from "./wait.ts";

const now = new Date("2026-03-01T12:00:00Z");
const context = { clock: { now: () => now, monotonic: () => 0 } } as unknown as BlockContext;
const behaviour = wait.behaviour as LeafBehaviour;

function run(input: ValueMap): Promise<BlockResult> {
  return behaviour.run(input, context);
}

test.each<[ValueMap, string]>([
  [{ duration: 90 }, "2026-03-01T12:01:30.000Z"],
  [{ duration: "1.5s" }, "2026-03-01T12:00:01.500Z"],
  [{ duration: "10m" }, "2026-03-01T12:10:00.000Z"],
  [{ duration: "8760h" }, "2027-03-01T12:00:00.000Z"],
  [{ until: "2026-03-01T12:00:00.001Z" }, "2026-03-01T12:00:00.001Z"],
  [{ until: "2026-03-02T12:30+05:30" }, "2026-03-02T07:00:00.000Z"],
  [{ until: " 2026-12-31T00:00:00Z " }, "2026-12-31T00:00:00.000Z"],
])("%j sleeps until %s", async (input, until) => {
  expect(await run(input)).toEqual({ kind: "sleeping", until: new Date(until) });
});

test.each<ValueMap>([
  { duration: 0 },
  { duration: "0s" },
  { until: "2026-03-01T12:00:00Z" },
  { until: "2020-01-01T00:00Z" },
])("%j is over at once", async (input) => {
  expect(await run(input)).toEqual({ kind: "succeeded", outputs: { waited_ms: 0 } });
});

test("waking it ends it with the time that it slept", async () => {
  expect(await behaviour.wake?.({ duration: "10m" }, 600_012.4, context)).toEqual({
    kind: "succeeded",
    outputs: { waited_ms: 600_012 },
  });
});

const aDuration = "'duration' is a number of seconds, or a text like 500ms, 30s, 5m or 1h.";
const aTime = "'until' is a time with its zone, such as 2026-12-24T18:00:00Z or 2026-12-24T18:00+01:00.";

const wrong: readonly [ValueMap, message: string][] = [
  [{ duration: -1 }, aDuration],
  [{ duration: "soon" }, aDuration],
  [{ duration: "8761h" }, "'duration' can be 365 days at most."],
  [{ until: "tomorrow" }, aTime],
  [{ until: "2026-12-24" }, aTime],
  [{ until: "2026-12-24T18:00:00" }, aTime],
  [{ until: "2026-02-31T18:00:00Z" }, aTime],
  [{ until: "2026-13-01T18:00:00Z" }, aTime],
  [{}, "Wait takes either duration or until."],
  [{ duration: 1, until: "2026-12-24T18:00:00Z" }, "Wait takes either duration or until."],
];

test.each(wrong)("%j can't be waited for", async (input, message) => {
  await expect(run(input)).rejects.toThrow(message);
  expect(check(input)).toMatchObject([{ level: "error", message }]);
});

test("a time that is more than a year away is refused when it is known", async () => {
  const input = { until: "2226-12-24T18:00:00Z" };
  await expect(run(input)).rejects.toThrow("'until' is 2226-12-24T18:00:00.000Z, and a Wait can be 365 days at most.");
});

test.each<[ValueMap, string]>([
  [{ duration: "10 minutes" }, "Write `duration: 10m`."],
  [{ duration: "2d" }, "Write `duration: 48h`."],
  [{ until: "2026-12-24T18:00:00" }, "Write `until: 2026-12-24T18:00:00Z`, or with another zone."],
  [{ until: "2026-12-24 18:00" }, "Write `until: 2026-12-24T18:00Z`, or with another zone."],
  [{}, "Add `duration: 10m` under inputs."],
  [{ duration: 1, until: "2026-12-24T18:00:00Z" }, "Remove one of them."],
])("what to write for %j is said", (input, fix) => {
  expect(check(input)).toMatchObject([{ fix }]);
});

test("what an expression will give is looked at when it is known", () => {
  expect(wait.check?.({ duration: { known: false } }, { isLoop: false })).toEqual([]);
  expect(wait.check?.({ until: { known: false } }, { isLoop: false })).toEqual([]);
});

function check(input: ValueMap): unknown {
  const written = Object.entries(input).map(([name, value]) => [name, { known: true, value }]);
  return wait.check?.(Object.fromEntries(written) as WrittenInputs, { isLoop: false });
}
