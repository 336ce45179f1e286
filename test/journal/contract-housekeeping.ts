import { expect, test } from "vitest";
import type { JournalKind } from "./contract.ts";
import { creation, owner, runFinished, runStarted, someEvents } from "./sample-events.ts";

/** What every journal promises about the space it takes, and what its storage tells of itself. */
export function describeHousekeeping({ createStore }: JournalKind): void {
  test("a deleted run takes no space after housekeeping, and nothing else is lost", async () => {
    const journal = await createStore().open();
    await journal.create(creation("stays"));
    await journal.create({ events: [runStarted("goes"), ...someEvents(2000), runFinished()], owner });
    const before = await journal.usage();
    await journal.delete("goes");
    await journal.housekeep();
    const after = await journal.usage();
    expect(after.bytes).toBeGreaterThan(0);
    expect(after.bytes).toBeLessThan(before.bytes);
    expect(await journal.read("stays")).toHaveLength(1);
  });

  test("the journal remembers when housekeeping last ended, for every process", async () => {
    let time = 12_345;
    const store = createStore(() => time);
    const [journal, other] = [await store.open(), await store.open()];
    expect((await journal.usage()).housekeptAt).toBeUndefined();
    await journal.housekeep();
    expect((await other.usage()).housekeptAt).toBe(12_345);
    time = 2 ** 41 + 5;
    await other.housekeep();
    expect((await journal.usage()).housekeptAt).toBe(time);
  });

  test("housekeeping does not disturb those who write at the same time", async () => {
    const journal = await createStore().open();
    await journal.create({ events: [runStarted("goes"), ...someEvents(500), runFinished()], owner });
    await journal.create(creation("r"));
    await journal.delete("goes");
    const appended = someEvents(20).map((event) => journal.append("r", 1, [event]));
    await Promise.all([journal.housekeep(), ...appended]);
    expect(await journal.read("r")).toHaveLength(21);
  });

  test("a storage without a journal is examined and stays without one", async () => {
    const store = createStore();
    for (let time = 0; time < 2; time++) {
      const { program, access, bytes } = await store.examine();
      expect(program).toMatchObject({ ok: true, value: { version: expect.stringMatching(/^\d+\.\d+/) } });
      expect(access.ok).toBe(true);
      expect(bytes).toEqual({ ok: true, value: undefined });
    }
  });

  test("a storage with a journal says how much it takes, while others use it", async () => {
    const store = createStore();
    const journal = await store.open();
    await journal.create(creation("r"));
    const { access, bytes } = await store.examine();
    expect(access).toEqual({ ok: true, value: "writable" });
    expect(bytes).toEqual({ ok: true, value: expect.any(Number) });
    expect(bytes.ok && bytes.value).toBeGreaterThan(0);
    expect(await journal.append("r", 1, someEvents(1))).toBe(true);
  });
}
