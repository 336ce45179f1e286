import { expect, test } from "vitest";
import type { BlockContext, LeafBehaviour } from "../../block/define-block.ts";
import { httpCall } from "../http-call.ts";
import { readRetryAfter } from "./retry-after.ts";

const now = new Date("2026-03-01T12:00:00Z");

test.each([
  ["7", 7000],
  [" 0 ", 0],
  ["Sun, 01 Mar 2026 12:01:30 GMT", 90_000],
  ["Sunday, 01-Mar-26 12:01:30 GMT", 90_000],
  ["Sun Mar  1 12:01:30 2026", 90_000],
  ["Sun, 01 Mar 2026 11:00:00 GMT", 0],
  ["86401", 86_400_000],
  ["9".repeat(400), 86_400_000],
  ["Fri, 01 Jan 2100 00:00:00 GMT", 86_400_000],
])("Retry-After: %s asks for %d milliseconds", (written, milliseconds) => {
  expect(readRetryAfter({ "retry-after": written }, now)).toBe(milliseconds);
});

test.each(["", "soon", "-5", "1.5", "2026-03-01", "5, 7", "Sun, 99 Foo 2026"])(
  "Retry-After: %s asks for nothing",
  (written) => {
    expect(readRetryAfter({ "retry-after": written }, now)).toBeUndefined();
  },
);

test("a response without it asks for nothing", () => {
  expect(readRetryAfter({}, now)).toBeUndefined();
  expect(readRetryAfter({ "retry-after": ["5"] }, now)).toBeUndefined();
});

test.each([
  [503, { "retry-after": "7" }, { kind: "failed", retryAfterMs: 7000 }],
  [200, { "retry-after": "7" }, { kind: "succeeded" }],
  [503, {}, { kind: "failed" }],
])("HttpCall hands on what a failed response of status %d asks for", async (status, headers, expected) => {
  const response = { status, headers, body: Buffer.from(""), url: "https://example.com/", redirects: 0 };
  const context = {
    clock: { now: () => now, monotonic: () => 0 },
    http: { request: async () => ({ ok: true, value: response }) },
  } as unknown as BlockContext;
  const input = httpCall.inputs().parse({ url: "https://example.com/" });
  const result = await (httpCall.behaviour as LeafBehaviour).run(input as never, context);
  expect({ ...result, message: undefined, outputs: undefined }).toEqual(expected);
});
