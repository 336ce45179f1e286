import { findRunId } from "../../runs/find-run-id.ts";
import type { BlockRecord } from "../../views/block-records.ts";
import { pausesOf } from "../../views/checkpoints.ts";
import { type ListedRun, type ListedStatus, listedStatuses, listRuns } from "../../views/list-runs.ts";
import { readShownRun } from "../../views/shown-run.ts";
import { formatAge } from "../text/format-time.ts";
import { type Candidate, type Candidates, noCandidates } from "./candidate.ts";
import type { Question } from "./question.ts";

/** Nobody looks through more. */
const mostRuns = 20;
const mostBlocks = 500;
/** Reading the events of a longer run takes longer than anybody waits for a suggestion. */
const longestRun = 50_000;

const statuses: Readonly<Record<"all" | "open" | "waiting", readonly ListedStatus[]>> = {
  all: listedStatuses,
  open: ["running", "queued", "paused", "sleeping", "interrupted"],
  waiting: ["paused", "interrupted", "sleeping"],
};

/** The newest ones of this directory; those of others where none of these can be meant. */
export async function findRuns(question: Question, which: keyof typeof statuses): Promise<Candidates> {
  const { text, context } = question;
  const { platform } = context;
  // Whoever leaves out the beginning, which all have, is to find the rest.
  const nameOf = (runId: string): string | undefined =>
    [runId, runId.replace(/^run_/, "")].find((name) => name.startsWith(text));
  const isLast =
    which !== "waiting" && "last".startsWith(text) && (await listNear(question, statuses[which], 1)).isHere;
  const { runs } = await listNear(question, statuses[which], mostRuns, (runId) => nameOf(runId) !== undefined);
  const now = platform.clock.now().getTime();
  const ids = runs.map(({ summary: { runId, workflow, startedAt }, status }): Candidate => {
    return { value: nameOf(runId) ?? runId, description: `${workflow}, ${status}, ${formatAge(startedAt, now)}` };
  });
  return { words: [...(isLast ? [{ value: "last", description: "the newest of this directory" }] : []), ...ids] };
}

interface NearRuns {
  readonly runs: readonly ListedRun[];
  readonly isHere: boolean;
}

async function listNear(
  { context: { platform } }: Question,
  wanted: readonly ListedStatus[],
  limit: number,
  isMeant: (runId: string) => boolean = () => true,
): Promise<NearRuns> {
  const here = platform.realDirectory(".");
  const isWanted = (workspace: string, runId: string): boolean => here.ok && here.value === workspace && isMeant(runId);
  const { runs } = await listRuns(platform, { statuses: wanted, limit, isWanted });
  if (runs.length > 0) return { runs, isHere: true };
  const others = await listRuns(platform, { statuses: wanted, limit, isWanted: (_, runId) => isMeant(runId) });
  return { ...others, isHere: false };
}

/** The addresses of the blocks of the run that is named before. */
export async function findBlocks({ text, given, context }: Question): Promise<Candidates> {
  const { platform, openRuntime } = context;
  const run = given.get("run")?.[0];
  const runId = run === undefined ? undefined : await findRunId(platform, run);
  if (!runId?.ok) return noCandidates;
  const summary = await (await platform.journal()).find(runId.value);
  if (summary === undefined || summary.sequence > longestRun) return noCandidates;
  const read = await readShownRun(platform, openRuntime(summary.workspace).workflows.catalog, runId.value);
  if (!read.ok) return noCandidates;
  const blocks = read.value.run.blocks();
  // Of many, only those that are no deeper than what is typed.
  const depth = text.split("/").length;
  const near = blocks.length <= mostBlocks ? blocks : blocks.filter(({ path }) => path.split("/").length <= depth);
  const words = near.map(({ path, metadata }): Candidate => ({ value: path, description: wordOf(metadata) }));
  return { words: words.filter(({ value }) => value.startsWith(text)).slice(0, mostBlocks) };
}

/** How a block stands, in a word or two. */
function wordOf({ status, outcome, message }: BlockRecord["metadata"]): string {
  if (status === "completed") return outcome;
  return status === "failed" ? (message ?? status) : status;
}

/** In the same order. */
export async function findCheckpoints(question: Question): Promise<Candidates> {
  const { text } = question;
  const isMeant = (runId: string): boolean => {
    // The id of a checkpoint has that of its run in it.
    const beginning = `pause_${runId.replace(/^run_/, "")}_`;
    return text.startsWith(beginning) || beginning.startsWith(text);
  };
  const { runs } = await listNear(question, ["paused"], mostRuns, isMeant);
  const words = runs.flatMap(({ summary }) =>
    pausesOf(summary).map(({ checkpoint_id: value, workflow, pause_prompt: prompt = "" }) => ({
      value,
      description: `${workflow}: ${prompt.trim().split("\n")[0]}`,
    })),
  );
  return { words };
}
