import { expect, test } from "vitest";
import { SpilledBytes } from "./spilled-bytes.ts";

function all(waiting: SpilledBytes): string {
  let text = "";
  for (let piece = waiting.shift(); piece !== undefined; piece = waiting.shift()) text += Buffer.from(piece).toString();
  return text;
}

test("what waits comes out in the order in which it came, however much of it went to the disk", () => {
  const waiting = new SpilledBytes();
  const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`);
  for (const line of lines.slice(0, 60_000)) waiting.push(Buffer.from(line));
  const first = Buffer.from(waiting.shift() ?? []).toString();
  for (const line of lines.slice(60_000)) waiting.push(Buffer.from(line));
  expect(waiting.isEmpty).toBe(false);
  expect(first + all(waiting)).toBe(lines.join(""));
  expect(waiting.isEmpty).toBe(true);
  waiting.push(Buffer.from("again"));
  expect(all(waiting)).toBe("again");
});

test("what is pushed is kept as it was then", () => {
  const waiting = new SpilledBytes();
  const bytes = Buffer.from("one");
  waiting.push(bytes);
  bytes.write("two");
  expect(all(waiting)).toBe("one");
});

test("what is beyond the limit is counted, and what comes after that is kept when there is room again", () => {
  const waiting = new SpilledBytes(300_000);
  const piece = Buffer.alloc(200_000, "a");
  for (let count = 0; count < 4; count++) waiting.push(piece);
  expect(waiting.takeLost()).toBe(400_000);
  expect(waiting.takeLost()).toBe(0);
  expect(all(waiting)).toHaveLength(400_000);
  waiting.push(piece);
  expect(waiting.takeLost()).toBe(0);
  expect(all(waiting)).toHaveLength(200_000);
});
