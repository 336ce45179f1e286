import { findRunId } from "../../runs/find-run-id.ts";
import type { BlockRecord } from "../../views/block-records.ts";
import { pausesOf } from "../../views/checkpoints.ts";
import { type ListedStatus, listedStatuses, listRuns } from "../../views/list-runs.ts";
import { readShownRun } from "../../views/shown-run.ts";
import { formatAge } from "../text/format-time.ts";
import { type Candidate, type Candidates, noCandidates } from "./candidate.ts";
import type { Question } from "./question.ts";

/** Nobody looks through more. */
const mostRuns = 50;
const mostBlocks = 500;
/** Reading the events of a longer run takes longer than anybody waits for a suggestion. */
const longestRun = 50_000;

const statuses: Readonly<Record<"all" | "open" | "waiting", readonly ListedStatus[]>> = {
  all: listedStatuses,
  open: ["running", "paused", "sleeping", "interrupted"],
  waiting: ["paused", "interrupted", "sleeping"],
};

/** The newest ones, those of this directory first. */
export async function findRuns(
  { text, context: { platform } }: Question,
  which: keyof typeof statuses,
): Promise<Candidates> {
  const { runs } = await listRuns(platform, { statuses: statuses[which], limit: mostRuns });
  const here = platform.realDirectory(".");
  const isHere = (workspace: string): boolean => here.ok && here.value === workspace;
  const now = platform.clock.now().getTime();
  const ids = runs.map(({ summary: { runId, workflow, workspace, startedAt }, status }) => {
    // Whoever leaves out the beginning, which all have, is to find the rest.
    const rest = runId.replace(/^run_/, "");
    const value = text !== "" && !runId.startsWith(text) && rest.startsWith(text) ? rest : runId;
    const description = `${workflow}, ${status}, ${formatAge(startedAt, now)}`;
    return { value, description, isHere: isHere(workspace) };
  });
  const own = ids.filter((id) => id.isHere);
  const last =
    own.length > 0 && which !== "waiting" ? [{ value: "last", description: "the newest of this directory" }] : [];
  const words = [...last, ...own, ...ids.filter((id) => !id.isHere)];
  return { words: words.map(({ value, description }) => ({ value, description })) };
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

export async function findCheckpoints({ context: { platform } }: Question): Promise<Candidates> {
  const { runs } = await listRuns(platform, { statuses: ["paused"], limit: mostRuns });
  const words = runs.flatMap(({ summary }) =>
    pausesOf(summary).map(({ checkpoint_id: value, workflow, pause_prompt: prompt = "" }) => ({
      value,
      description: `${workflow}: ${prompt.trim().split("\n")[0]}`,
    })),
  );
  return { words };
}
