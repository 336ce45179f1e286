import { expect, it } from "vitest";
import { plainMessage } from "./plain-message.ts";

it.each([
  ["exit code 1: \u001b[1;31mAssertionError\u001b[0m: no", "exit code 1: AssertionError: no"],
  ["\u001b]8;;https://example.com\u0007link\u001b]8;;\u0007", "link"],
  ["one\r\ntwo\ttabs\u0000", "one\ntwo\ttabs"],
  ["delete \u202eatled\u202c?", "delete atled?"],
])("%j is %j", (message, plain) => {
  expect(plainMessage(message)).toBe(plain);
});
