import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { longTimeout, scaled } from "../../rig/scale.ts";
import { corpus } from "./corpus.ts";
import { isRunnable, runWithoutRefusing } from "./judge-attacks.ts";

const directory = mkdtempSync(join(tmpdir(), "frond-attacks-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const attacks = corpus.flatMap((group) => group.attacks);

test(
  "each attack of the corpus executes its value when nothing is refused",
  async () => {
    // It says something of the corpus, not of Frond, so a slice does where no attack is new.
    const runnable = attacks.filter((attack) => attack.expect !== "harmless" && isRunnable(attack));
    const stride = scaled({ slice: 6, long: 1 });
    const attempted = runnable.filter((_, index) => index % stride === 0);
    const executed = new Set(await runWithoutRefusing(directory, attempted));
    expect(attempted.filter((attack) => !executed.has(attack)).map(({ name }) => name)).toEqual([]);
  },
  longTimeout,
);

test("no two attacks have one name, and each holds a value", () => {
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
  const withoutValue = attacks.filter(({ command, args, stdin, env }) => {
    const texts = [command ?? "", ...(args ?? []), stdin ?? "", ...Object.values(env ?? {})];
    return !texts.some((text) => text.includes("${inputs."));
  });
  expect(withoutValue.map(({ name }) => name)).toEqual([]);
});
