import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";

const root = join(import.meta.dirname, "..", "..", "workflows");

/** Version managers put launchers before the interpreter; each of its many starts would take three times as long. */
const { stdout: python } = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
const env = python?.trim() ? { PATH: dirname(python.trim()) + delimiter + process.env.PATH } : {};

test.each(readdirSync(root))("the tests beside the workflows for %s pass", { timeout: 600_000 }, async (group) => {
  const { code, stdout, stderr } = await createFrond().run(["test", join(root, group)], { env });
  expect({ code, stderr, said: code === 0 ? "" : stdout }).toEqual({ code: 0, stderr: "", said: "" });
  expect(stdout).toMatch(/^\d+ passed(, \d+ skipped .*)? in /m);
});
