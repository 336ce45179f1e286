import { expect, test } from "vitest";
import type { RunRequest } from "../../src/journal/journal.ts";
import type { JournalKind } from "./contract.ts";
import { cancel, creation, owner, runFinished, someEvents } from "./sample-events.ts";
import { seen } from "./seen-run.ts";

const answer = (questionId: string, by = "terminal"): RunRequest => ({ kind: "answer", questionId, answer: "yes", by });

export function describeRequests({ createStore }: JournalKind): void {
  test("who holds a run is known by the latest fence", async () => {
    const journal = await createStore().open();
    await journal.create(creation("r"));
    expect([await journal.holds("r", 1), await journal.holds("r", 2), await journal.holds("nobody", 1)]).toEqual([
      true,
      false,
      false,
    ]);
    await journal.claim("r", 1, owner);
    expect([await journal.holds("r", 1), await journal.holds("r", 2)]).toEqual([false, true]);
  });

  test("a request is left only for who holds the run under the fence seen", async () => {
    const journal = await createStore().open();
    await journal.create(creation("r"));
    expect(await journal.post("r", 2, cancel)).toBe(false);
    expect(await journal.post("nobody", 1, cancel)).toBe(false);
    expect(await journal.post("r", 1, cancel)).toBe(true);
    expect(await journal.requests("r")).toMatchObject([{ request: cancel }]);
    expect(await journal.requests("nobody")).toEqual([]);
  });

  test("of two answers to one question the first stays, and so does the first cancel", async () => {
    const journal = await createStore().open();
    await Promise.all([journal.create(creation("r")), journal.create(creation("s"))]);
    const posts = [
      answer("p1", "first"),
      cancel,
      answer("p2"),
      answer("p1", "second"),
      { ...cancel, message: "later" },
    ];
    const results = await Promise.all(posts.map((request) => journal.post("r", 1, request)));
    expect(results).toEqual([true, true, true, true, true]);
    await journal.post("s", 1, answer("p1", "another run"));
    const requests = await journal.requests("r");
    expect(requests.map(({ request }) => request)).toEqual([answer("p1", "first"), cancel, answer("p2")]);
    expect(await journal.requests("s")).toHaveLength(1);
  });

  test("a request that has been settled is gone, and its id is never given again", async () => {
    const journal = await createStore().open();
    await journal.create(creation("r"));
    await journal.post("r", 1, answer("p1"));
    await journal.post("r", 1, answer("p2"));
    const [first, second] = await journal.requests("r");
    await journal.settle([first?.id ?? -1, second?.id ?? -1]);
    expect(await journal.requests("r")).toEqual([]);
    await journal.post("r", 1, answer("p1"));
    const [later] = await journal.requests("r");
    expect(later?.id).toBeGreaterThan(second?.id ?? 0);
    await journal.settle([first?.id ?? -1]);
    expect(await journal.requests("r")).toHaveLength(1);
  });

  test("a run is not given back while somebody waits to be heard", async () => {
    const journal = await createStore().open();
    await journal.create(creation("r"));
    await journal.post("r", 1, cancel);
    expect(await journal.release("r", 1)).toBe("requests-waiting");
    expect(await seen(journal, "r")).toHaveProperty("lease");
    await journal.settle((await journal.requests("r")).map(({ id }) => id));
    expect(await journal.release("r", 1)).toBe("released");
    expect(await journal.post("r", 1, cancel)).toBe(false);
  });

  test("the last events and the release are one commit, unless somebody waits to be heard", async () => {
    const journal = await createStore().open();
    await Promise.all(["r", "s"].map((runId) => journal.create(creation(runId))));
    await journal.post("s", 1, cancel);
    expect(await journal.append("r", 2, someEvents(1, "stale"), "release")).toBe(false);
    expect(await seen(journal, "r")).toMatchObject({ sequence: 1, lease: { owner } });
    expect(await journal.append("r", 1, [...someEvents(1), runFinished()], "release")).toBe("released");
    expect(await seen(journal, "r")).toMatchObject({ sequence: 3, fence: 1, status: "success" });
    expect(await seen(journal, "r")).not.toHaveProperty("lease");
    expect(await journal.post("r", 1, cancel)).toBe(false);
    expect(await journal.append("s", 1, [runFinished()], "release")).toBe(true);
    expect(await seen(journal, "s")).toMatchObject({ sequence: 2, status: "success", lease: { owner } });
    expect(await journal.requests("s")).toMatchObject([{ request: cancel }]);
  });

  test("between releasing with the last events and asking, one of the two knows of the other", async () => {
    const store = createStore();
    const [holder, asker] = [await store.open(), await store.open()];
    for (let round = 0; round < 20; round++) {
      const runId = `r${round}`;
      await holder.create(creation(runId));
      const calls = [() => holder.append(runId, 1, someEvents(1), "release"), () => asker.post(runId, 1, cancel)];
      const results = await Promise.all((round % 2 === 0 ? calls : calls.reverse()).map((call) => call()));
      expect([
        ["released", false],
        [true, true],
      ]).toContainEqual(round % 2 === 0 ? results : results.reverse());
    }
  });

  test("a run that can't be driven any more is given back, and what was asked of it waits for whoever takes it next", async () => {
    const journal = await createStore().open();
    await journal.create(creation("r"));
    await journal.post("r", 1, cancel);
    await journal.abandon("r", 2);
    expect(await seen(journal, "r")).toHaveProperty("lease");
    await journal.abandon("r", 1);
    await journal.abandon("nobody", 1);
    expect(await seen(journal, "r")).not.toHaveProperty("lease");
    expect(await journal.requests("r")).toMatchObject([{ request: cancel }]);
  });

  test("between giving back and asking, one of the two knows of the other", async () => {
    const store = createStore();
    const [holder, asker] = [await store.open(), await store.open()];
    for (let round = 0; round < 30; round++) {
      const runId = `r${round}`;
      await holder.create(creation(runId));
      const calls = [() => holder.release(runId, 1), () => asker.post(runId, 1, cancel)];
      const results = await Promise.all((round % 2 === 0 ? calls : calls.reverse()).map((call) => call()));
      expect([
        ["released", false],
        ["requests-waiting", true],
      ]).toContainEqual(round % 2 === 0 ? results : results.reverse());
    }
  });
}
