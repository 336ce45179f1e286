import type { CancelForecast, ResumeForecast } from "./act-records.ts";
import type { Level, RunHead } from "./page-records.ts";

const mostNames = 12;

/** What a cancel would stop. */
export function foreseeCancel({ blocks }: Pick<Level, "blocks">): CancelForecast {
  const going = blocks.filter(({ standing }) => ["running", "asks", "sleeping"].includes(standing));
  return {
    stops: going.slice(0, mostNames).map(({ address, name, standing }) => ({ address, name, standing })),
    more: Math.max(0, going.length - mostNames),
    says: "Nothing else starts, except what is under `finally`. What was changed so far stays; undo can take it back. The run says that it was cancelled by web page.",
  };
}

/** What going on with a run means, and what can be chosen for blocks that ran when its process ended. */
export function foreseeResume({ standing, wake_at: wakeAt }: Pick<RunHead, "standing" | "wake_at">): ResumeForecast {
  if (standing === "interrupted") {
    return {
      says: "The process that ran it has ended. This server goes on with it from where it was; what has ended is not run again.",
      rules: [
        ["", "As each of them says itself"],
        ["rerun", "Run them again"],
        ["ask", "Ask what to do"],
        ["fail", "Let them fail"],
      ],
    };
  }
  const sleeps = wakeAt === undefined ? "" : `; what sleeps until <${wakeAt}> still does`;
  return { says: `This server goes on with it${sleeps}.`, rules: [] };
}
