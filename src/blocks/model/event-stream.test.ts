import fc from "fast-check";
import { expect, test } from "vitest";
import { EventStream, type ServerEvent } from "./event-stream.ts";

function readAll(pieces: readonly Uint8Array[]): ServerEvent[] {
  const stream = new EventStream();
  return pieces.flatMap((piece) => [...stream.push(piece)]);
}

const read = (text: string): ServerEvent[] => readAll([Buffer.from(text)]);

test.each([
  ["one event", "event: a\ndata: 1\n\n", [{ name: "a", data: "1" }]],
  ["one without a name", "data: 1\n\n", [{ name: "", data: "1" }]],
  ["data in several lines", "data: 1\ndata:2\ndata:  3\n\n", [{ name: "", data: "1\n2\n 3" }]],
  ["returns, alone and with line feeds", "data: 1\r\rdata: 2\r\n\r\ndata: 3\n\n", ["1", "2", "3"].map(unnamed)],
  ["comments and unknown fields", ": ping\nid: 7\nretry: 1\ndata: 1\n\n", [unnamed("1")]],
  ["a name alone, which is no event and names no later one", "event: a\n\ndata: 1\n\n", [unnamed("1")]],
  ["a byte order mark", "\ufeffdata: 1\n\n", [unnamed("1")]],
  ["an event that does not end", "data: 1\n\ndata: 2\n", [unnamed("1")]],
])("%s", (_what, text, events) => {
  expect(read(text)).toEqual(events);
});

function unnamed(data: string): ServerEvent {
  return { name: "", data };
}

const line = fc.string({ unit: fc.constantFrom(...'ab: {}"é€😀\u2028'), maxLength: 12 });
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");

test("events are the same wherever their bytes are cut, also inside characters and line ends", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom("data: ", "event: ", ":", "data:"), line, lineEnd, fc.boolean()), {
        maxLength: 20,
      }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 10 }),
      (lines, lengths) => {
        const text = lines.map(([field, value, end, isLast]) => `${field}${value}${end}${isLast ? end : ""}`).join("");
        const bytes = Buffer.from(text);
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += pieces.at(-1)?.length ?? 0) {
          pieces.push(bytes.subarray(at, at + (lengths[pieces.length % lengths.length] ?? 1)));
        }
        expect(readAll(pieces)).toEqual(readAll([bytes]));
      },
    ),
    { numRuns: 500, seed: 7 },
  );
});
