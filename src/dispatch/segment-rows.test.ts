import { describe, expect, test } from "vitest";
import { idOf, queueOf, queuesOf, segmentOf } from "./segment-rows.ts";

describe("segments in queues", () => {
  test("a segment is read back from its id, whatever the id of its run holds", () => {
    const segment = { runId: "run:with:colons", sequence: 12, fence: 3 };
    expect(segmentOf(idOf(segment))).toEqual(segment);
    expect(segmentOf("something else")).toBeUndefined();
  });

  test("a worker takes from a queue exactly when it has all labels of it, and is on its machine", () => {
    const queues = queuesOf(["linux", "gpu"], "a");
    const asks = (labels: string[], host: string | null) => queues.includes(queueOf({ queue: { labels }, host }));
    expect(asks([], null)).toBe(true);
    expect(asks(["gpu"], "a")).toBe(true);
    expect(asks(["linux", "gpu"], null)).toBe(true);
    expect(asks(["gpu"], "b")).toBe(false);
    expect(asks(["gpu", "large"], null)).toBe(false);
    expect(new Set(queues).size).toBe(queues.length);
  });
});
