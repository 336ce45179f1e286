import fc from "fast-check";
import { expect, test } from "vitest";
import { HeadAndTail } from "./head-and-tail.ts";

function capture(limit: number, chunks: readonly Uint8Array[]) {
  const captured = new HeadAndTail(limit);
  for (const chunk of chunks) captured.write(chunk);
  return captured.result();
}

test("what fits is kept whole, however it arrives", () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
  fc.assert(
    fc.property(chunks, (chunks) => {
      const all = Buffer.concat(chunks);
      expect(capture(all.length, chunks)).toEqual({ text: all.toString(), totalBytes: all.length, truncated: false });
    }),
    { seed: 1 },
  );
});

test("what does not fit keeps its first and last bytes and says how many are missing", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."abcdefghij"), maxLength: 60 });
  fc.assert(
    fc.property(fc.nat({ max: 100 }), fc.array(letters, { maxLength: 20 }), (limit, pieces) => {
      const all = pieces.join("");
      fc.pre(all.length > limit);
      const head = all.slice(0, Math.floor(limit / 2));
      const tail = all.slice(all.length - Math.ceil(limit / 2));
      const result = capture(
        limit,
        pieces.map((piece) => Buffer.from(piece)),
      );
      expect(result).toEqual({
        text: `${head}\n... ${all.length - limit} bytes left out ...\n${tail}`,
        totalBytes: all.length,
        truncated: true,
      });
    }),
    { seed: 2 },
  );
});

test("no character is broken at the cut", () => {
  const characters = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀"), minLength: 40, maxLength: 80 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 }), characters, (limit, text) => {
      const result = capture(limit, [Buffer.from(text)]);
      expect(result.truncated).toBe(true);
      expect(result.text).not.toContain("\uFFFD");
      const [head = "", leftOut = "", tail = ""] = result.text.split(/\n\.\.\. (\d+) bytes left out \.\.\.\n/);
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect(Buffer.byteLength(head) + Number(leftOut) + Buffer.byteLength(tail)).toBe(result.totalBytes);
    }),
    { seed: 3 },
  );
});

test("bytes that are no text become replacement characters", () => {
  expect(capture(10, [Uint8Array.of(0x61, 0xff, 0x62)]).text).toBe("a\uFFFDb");
});

test("large counts are written for people", () => {
  expect(capture(0, [Buffer.alloc(1_234_567)]).text).toBe("\n... 1,234,567 bytes left out ...\n");
});
