import { afterAll, beforeAll, expect, test } from "vitest";
import type { CrashCase } from "./crash-case.ts";
import type { Episode } from "./episode.ts";
import { everything } from "./everything.ts";
import { planStale } from "./plan-episode.ts";
import { type BugName, bugs } from "./planted-bugs.ts";
import type { AnswerMode } from "./protocol.ts";
import { numberOf } from "./random.ts";
import { Rig } from "./rig.ts";
import { Tally } from "./tally.ts";
import type { Promised } from "./violation.ts";

interface Hunt {
  readonly breaks: Promised;
  /** A case in which it shows, where chance alone would take long to make one. */
  hunt?(rig: Rig, number: number): Promise<CrashCase>;
}

const chain: typeof everything = {
  family: "decide",
  paceMs: 0,
  workflows: {
    root: {
      blocks: [
        { id: "a", type: "Effect", on_interrupted: "fail" },
        { id: "b", type: "Effect", inputs: { take: ["${blocks.a.value}"] } },
      ],
    },
    library: {},
  },
};

const cleaned: typeof everything = {
  ...chain,
  workflows: {
    root: {
      blocks: [{ id: "a", type: "Effect" }],
      finally: [{ id: "clean", type: "Effect", on_interrupted: "rerun" }],
    },
    library: {},
  },
};

const hunts: Readonly<Record<BugName, Hunt>> = {
  "early-finally": {
    breaks: "finally comes last",
    hunt: (rig) => follow(rig, "early-finally", cleaned, killedAt("after-commit finally-started")),
  },
  "no-intent": {
    breaks: "intent before effect",
    hunt: (rig) => follow(rig, "no-intent", chain, killedAt("before-begin block-finished")),
  },
  "early-completion": {
    breaks: "effect before result",
    hunt: (rig) => follow(rig, "early-completion", { ...chain, paceMs: 300 }, killedAt("after-commit block-finished")),
  },
  "early-acknowledgement": { breaks: "acknowledged is durable" },
  "wave-checkpoint": { breaks: "acknowledged is durable" },
  "stale-fence": {
    breaks: "course of a block",
    hunt: (rig, number) => rig.runCase(numberOf(number), { bug: "stale-fence", plan: planStale }),
  },
  "lost-answer": {
    breaks: "requests are kept",
    hunt: (rig) => follow(rig, "lost-answer", everything, killedAt("after-commit settle", "through the inbox")),
  },
  "claim-anyway": {
    breaks: "one owner",
    hunt: (rig) => follow(rig, "claim-anyway", everything, killedAt("after-commit block-started"), { kind: "race" }),
  },
  "forgotten-results": {
    breaks: "same end",
    hunt: (rig) => follow(rig, "forgotten-results", chain, killedAt("after-commit block-finished")),
  },
  "always-rerun": {
    breaks: "at most once",
    hunt: (rig) => follow(rig, "always-rerun", chain, killedAt("before-begin block-finished")),
  },
  "trusted-dead": { breaks: "resumable" },
};

function killedAt(at: number | string, answers: AnswerMode = "none"): Episode {
  return { kind: "alone", answers, kill: { kind: "write", at } };
}

function follow(
  rig: Rig,
  bug: BugName,
  options: typeof everything,
  ...episodes: readonly Episode[]
): Promise<CrashCase> {
  return rig.follow({ ...options, seed: 0, bug }, async (it) => {
    for (const episode of episodes) await it.perform(episode);
    await it.finish();
  });
}

const mostCases = 40;

let rig: Rig;

beforeAll(async () => {
  rig = await Rig.open();
});

afterAll(async () => {
  expect(await rig.close(), "processes left behind").toEqual([]);
});

test.for(Object.keys(bugs) as BugName[])("%s is found", { timeout: 300_000 }, async (bug) => {
  const { breaks, hunt = (_, number) => rig.runCase(numberOf(number), { bug }) } = hunts[bug];
  const tally = new Tally();
  const tryCase = async (number: number): Promise<"enough" | "more"> => {
    tally.add(number, await hunt(rig, number));
    return tally.broken.has(breaks) ? "enough" : "more";
  };
  // Most show in the first, beside which no other has to run.
  if ((await tryCase(0)) === "more") await rig.inLanes(mostCases, (index) => tryCase(index + 1));
  expect([...tally.broken]).toContain(breaks);
});
