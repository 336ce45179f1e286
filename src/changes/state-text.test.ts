import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { EntryState } from "./recorded-change.ts";
import { readState, writeState } from "./state-text.ts";

const sha256 = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 });
const mode = fc.nat(0o1777);

const state: fc.Arbitrary<EntryState> = fc.oneof(
  fc.constant({ kind: "missing" as const }),
  fc.record({ kind: fc.constant("file" as const), mode, size: fc.nat(), sha256 }, { requiredKeys: ["kind", "mode"] }),
  fc.record({ kind: fc.constant("directory" as const), mode }, { requiredKeys: ["kind"] }),
  fc.record({
    kind: fc.constant("link" as const),
    target: fc.string({ unit: "binary", minLength: 1 }).filter((target) => !target.includes("\0")),
  }),
);

test("a state is read as it was written", () => {
  fc.assert(fc.property(state, (one) => void expect(readState(writeState(one))).toEqual(one)));
});

test("states are written so that people can read them", () => {
  const digest = "ab".repeat(32);
  expect(writeState({ kind: "file", mode: 0o644, sha256: digest, size: 12 })).toBe(`file 0644 ${digest} 12`);
  expect(writeState({ kind: "file", mode: 0o600 })).toBe("file 0600 - -");
  expect(writeState({ kind: "directory", mode: 0o1777 })).toBe("directory 1777");
  expect(writeState({ kind: "link", target: "../a b" })).toBe("link ../a b");
});

test.each([
  "",
  "file",
  "gone",
  "missing ",
  "link ",
  "directory 0999",
  "file 0644 abc 1",
  "file 0644 - -1",
  "file - - -",
])("'%s' is no state", (text) => expect(readState(text)).toBeUndefined());
