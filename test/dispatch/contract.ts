import { afterEach, describe, expect, test } from "vitest";
import type { Segment, SegmentTaker, TakenEnd, WorkerDispatch } from "../../src/runs/dispatch.ts";
import { waitFor } from "../rig/wait-for.ts";

/** Another way to the same queues, each time it is called. Tests share the queues, so each uses runs of its own. */
export type OpenDispatch = () => WorkerDispatch;

/** What every dispatch promises to runs and workers, whatever keeps its queues. */
export function describeDispatch(name: string, openOne: OpenDispatch): void {
  const opened: WorkerDispatch[] = [];
  const open = (): WorkerDispatch => {
    const dispatch = openOne();
    opened.push(dispatch);
    return dispatch;
  };
  afterEach(async () => {
    for (const dispatch of opened.splice(0)) await dispatch.close();
  });

  describe(`segments ${name}`, () => {
    test("a segment that is asked for again and again is taken once, by a worker with its labels on its machine", async () => {
      const [dispatch, door] = [open(), open()];
      const taken: string[] = [];
      await dispatch.listen({
        ...worker,
        labels: ["gpu", "linux"],
        take: async ({ runId }) => (taken.push(runId) > 0 ? "over" : "refused"),
      });
      await dispatch.enqueue(segment("elsewhere", { host: "there" }));
      await dispatch.enqueue(segment("other-label", { queue: { labels: ["gpu", "large"] } }));
      const plain = [dispatch, door, dispatch, door].map((one) => one.enqueue(segment("plain")));
      await Promise.all(plain);
      await dispatch.enqueue(segment("bound", { host: "here", queue: { labels: ["gpu"] } }));
      await dispatch.enqueue(segment("labelled", { queue: { labels: ["linux", "gpu"] } }));
      await waitFor("three are taken", () => taken.length >= 3);
      await waitFor("they are over", async () => (await dispatch.listOpen()).length === 2);
      expect(taken.sort()).toEqual(["bound", "labelled", "plain"]);
      expect(await door.waiting()).toEqual(
        new Map([
          ["any@there", 1],
          ["gpu,large", 1],
        ]),
      );
      await dispatch.drop(await dispatch.listOpen());
    });

    test("the next stretch of a run, and the same stretch of another worker, are segments of their own", async () => {
      const dispatch = open();
      const taken: string[] = [];
      const take: SegmentTaker["take"] = async ({ sequence, fence }) =>
        taken.push(`${sequence}:${fence}`) > 0 ? "over" : "refused";
      await dispatch.listen({ ...worker, take });
      for (const [sequence, fence] of [
        [1, 1],
        [1, 2],
        [4, 2],
        [1, 1],
      ] as const) {
        await dispatch.enqueue(segment("stretches", { sequence, fence }));
      }
      await waitFor("three are taken", () => taken.length >= 3);
      await waitFor("they are over", async () => !(await hasOpen(dispatch, "stretches")));
      expect([...new Set(taken)].sort()).toEqual(["1:1", "1:2", "4:2"]);
    });

    test("no more are taken than there are slots, whatever queues they come from; a paused worker takes none", async () => {
      const dispatch = open();
      const held = new Holder();
      await dispatch.listen({ ...worker, labels: ["gpu"], slots: 2, take: held.take });
      for (const [index, labels] of [[], ["gpu"], [], ["gpu"], []].entries()) {
        await dispatch.enqueue(segment(`slots-${index}`, { queue: { labels }, host: index % 2 === 0 ? null : "here" }));
      }
      await waitFor("two are taken", () => held.runs.length === 2);
      for (let left = 5; left > 0; left--) {
        await waitFor("the slots are full", () => held.runs.length === Math.min(left, 2));
        held.finish(held.runs[0]);
      }
      expect(held.most).toBe(2);
      dispatch.pause();
      await dispatch.enqueue(segment("late", { queue: { labels: ["gpu"] } }));
      await dispatch.end();
      expect(held.all).toHaveLength(5);
    });

    test("a workflow has as many segments driven as it may have; others are not kept from theirs", async () => {
      const dispatch = open();
      const held = new Holder();
      const labels = ["deployer"];
      const limited = ["limited-1", "limited-2", "limited-3"].map((runId) =>
        segment(runId, { workflow: "deploy", queue: { labels, concurrency: 1 } }),
      );
      let freed = 0;
      const take = limitedBy(dispatch, limited, held.take, () => void freed++);
      await dispatch.listen({ ...worker, labels, take });
      await Promise.all(limited.map((one) => dispatch.enqueue(one)));
      await dispatch.enqueue(segment("free", { queue: { labels } }));
      await waitFor("the other is taken", () => held.runs.includes("free"));
      held.finish("free");
      for (const [index] of limited.entries()) {
        await waitFor("one is taken", async () => {
          for (const one of limited) if (!held.all.includes(one.runId)) await dispatch.enqueue(one);
          return held.runs.length === 1;
        });
        const [driven] = (await dispatch.listOpen()).filter(({ slotOf }) => slotOf === "deploy");
        expect(driven?.runId).toBe(held.runs[0]);
        held.finish(held.runs[0]);
        await waitFor("its slot is free", () => freed === index + 1);
      }
      expect(held.all.filter((runId) => runId.startsWith("limited")).sort()).toEqual(limited.map(({ runId }) => runId));
      expect(held.most).toBeLessThanOrEqual(2);
    });

    test("what waits for a worker holds no slot of its workflow, and what is dropped waits no longer", async () => {
      const [here, there] = [open(), open()];
      const held = new Holder();
      const [away, one, other] = ["waits-away", "waits-here", "waits-too"].map((runId) =>
        segment(runId, { workflow: "publish", queue: { labels: ["publisher"], concurrency: 1 } }),
      ) as [Segment, Segment, Segment];
      const nowhere = { ...away, host: "nowhere" };
      await here.listen({ ...worker, labels: ["publisher"], take: limitedBy(here, [one, other], held.take) });
      await there.enqueue(nowhere);
      await here.enqueue(one);
      await waitFor("it is driven, while the other waits", () => held.runs.length === 1);
      expect([await there.acquire(other), await there.acquire(nowhere)]).toEqual([false, false]);
      held.finish(one.runId);
      await waitFor("it is over", async () => !(await hasOpen(here, one.runId)));
      await there.enqueue(other);
      await waitFor("the next is driven", () => held.runs.includes(other.runId));
      held.finish(other.runId);
      await there.drop([nowhere]);
      expect((await there.waiting()).get("publisher@nowhere")).toBeUndefined();
    });

    test("the slot of a worker that is gone is free when what it had is dropped", async () => {
      const [gone, next] = [open(), open()];
      const held = new Holder();
      const [left, after] = ["slot-left", "slot-after"].map((runId) =>
        segment(runId, { workflow: "leave", queue: { labels: [], concurrency: 1 } }),
      ) as [Segment, Segment];
      await gone.listen({ ...worker, take: limitedBy(gone, [left, after], held.take) });
      await gone.enqueue(left);
      await waitFor("it is driven", () => held.runs.length === 1);
      await next.enqueue(after);
      expect([await hasOpen(next, after.runId), await next.acquire(after)]).toEqual([false, false]);
      await next.drop([left]);
      await next.enqueue(after);
      await waitFor("the next is driven", () => held.runs.includes(after.runId));
      for (const runId of held.runs) held.finish(runId);
      await waitFor("it is over", async () => !(await hasOpen(gone, after.runId)));
    });

    test("what a worker puts back is taken again, and one that is over can be asked for again", async () => {
      const dispatch = open();
      let count = 0;
      const take = async (): Promise<TakenEnd> => (++count > 1 ? "over" : "put-back");
      await dispatch.listen({ ...worker, take });
      await dispatch.enqueue(segment("put-back"));
      await waitFor("it is taken again", () => count === 2);
      await waitFor("it is over", async () => !(await hasOpen(dispatch, "put-back")));
      await dispatch.enqueue(segment("put-back"));
      await waitFor("it is taken a third time", () => count === 3);
      await waitFor("it is over", async () => !(await hasOpen(dispatch, "put-back")));
    });

    test("what a worker can't drive holds none of its slots, and is not taken again at once", async () => {
      const dispatch = open();
      const taken: string[] = [];
      const take: SegmentTaker["take"] = async ({ runId }) => {
        taken.push(runId);
        if (runId === "throws") throw new Error("It can't be driven.");
        return runId === "refused" ? "refused" : "over";
      };
      await dispatch.listen({ ...worker, slots: 1, take });
      for (const runId of ["refused", "throws", "driven"]) await dispatch.enqueue(segment(runId));
      await waitFor("all are taken", () => taken.length >= 3);
      await dispatch.enqueue(segment("refused"));
      expect(taken).toEqual(["refused", "throws", "driven"]);
      expect([await hasOpen(dispatch, "refused"), await hasOpen(dispatch, "throws")]).toEqual([true, true]);
      await dispatch.end();
      await dispatch.drop(await dispatch.listOpen());
    });

    test("what is dropped while it waits is never taken; dropping and putting back what is over changes nothing", async () => {
      const dispatch = open();
      await dispatch.listen({ ...worker, take: async () => "over" });
      await dispatch.enqueue(segment("needed", { host: "there" }));
      await dispatch.enqueue(segment("needless", { host: "there" }));
      const [needless] = (await dispatch.listOpen()).filter(({ runId }) => runId === "needless");
      expect(needless).toEqual({ runId: "needless", sequence: 1, fence: 1 });
      for (const one of needless === undefined ? [] : [needless, needless]) {
        await dispatch.drop([one]);
        await dispatch.putBack(one);
      }
      expect((await dispatch.waiting()).get("any@there")).toBe(1);
      expect(await hasOpen(dispatch, "needless")).toBe(false);
      await dispatch.drop(await dispatch.listOpen());
    });

    test("of a worker that is gone, segments are seen, put back and dropped; what is over is forgotten", async () => {
      const gone = open();
      const held = new Holder();
      await gone.listen({ ...worker, take: held.take });
      await gone.enqueue(segment("left"));
      await gone.enqueue(segment("needless"));
      await waitFor("two are taken", () => held.runs.length === 2);
      const seen = (await gone.listOpen()).filter(({ runId }) => runId === "left" || runId === "needless");
      expect(seen.map(({ takenAt }) => typeof takenAt)).toEqual(["number", "number"]);
      gone.pause();
      const [left, needless] = ["left", "needless"].map((name) => seen.filter(({ runId }) => runId === name));
      await gone.drop(needless ?? []);
      for (const one of left ?? []) await gone.putBack(one);
      expect((await gone.waiting()).get("any")).toBe(1);
      await gone.forget(0);
      expect(await hasOpen(gone, "left")).toBe(true);
      expect(await hasOpen(gone, "needless")).toBe(false);
      // What it says now of one that is no longer its own counts for nothing.
      for (const runId of held.runs) held.finish(runId);
      await gone.end();
      expect((await gone.waiting()).get("any")).toBe(1);
      await gone.drop(await gone.listOpen());
    });

    test("one of all workers has a turn, by the clock of all of them", async () => {
      const [one, other] = [open(), open()];
      await one.listen({ ...worker, take: async () => "over" });
      const turns = await Promise.all([one, other, one].map((dispatch) => dispatch.takeTurn("look", 60_000)));
      expect(turns.filter(({ isOurs }) => isOurs)).toHaveLength(1);
      expect((await other.takeTurn("another", 60_000)).isOurs).toBe(true);
      expect((await other.takeTurn("another", 0)).isOurs || (await other.takeTurn("another", -1)).isOurs).toBe(true);
    });
  });
}

