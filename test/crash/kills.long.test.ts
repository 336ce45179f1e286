import { afterAll, beforeAll, expect, test } from "vitest";
import { longTimeout, scaled } from "../rig/scale.ts";
import { everything } from "./everything.ts";
import { sleepyPhases } from "./phases.ts";
import { planSleepy } from "./plan-episode.ts";
import { Rig } from "./rig.ts";
import { sleepy } from "./sleepy.ts";
import { Tally } from "./tally.ts";

const written = [
  ...["run-started", "run-paused", "run-resumed", "run-finished"],
  ...["block-started", "block-finished", "block-paused", "block-interrupted", "question-answered", "block-resumed"],
  ...["attempt-ended", "block-sleeping", "block-woken", "finally-started"],
  ...["claim", "release", "post", "settle"],
];
const points = ["before-begin", "before-commit", "after-commit"];
/** A slice takes every thirty-sixth of all points, by which it meets each of the three, and then each kind of write that it has missed. */
const stride = scaled({ slice: 36, long: 1 });

const tally = new Tally();
let rig: Rig;

beforeAll(async () => {
  rig = await Rig.open();
});

afterAll(async () => {
  expect(await rig.close(), "processes left behind").toEqual([]);
});

const mostRounds = 6;
const namesPerCase = 3;

test(
  "a run outlives a kill at every point of every write, and another one in whoever goes on",
  async () => {
    const most = await countPoints();
    await rig.inLanes(Math.ceil(most / stride), async (step) => {
      const index = step * stride;
      await killAt(index, index + 1, index + 1);
      return "more";
    });
    // Which write has which number, and which write there is at all, depends on what happens to end together.
    const all = points.flatMap((point) => written.map((what) => `${point} ${what}`));
    const findMissed = (): string[] => all.filter((name) => !hitPoints().has(name));
    let tried = most;
    for (let round = 0; round < mostRounds && findMissed().length > 0; round += 1) {
      const missed = findMissed();
      const first = tried;
      const cases = Math.ceil(missed.length / namesPerCase);
      tried += cases;
      await rig.inLanes(cases, async (index) => {
        const names = missed.filter((_, at) => at % cases === index);
        await killAt(first + index, "before-begin block-finished", ...names);
        return "more";
      });
    }
    expect(tally.failed).toEqual([]);
    expect(findMissed()).toEqual([]);
  },
  longTimeout,
);

const answers = "through the inbox";

async function countPoints(): Promise<number> {
  let most = 0;
  const { violations } = await rig.follow({ ...everything, seed: 0 }, async (it) => {
    const [driver] = await it.perform({ kind: "alone", answers });
    most = (await driver?.until("over"))?.writes ?? 0;
    await it.finish();
  });
  expect(violations).toEqual([]);
  return most;
}

async function killAt(seed: number, ...points: readonly (number | string)[]): Promise<void> {
  const it = await rig.follow({ ...everything, seed }, async (it) => {
    for (const at of points) await it.perform({ kind: "alone", answers, kill: { kind: "write", at } });
    await it.finish();
  });
  tally.add(seed, it);
}

function hitPoints(): ReadonlySet<string> {
  return new Set(tally.kills.flatMap(({ fault }) => fault?.what.map((what) => `${fault.point} ${what}`) ?? []));
}

test(
  "a run outlives kills at any moment and in any company, and ends as if there had been none",
  async () => {
    const random = await rig.run({ seed: 1, kills: scaled({ slice: 12, long: 1000 }) });
    expect(random.failed).toEqual([]);
    tally.kills.push(...random.kills);
  },
  longTimeout,
);

/** Of each phase in which something is tried again or sleeps. */
const enough = scaled({ slice: 1, long: 300 });

test(
  "a run outlives kills between and during its attempts, while it sleeps and when it is woken",
  async () => {
    const isEnough = (all: Tally): boolean =>
      all.failed.length > 0 || all.missedPhases(sleepyPhases, enough).length === 0;
    const kills = scaled({ slice: 12, long: 6000 });
    const sleeping = await rig.run({ seed: 2, kills, workflows: sleepy, plan: planSleepy, isEnough });
    expect(sleeping.failed).toEqual([]);
    tally.kills.push(...sleeping.kills);
  },
  longTimeout,
);

test("kills fell into every phase", () => {
  expect(tally.missedPhases(), tally.table()).toEqual([]);
  expect(tally.missedPhases(sleepyPhases, enough), tally.table()).toEqual([]);
});
