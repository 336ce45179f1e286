import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createLog } from "../../src/node/create-log.ts";
import { logLevels } from "../../src/util/log.ts";

/** What is told of one message of each level. */
function told(level: string | undefined): { level: string; message: string }[] {
  const output = new PassThrough();
  const log = createLog(output, level);
  for (const one of logLevels) log(one, `said ${one}`, { run: "r" });
  const lines = String(output.read() ?? "").split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => JSON.parse(line) as { level: string; message: string });
}

test.each([
  [undefined, ["info", "warn", "error"]],
  ["debug", ["debug", "info", "warn", "error"]],
  ["WARNING", ["warn", "error"]],
  ["error", ["error"]],
])("at level %s, what is less is not told", (level, levels) => {
  expect(told(level)).toEqual(
    levels.map((one) => ({ time: expect.any(String), level: one, message: `said ${one}`, run: "r" })),
  );
});

test("a level that there is not is told, and is info", () => {
  const [first, ...others] = told("loud");
  expect(first).toMatchObject({ level: "warn", message: expect.stringContaining("'loud' is no level") });
  expect(others.map(({ level }) => level)).toEqual(["info", "warn", "error"]);
});
