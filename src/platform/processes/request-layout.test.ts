import fc from "fast-check";
import { expect, test } from "vitest";
import { layOutRequest, longestRequest, type RequestParts, requestAddress, requestWords } from "./request-layout.ts";

const text = fc.string({ unit: "binary" }).map((string) => string.replaceAll("\0", ""));
const parts = fc.record({
  command: fc.array(text, { minLength: 1 }),
  variables: fc.array(text),
  ...{ cwd: text, stdin: text, stdout: text, stderr: text },
  text: fc.option(text, { nil: undefined }),
});

/** Reads a request as the system does, from where it lies in a slot. */
function readBack(bytes: Buffer): RequestParts & Record<"size" | "file" | "report", unknown> & { strings: string[] } {
  const wordAt = (offset: number): number => Number(bytes.readBigUInt64LE(offset));
  const stringAt = (address: number): string => {
    const begin = address - requestAddress;
    return bytes.toString("utf8", begin, bytes.indexOf(0, begin));
  };
  const list = (address: number): string[] => {
    const found: string[] = [];
    for (let at = address - requestAddress; wordAt(at) !== 0; at += 8) found.push(stringAt(wordAt(at)));
    return found;
  };
  const word = (name: (typeof requestWords)[number]): number => wordAt(8 * requestWords.indexOf(name));
  const optional = (address: number): string | undefined => (address === 0 ? undefined : stringAt(address));
  const strings = word("strings") - requestAddress;
  return {
    size: word("size"),
    command: list(word("argv")),
    variables: list(word("envp")),
    cwd: stringAt(word("cwd")),
    stdin: stringAt(word("stdin")),
    stdout: stringAt(word("stdout")),
    stderr: stringAt(word("stderr")),
    text: optional(word("text")),
    file: optional(word("file")),
    strings: bytes.toString("utf8", strings, strings + word("stringsSize")).split("\0"),
    report: bytes.toString("latin1", word("report") - requestAddress),
  };
}

test("a request holds everything at the addresses that it names", () => {
  fc.assert(
    fc.property(parts, (given) => {
      const bytes = layOutRequest(given) as Buffer;
      const { command, variables } = given;
      expect(readBack(bytes)).toEqual({
        ...given,
        size: bytes.length,
        file: command[0]?.includes("/") ? command[0] : undefined,
        strings: [...command, ...variables],
        report: "s",
      });
    }),
  );
});

test("what is too long for a slot, or holds a NUL, is no request", () => {
  const given = { command: ["true"], variables: [], cwd: "/", stdin: "", stdout: "", stderr: "", text: undefined };
  expect(layOutRequest({ ...given, variables: ["a=\0"] })).toBeUndefined();
  const room = longestRequest - (layOutRequest({ ...given, variables: [""] }) as Buffer).length;
  expect(layOutRequest({ ...given, variables: ["x".repeat(room)] })?.length).toBe(longestRequest);
  expect(layOutRequest({ ...given, variables: ["x".repeat(room + 1)] })).toBeUndefined();
});
