import type { Result } from "../../src/util/result.ts";

/** The value of a result that is no failure. */
export function unwrap<T>(result: Result<T, unknown>): T {
  if (result.ok) return result.value;
  throw new Error(`It failed: ${JSON.stringify(result.error)}`);
}
