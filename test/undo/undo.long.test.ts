import { afterAll, expect, test } from "vitest";
import { whyNotIsolated } from "../rig/isolation.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { followCase, type Tally } from "./follow-case.ts";
import { CaseGround } from "./open-case.ts";
import { shrinkCase } from "./shrink-case.ts";
import { type CaseLimits, makeCase, type UndoCase } from "./undo-case.ts";

/** FROND_SEEDS=7 tries one case again, FROND_SEEDS=1000-2000,7 many, of which those that fail are only named. */
const wanted = process.env.FROND_SEEDS;
const seeds = wanted === undefined ? range(1, scaled({ slice: 24, long: 20_000 })) : readSeeds(wanted);
const isSurvey = wanted !== undefined && seeds.length > 1;
const tally: Tally = new Map();
const mostFailures = isSurvey ? Number.POSITIVE_INFINITY : 3;
const reportEvery = 500;
/** Much of a case is waiting for processes. */
const atOnce = scaled({ slice: 1, long: 3 });

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function readSeeds(text: string): number[] {
  return text.split(",").flatMap((part) => {
    const [first = 1, last = first] = part.split("-").map(Number);
    return range(first, last);
  });
}

const ground = new CaseGround();
afterAll(() => ground.close());
const canIsolate = (await whyNotIsolated()) === undefined;

const limits: CaseLimits = {
  kinds: ["rollback", "rollback", "undo", "undo", "commit"],
  effects: canIsolate ? ["observe", "observe", "isolated"] : ["observe"],
  mayRestore: true,
};

function report(followed: number): void {
  const counts = [...tally].map(([name, count]) => `${count} ${name}`).join(", ");
  process.stderr.write(`${followed} cases of those from ${seeds[0]} on: ${counts}\n`);
}

/** A case that still fails, as small as it can be made, and what is wrong with it. */
async function describeFailure(seed: number, made: UndoCase, violations: readonly string[]): Promise<string> {
  // Making it smaller takes a while.
  process.stderr.write(`seed ${seed}:\n${violations.map((line) => `  ${line}\n`).join("")}`);
  if (isSurvey) return `seed ${seed}: ${violations.length}`;
  const kinds = new Set(violations.map(kindOf));
  const smallest = await shrinkCase(made, async (smaller) =>
    (await followCase(smaller, ground)).some((line) => kinds.has(kindOf(line))),
  );
  const still = await followCase(smallest, ground);
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
    const left = seeds.values();
    let followed = 0;
    const follow = async (): Promise<void> => {
      for (const seed of left) {
        if (failures.length >= mostFailures) return;
        const made = makeCase(seed, limits);
        const violations = await followCase(made, ground, tally).catch((error) => [`it throws: ${error.stack}`]);
        if (violations.length > 0) failures.push(await describeFailure(seed, made, violations));
        if (++followed % reportEvery === 0 || followed === seeds.length) report(followed);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, follow));
    expect(failures.join("\n\n")).toBe("");
  },
  longTimeout,
);

test("what is to be shown comes up", () => {
  if (seeds.length < 20) return;
  const needed = ["rolled back", "rolled back to a commit point", "undone", "redone", "cancelled", "in repositories"];
  const made = ["files changed", "commands observed", "attempts and groups taken back"];
  const isolated = canIsolate ? ["commands isolated"] : [];
  for (const what of [...needed, ...made, ...isolated]) expect(tally.get(what), what).toBeGreaterThan(0);
});
