import { expect, test } from "vitest";
import { KeepTogether } from "./keep-together.ts";

test("many are kept at the same time, but no more than memory has room for", async () => {
  let underway = 0;
  let most = { count: 0, bytes: 0 };
  let bytesUnderway = 0;
  const together = new KeepTogether(async (bytes) => {
    underway++;
    bytesUnderway += bytes.length;
    most = { count: Math.max(most.count, underway), bytes: Math.max(most.bytes, bytesUnderway) };
    await new Promise(setImmediate);
    underway--;
    bytesUnderway -= bytes.length;
    return undefined;
  });
  let ended = 0;
  for (let index = 0; index < 100; index++) await together.add(Buffer.alloc(1), true, () => void ended++);
  await together.settle();
  expect([ended, most.count]).toEqual([100, 32]);
  const large = Buffer.alloc(50_000_000);
  for (let index = 0; index < 3; index++) await together.add(large, true, () => void ended++);
  await together.settle();
  expect([ended, most.bytes]).toEqual([103, 50_000_000]);
});

test("what is unexpected is told when nothing is under way any more", async () => {
  const ends: string[] = [];
  const together = new KeepTogether(async (bytes) => {
    await new Promise(setImmediate);
    if (bytes.length === 0) throw new Error("unexpected");
    return undefined;
  });
  await together.add(Buffer.alloc(0), true, () => void ends.push("first"));
  await together.add(Buffer.alloc(1), true, () => void ends.push("second"));
  await expect(together.settle()).rejects.toThrow("unexpected");
  expect(ends).toEqual(["second"]);
});
