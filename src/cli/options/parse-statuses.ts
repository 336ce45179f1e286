import { InvalidArgumentError } from "commander";
import { nearestName } from "../../diagnostic/did-you-mean.ts";
import { type ListedStatus, listedStatuses } from "../../views/list-runs.ts";

/** What people call a status elsewhere. */
const otherWords: Readonly<Record<string, ListedStatus>> = {
  ok: "success",
  passed: "success",
  succeeded: "success",
  completed: "success",
  failed: "failure",
  error: "failure",
  canceled: "cancelled",
  stopped: "cancelled",
  waiting: "paused",
  asking: "paused",
  active: "running",
  in_progress: "running",
  lost: "interrupted",
};

/** The values of --status, each of which may be several with commas between them. */
export function parseStatuses(text: string, before: readonly ListedStatus[] = []): readonly ListedStatus[] {
  const words = text.split(",").map((word) => word.trim().toLowerCase());
  return [...before, ...words.filter((word) => word !== "").map(parseStatus)];
}

function parseStatus(word: string): ListedStatus {
  const status = listedStatuses.find((known) => known === word) ?? otherWords[word];
  if (status !== undefined) return status;
  const nearest = nearestName(word, [...listedStatuses, ...Object.keys(otherWords)]);
  const hint = nearest === undefined ? "" : ` Did you mean '${nearest}'?`;
  throw new InvalidArgumentError(`Allowed choices are ${listedStatuses.join(", ")}.${hint}`);
}
