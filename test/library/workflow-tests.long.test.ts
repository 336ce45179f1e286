import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createFrond, type Frond } from "../rig/frond.ts";
import { longTimeout, scaled } from "../rig/scale.ts";

const root = join(import.meta.dirname, "..", "..", "workflows");

/** A slice takes the first case of every file, and every fourth after it. */
const stride = scaled({ slice: 4, long: 1 });

/** Version managers put launchers before the interpreter; each of its many starts would take three times as long. */
const { stdout: python } = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
const env = python?.trim() ? { PATH: dirname(python.trim()) + delimiter + process.env.PATH } : {};

/** The workflows of a group as they are, beside a part of their tests. */
function copyGroup(frond: Frond, group: string): { directory: string; cases: number } {
  const directory = join(frond.directory, group);
  cpSync(join(root, group), directory, { recursive: true });
  let cases = 0;
  for (const name of readdirSync(directory).filter((name) => name.endsWith(".test.yaml"))) {
    const file = join(directory, name);
    const tests = parse(readFileSync(file, "utf8")) as { cases: unknown[] };
    const kept = tests.cases.filter((_, index) => index % stride === 0);
    writeFileSync(file, JSON.stringify({ ...tests, cases: kept }));
    cases += kept.length;
  }
  return { directory, cases };
}

test.each(readdirSync(root))("the tests beside the workflows for %s pass", { timeout: longTimeout }, async (group) => {
  const frond = createFrond();
  const { directory, cases } = copyGroup(frond, group);
  const { code, stdout, stderr } = await frond.run(["test", directory], { env });
  expect({ code, stderr, said: code === 0 ? "" : stdout }).toEqual({ code: 0, stderr: "", said: "" });
  const [, passed, skipped = 0] = /^(\d+) passed(?:, (\d+) skipped .*)? in /m.exec(stdout) ?? [];
  expect(Number(passed) + Number(skipped)).toBe(cases);
});
