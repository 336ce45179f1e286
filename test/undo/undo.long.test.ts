import { expect, test } from "vitest";
import { longTimeout, scaled } from "../rig/scale.ts";
import { followCase, type Tally } from "./follow-case.ts";
import { shrinkCase } from "./shrink-case.ts";
import { type CaseLimits, makeCase, type UndoCase } from "./undo-case.ts";

/** FROND_SEEDS=7 tries one case again, FROND_SEEDS=1000-2000 others. */
const [firstSeed = 1, lastSeed = firstSeed] = process.env.FROND_SEEDS?.split("-").map(Number) ?? [
  1,
  scaled({ slice: 24, long: 20_000 }),
];
const tally: Tally = new Map();
const mostFailures = 3;
const reportEvery = 500;

const limits: CaseLimits = {
  kinds: ["rollback", "rollback", "undo", "undo", "commit"],
  effects: ["observe"],
  mayRestore: true,
};

/** A case that still fails, as small as it can be made, and what is wrong with it. */
async function describeFailure(seed: number, made: UndoCase, violations: readonly string[]): Promise<string> {
  // Making it smaller takes a while.
  process.stderr.write(`seed ${seed}:\n${violations.map((line) => `  ${line}\n`).join("")}`);
  const kinds = new Set(violations.map(kindOf));
  const smallest = await shrinkCase(made, async (smaller) =>
    (await followCase(smaller)).some((line) => kinds.has(kindOf(line))),
  );
  const still = await followCase(smallest);
  return [
    `seed ${seed} (once more: FROND_SEEDS=${seed}):`,
    ...violations.slice(0, 10).map((line) => `  ${line}`),
    `  smaller: ${JSON.stringify(smallest)}`,
    ...still.slice(0, 5).map((line) => `    ${line}`),
  ].join("\n");
}

/** What is wrong, without where. */
function kindOf(violation: string): string {
  return violation.slice(0, violation.indexOf(":"));
}

test(
  "after a rollback or an undo every byte is as it was, an undo of the undo is what was there, and twice is the same as once",
  async () => {
    const failures: string[] = [];
    for (let seed = firstSeed; seed <= lastSeed && failures.length < mostFailures; seed++) {
      const made = makeCase(seed, limits);
      const violations = await followCase(made, tally).catch((error) => [`it throws: ${String(error.stack)}`]);
      if (violations.length > 0) failures.push(await describeFailure(seed, made, violations));
      if ((seed - firstSeed + 1) % reportEvery === 0) {
        process.stderr.write(
          `seeds ${firstSeed} to ${seed}: ${[...tally].map(([name, count]) => `${count} ${name}`).join(", ")}\n`,
        );
      }
    }
    expect(failures.join("\n\n")).toBe("");
  },
  longTimeout,
);

test("what is to be shown comes up", () => {
  if (lastSeed - firstSeed < 20) return;
  const needed = ["rolled back", "rolled back to a commit point", "undone", "redone", "cancelled", "in repositories"];
  const made = ["files changed", "commands observed", "attempts and groups taken back"];
  for (const what of [...needed, ...made]) expect(tally.get(what), what).toBeGreaterThan(0);
});
