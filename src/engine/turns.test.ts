import { expect, test } from "vitest";
import { idle } from "../../test/rig/idle.ts";
import type { RunEvent } from "./events.ts";
import { Turns } from "./turns.ts";

const event: RunEvent = { type: "run-paused", at: "2030-01-01T00:00:00.000Z" };

interface Commit {
  succeed(): void;
  fail(reason: Error): void;
}

/** Turns whose commits the test ends by hand, and all that happens, in order. */
function createTurns(): { turns: Turns; happened: string[]; commits: Commit[]; note: (what: string) => () => void } {
  const happened: string[] = [];
  const commits: Commit[] = [];
  const note = (what: string) => (): void => void happened.push(what);
  const turns = new Turns({
    commit: () =>
      new Promise((succeed, fail) => {
        happened.push("commit");
        commits.push({ succeed, fail });
      }),
    onEvents: note("heard"),
  });
  return { turns, happened, commits, note };
}

test("what is asked is done, made durable, heard of and answered, and only then its effects begin", async () => {
  const { turns, happened, commits, note } = createTurns();
  void turns
    .ask(() => {
      happened.push("done");
      turns.record(event);
      turns.afterwards(note("effect"));
    })
    .then(note("answered"));
  expect(happened).toEqual([]);
  turns.begin();
  const end = turns.end();
  await idle();
  expect(happened).toEqual(["done", "commit"]);
  commits[0]?.succeed();
  await end;
  await idle();
  expect(happened.slice(0, 3)).toEqual(["done", "commit", "heard"]);
  expect(happened.slice(3).toSorted()).toEqual(["answered", "effect"]);
});

test("what is asked during a commit waits for the next turn", async () => {
  const { turns, happened, commits, note } = createTurns();
  turns.record(event);
  const end = turns.end();
  void turns.ask(note("done"));
  turns.tell(note("told"));
  commits[0]?.succeed();
  await end;
  expect(happened).toEqual(["commit", "heard"]);
  expect(turns.hasRequests).toBe(true);
  turns.begin();
  expect(happened).toEqual(["commit", "heard", "done", "told"]);
});

test("a turn in which nothing happens commits nothing, and its answers do not wait", async () => {
  const { turns, happened } = createTurns();
  const answer = turns.ask(() => 7);
  turns.begin();
  await turns.end();
  expect(await answer).toBe(7);
  expect(happened).toEqual([]);
});

test("who asks for what can't be done is told so, and the others are not disturbed", async () => {
  const { turns } = createTurns();
  const wrong = turns.ask(() => {
    throw new Error("no");
  });
  const right = turns.ask(() => "yes");
  const told = expect(wrong).rejects.toThrow("no");
  turns.begin();
  await turns.end();
  await told;
  expect(await right).toBe("yes");
});

test("a look waits for the commit that is under way, and for no other", async () => {
  const { turns, happened, commits, note } = createTurns();
  await turns.look(note("looked"));
  turns.record(event);
  const end = turns.end();
  void turns.look(note("looked again"));
  await idle();
  expect(happened).toEqual(["looked", "commit"]);
  commits[0]?.succeed();
  await end;
  expect(happened).toEqual(["looked", "commit", "heard", "looked again"]);
});

test("when a commit fails, nobody hears of it and no effect begins; whoever waits or asks is told why", async () => {
  const { turns, happened, commits, note } = createTurns();
  const reason = new Error("the disk is gone");
  const asked = turns.ask(() => {
    turns.record(event);
    turns.afterwards(note("effect"));
  });
  turns.begin();
  const end = turns.end();
  const looked = turns.look(note("looked"));
  const later = turns.ask(note("done later"));
  const told = Promise.allSettled([end, asked, looked, later]);
  commits[0]?.fail(reason);
  await end.catch(() => {});
  turns.refuseAll(reason);
  for (const fate of await told) expect(fate).toEqual({ status: "rejected", reason });
  await expect(turns.ask(note("done afterwards"))).rejects.toBe(reason);
  await expect(turns.look(note("looked afterwards"))).rejects.toBe(reason);
  expect(happened).toEqual(["commit"]);
});

test("who waits to be asked hears of it, also when it was before", async () => {
  const { turns, note, happened } = createTurns();
  const waiting = turns.untilAsked();
  turns.tell(note("first"));
  await waiting;
  turns.tell(note("second"));
  await turns.untilAsked();
  turns.begin();
  expect(happened).toEqual(["first", "second"]);
});