const worker: SegmentTaker = { labels: [], host: "here", slots: 4, take: async () => "over" };

/** What a worker does with segments whose workflow may have only so many. */
function limitedBy(
  dispatch: WorkerDispatch,
  limited: readonly Segment[],
  take: SegmentTaker["take"],
  onFreed: () => void = () => {},
): SegmentTaker["take"] {
  return async (taken) => {
    const segment = limited.find(({ runId }) => runId === taken.runId);
    if (segment === undefined) return take(taken);
    if (!(await dispatch.acquire(segment))) return "over";
    const end = await take(taken);
    await dispatch.release(segment);
    onFreed();
    return end;
  };
}

/** Holds what it has taken until the test lets it go. */
class Holder {
  readonly all: string[] = [];
  readonly #held = new Map<string, (end: TakenEnd) => void>();
  most = 0;

  readonly take: SegmentTaker["take"] = ({ runId }) =>
    new Promise((resolve) => {
      this.all.push(runId);
      this.#held.set(runId, resolve);
      this.most = Math.max(this.most, this.#held.size);
    });

  get runs(): string[] {
    return [...this.#held.keys()];
  }

  finish(runId: string | undefined): void {
    this.#held.get(runId ?? "")?.("over");
    this.#held.delete(runId ?? "");
  }
}

export function segment(runId: string, more: Partial<Segment> = {}): Segment {
  return { runId, sequence: 1, fence: 1, workflow: "some", queue: { labels: [] }, host: null, ...more };
}

async function hasOpen(dispatch: WorkerDispatch, wanted: string): Promise<boolean> {
  return (await dispatch.listOpen()).some(({ runId }) => runId === wanted);
}
