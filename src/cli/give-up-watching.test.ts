import { expect, test } from "vitest";
import { giveUpWatching } from "./give-up-watching.ts";
import type { Terminal } from "./terminal.ts";

test("a run that can't be watched any more is no failed run: the exit code is another, and the way back is told", () => {
  let written = "";
  const terminal = { write: (text: string) => (written += text) } as unknown as Terminal;
  expect(giveUpWatching("run_1", new Error("The database is away."), true, terminal)).toBe(4);
  expect(written).toContain("The database is away.");
  expect(written).toContain("Watch it again with: frond attach run_1");
});
