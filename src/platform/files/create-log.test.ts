import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { logLevels } from "../../util/log.ts";
import { createLog } from "./create-log.ts";

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

test("of what nobody reads no more is kept than a megabyte, and whoever reads again is told how much is missing", () => {
  const output = new PassThrough();
  const log = createLog(output, undefined);
  const message = "x".repeat(1000);
  for (let count = 0; count < 3000; count += 1) log("info", message);
  expect(output.writableLength + output.readableLength).toBeLessThan(1_200_000);
  const kept = linesOf(output);
  log("info", "back again");
  const missing = 3000 - kept.length;
  expect(linesOf(output)).toMatchObject([
    { level: "warn", message: `${missing} messages are missing here: the reader was too slow.` },
    { level: "info", message: "back again" },
  ]);
});

function linesOf(output: PassThrough): unknown[] {
  let text = "";
  for (let chunk = output.read(); chunk !== null; chunk = output.read()) text += String(chunk);
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}
