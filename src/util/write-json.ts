import { roughSize } from "./rough-size.ts";

/** Of a value that is written at once. */
const most = 65_536;

/** A value as compact JSON, piece by piece: what is large may be longer than a string can be. */
export function* writeJson(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null || roughSize(value, most) <= most) {
    yield JSON.stringify(value) ?? "null";
    return;
  }
  let isFirst = true;
  if (Array.isArray(value)) {
    for (const item of value) {
      yield isFirst ? "[" : ",";
      isFirst = false;
      yield* writeJson(item);
    }
    yield isFirst ? "[]" : "]";
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${isFirst ? "{" : ","}${JSON.stringify(key)}:`;
    isFirst = false;
    yield* writeJson(member);
  }
  yield isFirst ? "{}" : "}";
}
