import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";

const root = join(import.meta.dirname, "..", "..", "workflows");

test.each(readdirSync(root))("the tests beside the workflows for %s pass", { timeout: 240_000 }, async (group) => {
  const { code, stdout, stderr } = await createFrond().run(["test", join(root, group)]);
  expect({ code, stderr, said: code === 0 ? "" : stdout }).toEqual({ code: 0, stderr: "", said: "" });
  expect(stdout).toMatch(/^\d+ passed(, \d+ skipped .*)? in /m);
});
