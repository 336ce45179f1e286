import { expect, test } from "vitest";
import { operationFailed } from "../../src/engine/execution.ts";
import type { Journal, RunQuery } from "../../src/journal/journal.ts";
import type { JournalKind } from "./contract.ts";
import { at, blockPaused, creation, runFinished } from "./sample-events.ts";

async function ids(journal: Journal, query: RunQuery): Promise<string[]> {
  return (await journal.list(query)).map(({ runId }) => runId);
}

export function describeLists({ createStore }: JournalKind): void {
  test("runs are listed newest first, also when their clocks say otherwise", async () => {
    const journal = await createStore().open();
    expect(await journal.list({})).toEqual([]);
    for (const [runId, at] of [
      ["b", "2024-03"],
      ["c", "2024-01"],
      ["a", "2024-02"],
    ] as const) {
      await journal.create(creation(runId, { at }));
    }
    expect(await ids(journal, {})).toEqual(["a", "c", "b"]);
    const summaries = await Promise.all(["a", "c", "b"].map((runId) => journal.find(runId)));
    expect(await journal.list({})).toEqual(summaries);
  });

  test("pages follow each other without a gap, also while new runs begin", async () => {
    const journal = await createStore().open();
    for (let index = 0; index < 7; index++) await journal.create(creation(`r${index}`));
    const first = await ids(journal, { limit: 3 });
    await journal.create(creation("new"));
    const second = await ids(journal, { limit: 3, before: first.at(-1) ?? "" });
    const third = await ids(journal, { limit: 3, before: second.at(-1) ?? "" });
    expect([first, second, third]).toEqual([["r6", "r5", "r4"], ["r3", "r2", "r1"], ["r0"]]);
    expect(await ids(journal, { before: "r0" })).toEqual([]);
    expect(await ids(journal, { before: "nobody" })).toEqual([]);
  });

  test("the latest numbers of all runs are told, newest run first, and a run that is gone has none", async () => {
    const journal = await createStore().open();
    for (const runId of ["a", "b", "c"]) await journal.create(creation(runId));
    await journal.append("b", 1, [blockPaused("x"), runFinished()]);
    expect([...(await journal.sequences())]).toEqual([
      ["c", 1],
      ["b", 3],
      ["a", 1],
    ]);
    await journal.delete("b");
    expect([...(await journal.sequences()).keys()]).toEqual(["c", "a"]);
  });

  test("a run is told from others by its first short input that somebody gave, and by what it gave itself", async () => {
    const journal = await createStore().open();
    const inputs = {
      force: true,
      key: "${secrets.KEY}",
      notes: "long ".repeat(50),
      old: "x",
      version: " 2.4.0\n",
      port: 80,
    };
    await journal.create(creation("a", { inputs, defaulted: ["old"] }));
    await journal.append("a", 1, [runFinished({ outputs: { tree: { a: 1 }, tag: "v2.4.0" } })]);
    await journal.create(creation("b", { undoOf: { runId: "a", path: "deploy/build" } }));
    await journal.append("b", 1, [runFinished({ outputs: { tag: "x" } }, operationFailed("no"))]);
    await journal.create(creation("c", { inputs: { port: 80 } }));
    const seen = (await journal.list({})).map(({ label, result }) => [label, result]);
    expect(seen).toEqual([
      ["port 80", null],
      ["only deploy/build", null],
      ["2.4.0", "tag: v2.4.0"],
    ]);
  });

  test("a list holds only what was asked for", async () => {
    const journal = await createStore().open();
    const endings = [
      [],
      [blockPaused("a"), { type: "run-paused", at: "" }],
      [runFinished()],
      [runFinished({}, operationFailed("no"))],
    ] as const;
    for (const workflow of ["one", "two"]) {
      for (const [index, events] of endings.entries()) {
        await journal.create(creation(`${workflow}${index}`, { workflow }));
        await journal.append(`${workflow}${index}`, 1, events);
      }
    }
    expect(await ids(journal, { workflow: "one" })).toEqual(["one3", "one2", "one1", "one0"]);
    expect(await ids(journal, { statuses: ["paused"] })).toEqual(["two1", "one1"]);
    expect(await ids(journal, { statuses: ["success", "failure"], workflow: "two" })).toEqual(["two3", "two2"]);
    expect(await ids(journal, { statuses: ["running"], before: "two0", limit: 1 })).toEqual(["one0"]);
    expect(await ids(journal, { statuses: [] })).toEqual([]);
    expect(await ids(journal, { workflow: "three" })).toEqual([]);
    expect(await ids(journal, { limit: 0 })).toEqual([]);
  });

  test("a list of what is due holds the runs that could go on by then, and none that goes on or has ended", async () => {
    const journal = await createStore().open();
    const sleeps = (wakeAt: string) => [{ type: "run-sleeping", at: at(1), wakeAt }] as const;
    const asks = [blockPaused("a"), { type: "run-paused", at: at(1), wakeAt: at(20) }] as const;
    const went = { type: "run-resumed", at: at(2) } as const;
    const courses = { soon: sleeps(at(10)), asks, late: sleeps(at(30)), never: [blockPaused("a")] };
    const over = { goesOn: [...sleeps(at(10)), went], ended: [...sleeps(at(10)), runFinished()] };
    for (const [runId, events] of Object.entries({ ...courses, ...over })) {
      await journal.create(creation(runId));
      await journal.append(runId, 1, events);
    }
    expect(await ids(journal, { dueBefore: at(10) })).toEqual([]);
    expect(await ids(journal, { dueBefore: at(11) })).toEqual(["soon"]);
    expect(await ids(journal, { dueBefore: at(21) })).toEqual(["asks", "soon"]);
    expect(await ids(journal, { dueBefore: at(31), statuses: ["sleeping"] })).toEqual(["late", "soon"]);
  });

  test("each run of a list has its own questions", async () => {
    const journal = await createStore().open();
    for (const runId of ["a", "b", "c"]) await journal.create(creation(runId));
    await journal.append("a", 1, [blockPaused("x"), blockPaused("y")]);
    await journal.append("c", 1, [blockPaused("z")]);
    const questions = (await journal.list({})).map((summary) => summary.questions.map(({ path }) => path));
    expect(questions).toEqual([["z"], [], ["x", "y"]]);
  });
}
