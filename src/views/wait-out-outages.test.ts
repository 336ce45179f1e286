import { expect, test } from "vitest";
import { JournalError } from "../journal/journal.ts";
import { waitOutOutages } from "./wait-out-outages.ts";

const away = (): Promise<never> => Promise.reject(new JournalError("busy", "It is away."));

test("what can't be read while the database is away is read again; that is told once", async () => {
  const told: string[] = [];
  const patiently = waitOutOutages({ signal: new AbortController().signal, onAway: (why) => void told.push(why) });
  let count = 0;
  expect(await patiently(() => (++count < 3 ? away() : Promise.resolve(count)))).toBe(3);
  expect(told).toEqual(["It is away."]);
});

test("it is given up after a while, at once with the signal, and at once for any other reason", async () => {
  const told: string[] = [];
  const onAway = (why: string): void => void told.push(why);
  const short = waitOutOutages({ signal: new AbortController().signal, onAway, longestMs: 0 });
  await expect(short(away)).rejects.toThrow("It is away.");
  const left = new AbortController();
  const watching = waitOutOutages({ signal: left.signal, onAway: () => left.abort() })(away);
  await expect(watching).rejects.toThrow("It is away.");
  await expect(short(() => Promise.reject(new JournalError("unusable", "Wrong password.")))).rejects.toThrow("Wrong");
  expect(told).toEqual(["It is away."]);
});
