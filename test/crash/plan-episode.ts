import type { Episode, Kill } from "./episode.ts";
import type { Family } from "./make-workflows.ts";
import { answerModes } from "./protocol.ts";
import { pick, type Random } from "./random.ts";

/** What happens next in a case, by chance. */
export function planEpisode(random: Random, family: Family): Episode {
  const choice = random(20);
  if (choice === 0) return planStale(random);
  if (choice === 1) return { kind: "race", kill: planKill(random) };
  if (choice < 4) return planAnswered(random);
  if (choice < 6 && family === "loose") {
    return {
      kind: "cancelled",
      afterMs: random(80),
      victim: random(2) === 0 ? "first" : "second",
      kill: planKill(random),
    };
  }
  const isOverruled = family === "decide" && random(8) === 0;
  return {
    kind: "alone",
    answers: pick(random, [...answerModes, "none"]),
    kill: planKill(random),
    ...(isOverruled ? { onInterrupted: pick(random, ["rerun", "fail"] as const) } : {}),
  };
}

/** For a run that sleeps most of the time. */
export function planSleepy(random: Random): Episode {
  const isAtWrite = random(2) === 0;
  const kill: Kill = isAtWrite ? planSleepyWrite(random) : { kind: "moment", since: "held", afterMs: random(200) };
  return { kind: "alone", answers: "none", kill };
}

function planSleepyWrite(random: Random): Kill {
  return { kind: "write", at: `${pick(random, writePoints)} ${pick(random, sleepyWrites)}` };
}

export function planStale(random: Random): Episode {
  const kill = random(2) === 0 ? { kill: planKill(random) } : {};
  return { kind: "stale", afterMs: random(80), stoppedMs: random(3) === 0 ? 0 : 1 + random(120), ...kill };
}

function planAnswered(random: Random): Episode {
  return { kind: "answered", victim: random(2) === 0 ? "first" : "second", kill: planKill(random) };
}

const writePoints = ["before-begin", "before-commit", "after-commit"];
/** The end of an attempt is the rarest. */
const sleepyWrites = ["attempt-ended", "attempt-ended", "block-sleeping", "block-woken"];

/** Sleep is waited for: where commits take long, a kill soon after the run is held always comes before it. */
const sleepyMoments = ["between attempts", "asleep", "asleep"] as const;
const moments = ["held", "held", "held", "held", "held", "asked", "answered", ...sleepyMoments, "ready", "up"] as const;

/** Most of them when the process has something in hand. */
function planKill(random: Random): Kill {
  if (random(16) === 0) return planSleepyWrite(random);
  if (random(5) < 2) return { kind: "write", at: 1 + random(random(2) === 0 ? 12 : 45) };
  const since = pick(random, moments);
  return { kind: "moment", since, afterMs: random(random(2) === 0 ? 10 : 60) };
}
