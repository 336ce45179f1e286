import { describe, expect, test } from "vitest";
import type { Journal, JournalStorage } from "../../src/journal/journal.ts";
import { describeHousekeeping } from "./contract-housekeeping.ts";
import { describeLists } from "./contract-lists.ts";
import { describeRequests } from "./contract-requests.ts";
import { describeSummaries } from "./contract-summaries.ts";
import { describeValues } from "./contract-values.ts";
import { cancel, creation, otherOwner, owner, pathsOf, runFinished, runStarted, someEvents } from "./sample-events.ts";
import { seen, withoutVerdict } from "./seen-run.ts";

/** How a kind of journal is tested. */
export interface JournalKind {
  readonly name: string;
  /** Whether what was written is there when it is opened after all have closed it. */
  readonly durable: boolean;
  /** Empty, and removed with the test. Opening it twice at once is like two processes. The journal takes the time from the clock. */
  createStore(now?: () => number): JournalStorage;
}

/** What every journal promises, whatever keeps it. */
export function describeJournal(kind: JournalKind): void {
  describe(kind.name, () => {
    describeRuns(kind);
    describeRequests(kind);
    describeSummaries(kind);
    describeLists(kind);
    describeValues(kind);
    describeHousekeeping(kind);
  });
}

function describeRuns({ createStore, durable }: JournalKind): void {
  test("a run begins with its events, held by its owner under fence 1", async () => {
    const journal = await createStore().open();
    const events = [runStarted("r"), ...someEvents(2)] as const;
    expect(await journal.create({ events, owner })).toEqual({ kind: "created", fence: 1 });
    expect(await journal.read("r")).toEqual(events);
    expect(await seen(journal, "r")).toMatchObject({ runId: "r", fence: 1, sequence: 3, lease: { owner } });
  });

  test("a run id is never given twice", async () => {
    const journal = await createStore().open();
    await journal.create(creation("r"));
    await expect(journal.create(creation("r"))).rejects.toThrow("There is a run 'r' already.");
    expect(await journal.read("r")).toHaveLength(1);
  });

  test("events are numbered without a gap, however many append at once", async () => {
    const store = createStore();
    const journals = [await store.open(), await store.open()];
    await journals[0]?.create(creation("r"));
    const appended = await Promise.all(
      Array.from({ length: 40 }, (_, index) => journals[index % 2]?.append("r", 1, someEvents(3, `${index}`))),
    );
    expect(appended).toEqual(Array(40).fill(true));
    const journal = await store.open();
    const events = await journal.read("r");
    expect(events).toHaveLength(121);
    expect((await seen(journal, "r")).sequence).toBe(121);
    const paths = pathsOf(events);
    for (let index = 0; index < 40; index++) {
      const first = paths.indexOf(`${index}-0`);
      expect(paths.slice(first, first + 3)).toEqual([`${index}-0`, `${index}-1`, `${index}-2`]);
    }
  });

  test("events are read from any number on", async () => {
    const journal = await createStore().open();
    await journal.create({ events: [runStarted("r"), ...someEvents(5)], owner });
    expect(pathsOf(await journal.read("r", 3))).toEqual(["block-2", "block-3", "block-4"]);
    expect(await journal.read("r", 6)).toEqual([]);
    expect(await journal.read("nobody")).toEqual([]);
  });

  test("what one asks for first is done first", async () => {
    const journal = await createStore().open();
    const created = journal.create(creation("r"));
    const appended = someEvents(20).map((event) => journal.append("r", 1, [event]));
    await Promise.all([created, ...appended]);
    expect(pathsOf(await journal.read("r"))).toEqual(pathsOf(someEvents(20)));
  });

  test("only the latest fence appends; another one writes nothing and keeps nobody from writing", async () => {
    const journal = await createStore().open();
    await Promise.all([journal.create(creation("r")), journal.create(creation("s"))]);
    expect(await journal.claim("r", 1, otherOwner)).toBe(2);
    const results = await Promise.all([
      journal.append("s", 1, someEvents(1, "before")),
      journal.append("r", 1, someEvents(1, "stale")),
      journal.append("r", 3, someEvents(1, "early")),
      journal.append("nobody", 1, someEvents(1)),
      journal.append("r", 2, someEvents(1, "valid")),
      journal.append("s", 1, someEvents(1, "after")),
    ]);
    expect(results).toEqual([true, false, false, false, true, true]);
    expect(pathsOf(await journal.read("r"))).toEqual(["valid-0"]);
    expect(pathsOf(await journal.read("s"))).toEqual(["before-0", "after-0"]);
    expect((await seen(journal, "r")).sequence).toBe(2);
  });

  test("appending nothing tells whether one still may", async () => {
    const journal = await createStore().open();
    await journal.create(creation("r"));
    const before = await seen(journal, "r");
    expect(await Promise.all([journal.append("r", 1, []), journal.append("r", 2, [])])).toEqual([true, false]);
    expect(await seen(journal, "r")).toEqual(before);
  });

  test("a call that is at fault takes no other with it", async () => {
    const journal = await createStore().open();
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const faulty = someEvents(1).map((event) => ({ ...event, outputs: circle })) as never;
    const results = await Promise.allSettled([
      journal.create(creation("r")),
      journal.append("r", 1, someEvents(1)),
      journal.create(creation("r")),
      journal.append("r", 1, faulty),
      journal.append("r", 1, someEvents(1, "last")),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(pathsOf(await journal.read("r"))).toEqual(["block-0", "last-0"]);
  });

  test("a run is claimed only with the fence seen, and by one of those who try", async () => {
    const store = createStore();
    const [one, two] = [await store.open(), await store.open()];
    await one.create(creation("r"));
    expect(await one.claim("r", 2, otherOwner)).toBeUndefined();
    expect(await one.claim("nobody", 1, otherOwner)).toBeUndefined();
    const fences = await Promise.all([
      one.claim("r", 1, owner),
      two.claim("r", 1, otherOwner),
      one.claim("r", 1, owner),
    ]);
    expect(fences.filter((fence) => fence !== undefined)).toEqual([2]);
    const holder = fences[1] === 2 ? otherOwner : owner;
    expect(await seen(two, "r")).toMatchObject({ fence: 2, lease: { owner: holder } });
  });

  test("a heartbeat moves the leases that are still ours, and nothing else", async () => {
    let time = 1000;
    const journal = await createStore(() => time).open();
    const look = () => Promise.all(["ours", "lost", "released"].map((runId) => seen(journal, runId)));
    await Promise.all(["ours", "lost", "released"].map((runId) => journal.create(creation(runId))));
    await journal.claim("lost", 1, otherOwner);
    await journal.release("released", 1);
    const [ours, ...others] = await look();
    expect(ours?.lease).toEqual({ owner, heartbeatAt: 1000 });
    time = 2 ** 41 + 5;
    await journal.heartbeat(new Map(["ours", "lost", "released", "nobody"].map((runId) => [runId, 1])));
    expect(await look()).toEqual([{ ...ours, lease: { owner, heartbeatAt: time } }, ...others]);
  });

  test("a run that is given back keeps its fence and has no lease", async () => {
    const journal = await createStore().open();
    await journal.create(creation("r"));
    expect(await journal.release("r", 2)).toBe("fenced");
    expect(await journal.release("nobody", 1)).toBe("fenced");
    expect(await journal.release("r", 1)).toBe("released");
    expect(await journal.release("r", 1)).toBe("released");
    const summary = await seen(journal, "r");
    expect(summary.fence).toBe(1);
    expect(summary).not.toHaveProperty("lease");
    expect(await journal.claim("r", 1, otherOwner)).toBe(2);
    expect(await journal.release("r", 1)).toBe("fenced");
  });

  test("the same idempotency key is the same run, in one workspace and for one workflow", async () => {
    const journal = await createStore().open();
    const idempotency = { key: "a key\0\ud800", fingerprint: "f" };
    const again = (runId: string, more = {}, fingerprint = "f") =>
      journal.create({ ...creation(runId, more), idempotency: { ...idempotency, fingerprint } });
    const [first, second] = await Promise.all([again("r1"), again("r2")]);
    expect(first).toEqual({ kind: "created", fence: 1 });
    expect(second).toEqual({ kind: "exists", runId: "r1", sameFingerprint: true });
    expect(await again("r3", {}, "g")).toEqual({ kind: "exists", runId: "r1", sameFingerprint: false });
    expect(await again("r4", { workspace: "/elsewhere" })).toEqual({ kind: "created", fence: 1 });
    expect(await again("r5", { workflow: "test" })).toEqual({ kind: "created", fence: 1 });
    expect(await journal.create(creation("r6"))).toEqual({ kind: "created", fence: 1 });
    const anywhere = { workspaceFrom: { git: "https://example.org/a.git" } };
    expect(await again("r7", anywhere)).toEqual({ kind: "created", fence: 1 });
    expect(await again("r8", { ...anywhere, workspace: "/elsewhere" })).toMatchObject({ kind: "exists", runId: "r7" });
    expect(await journal.find("r2")).toBeUndefined();
    expect(await journal.find("r3")).toBeUndefined();
  });

  test("an idempotency key is free again when its run is deleted", async () => {
    const journal = await createStore().open();
    const idempotency = { key: "k", fingerprint: "f" };
    await journal.create({ ...creation("r1"), idempotency });
    await journal.append("r1", 1, [runFinished()]);
    await journal.delete("r1");
    expect(await journal.create({ ...creation("r2"), idempotency })).toEqual({ kind: "created", fence: 1 });
  });

  test("only a run that has ended is deleted, with everything of it", async () => {
    const journal = await createStore().open();
    await journal.create(creation("r"));
    expect(await journal.delete("nobody")).toBe(false);
    expect(await journal.delete("r")).toBe(false);
    await journal.append("r", 1, [{ type: "run-paused", at: "" }]);
    expect(await journal.delete("r")).toBe(false);
    await journal.post("r", 1, cancel);
    await journal.append("r", 1, [runFinished()]);
    expect(await journal.delete("r")).toBe(true);
    expect(await journal.delete("r")).toBe(false);
    expect([await journal.find("r"), await journal.read("r"), await journal.requests("r")]).toEqual([
      undefined,
      [],
      [],
    ]);
    expect(await journal.append("r", 1, someEvents(1))).toBe(false);
    await journal.create(creation("r"));
    expect([await journal.read("r"), await journal.requests("r")]).toEqual([[runStarted("r")], []]);
  });

  test("what was given to the journal can be changed afterwards", async () => {
    const journal = await createStore().open();
    const outputs = { list: ["a"] };
    const created = journal.create({ events: [runStarted("r", { inputs: outputs })], owner });
    outputs.list.push("b");
    await created;
    const appended = journal.append("r", 1, [{ ...runFinished(), outputs }]);
    outputs.list.push("c");
    await appended;
    expect(await journal.read("r")).toMatchObject([{ inputs: { list: ["a"] } }, { outputs: { list: ["a", "b"] } }]);
  });

  test("whoever listens hears of every change, until they stop", async () => {
    const store = createStore();
    const [journal, other] = [await store.open(), await store.open()];
    const heard = { here: 0, there: 0, stopped: 0 };
    const stops = [
      journal.subscribe(() => heard.here++),
      other.subscribe(() => heard.there++),
      journal.subscribe(() => heard.stopped++),
    ];
    stops[2]?.();
    await journal.create(creation("r"));
    await expect.poll(() => [heard.here > 0, heard.there > 0]).toEqual([true, true]);
    for (const stop of stops) stop();
    const before = { ...heard };
    await journal.append("r", 1, someEvents(1));
    await expect.poll(() => journal.read("r")).toHaveLength(2);
    expect(heard).toEqual({ ...before, stopped: 0 });
  });

  test("closing waits for what was asked for; whoever comes later is told", async () => {
    const journal = await createStore().open();
    const created = journal.create(creation("r"));
    await Promise.all([journal.close(), journal.close()]);
    expect(await created).toEqual({ kind: "created", fence: 1 });
    for (const call of [journal.create(creation("s")), journal.read("r"), journal.list({}), journal.housekeep()]) {
      await expect(call).rejects.toThrow("The journal is closed.");
    }
  });

  test.runIf(durable)("what was acknowledged is there when the journal is opened again", async () => {
    const store = createStore();
    const first = await store.open();
    await first.create({ ...creation("r"), idempotency: { key: "k", fingerprint: "f" } });
    await first.append("r", 1, someEvents(3));
    await first.post("r", 1, cancel);
    await first.hide("r", "chk_1");
    await first.housekeep();
    const look = async (journal: Journal) => [
      ...[await seen(journal, "r"), await journal.read("r"), await journal.requests("r")],
      ...[await journal.usage(), (await journal.list({})).map(withoutVerdict)],
    ];
    const before = await look(first);
    await first.close();
    const second = await store.open();
    expect(await look(second)).toEqual(before);
    expect(await second.create({ ...creation("s"), idempotency: { key: "k", fingerprint: "f" } })).toMatchObject({
      runId: "r",
    });
  });
}
