import * as z from "zod";
import type { Problem } from "../../diagnostic/problem.ts";
import { findRun, statusOf } from "../../runs/read-run.ts";
import { defined } from "../../util/defined.ts";
import { jsonSize } from "../../util/json-size.ts";
import { ok, type Result } from "../../util/result.ts";
import { findField } from "../../views/find-field.ts";
import { readBlock, type StoredBlock } from "../../views/read-block.ts";
import { toBlockReply, toReply } from "../../views/reply.ts";
import type { WorkflowResponse } from "../../views/response.ts";
import type { TextQuery } from "../../views/text-page.ts";
import { waitWithProgress } from "../await-run.ts";
import { describeNow } from "../describe-now.ts";
import { fitReply } from "../fit-reply.ts";
import { nextCalls } from "../next-calls.ts";
import { reachRun } from "../reach-run.ts";
import { refuse, type ToolReply } from "../reply.ts";
import type { ServerContext } from "../server-context.ts";
import { defineTool, type Tool } from "../tool.ts";
import { waitSeconds } from "./parameters.ts";
import { type About, offsetsDiffer, readChangesText, readEvents, readLog, readValue } from "./run-pages.ts";

/** Of a text, unless more is asked for: enough to see what went wrong. */
const usualLimit = 8_000;
const mostLimit = 30_000;

const includes = ["blocks", "outputs", "log", "events", "record", "changes"] as const;
type Included = (typeof includes)[number];

// No output schema: one asks for structured content in every reply, and there are clients that show their models nothing else then.
export const getRun: Tool = defineTool({
  name: "get_run",
  title: "Look at a run",
  description:
    "How a run stands, after waiting for its end with wait_seconds; with path, one block of it. include log: the end of what was written; changes: files it changed, with diffs; blocks: every record; outputs, record: as JSON; events. field: one value, raw. Texts are read in parts by tail, grep, offset and limit. Next, when paused: resume_workflow.",
  toolset: "runs",
  effect: "reads",
  repliesWithRun: true,
  parameters: () =>
    z.strictObject({
      run_id: z.string().min(1),
      path: z.string().optional().describe("Block: deploy/build, lint/2; deploy@1/build: in attempt 1"),
      include: z.array(z.enum(includes)).default([]),
      field: z.string().min(1).optional().describe("Such as stdout, outputs.report"),
      tail: z.number().int().min(1).optional().describe("Last lines only"),
      grep: z.string().min(1).optional().describe("Only lines with this text or RE2 pattern"),
      offset: z.number().int().min(0).optional().describe("Where to read on, as the reply says"),
      limit: z.number().int().min(1).max(mostLimit).default(usualLimit).describe("Most characters of a text"),
      wait_seconds: waitSeconds.default(0),
    }),
  async call(args, call, context) {
    const run = await reachRun(args.run_id, context);
    if (!run.ok) return refuse(run.error);
    const { runId } = run.value;
    if (args.wait_seconds > 0) await waitWithProgress(runId, args.wait_seconds * 1000, call, context);
    return look(runId, args, context);
  },
});

interface Args {
  readonly path?: string | undefined;
  readonly include: readonly Included[];
  readonly field?: string | undefined;
  readonly tail?: number | undefined;
  readonly grep?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit: number;
}

/** Less than this of a record, with what is left out of it, tells nobody anything. */
const leastRecord = 3_000;

/** Of these there is room in a reply, beside everything else in it. */
const mostOutputs = 15_000;

async function look(runId: string, args: Args, context: ServerContext): Promise<ToolReply> {
  const { include, field, tail, grep, offset } = args;
  const path = args.path?.replaceAll(/^\/|\/$/g, "") || undefined;
  const isAsked = (part: Included): boolean => include.includes(part);
  const needsRecord =
    field !== undefined || include.length === 0 || include.some((part) => part !== "log" && part !== "changes");
  const described = needsRecord ? await describe(runId, path, include, context) : undefined;
  if (described?.ok === false) return refuse(described.error);
  const record = described?.value;
  const outputs = (record?.data as WorkflowResponse | undefined)?.outputs ?? {};
  const hasLongOutputs = isAsked("outputs") && !isBrief(outputs, args);
  const texts = [
    ...(isAsked("log") ? ["log"] : []),
    ...(isAsked("changes") ? ["changes"] : []),
    ...(isAsked("record") ? ["record"] : []),
    ...(hasLongOutputs ? ["outputs"] : []),
    ...(field === undefined ? [] : [field]),
  ];
  const paged = [...texts, ...(isAsked("events") ? ["events"] : [])];
  if (paged.length > 1 && offset !== undefined) return refuse(offsetsDiffer(paged));
  const query: TextQuery = { tail, grep, offset, limit: Math.ceil(args.limit / Math.max(1, texts.length)) };
  const about: About = { runId, path, status: record?.data.status ?? (await statusNow(runId, context)) };
  const parts: string[] = [];
  for (const name of texts) {
    const text = await readText(name, name === field, record?.data ?? {}, about, query, context);
    if (!text.ok) return refuse(text.error);
    parts.push(text.value);
  }
  const events = isAsked("events") ? await readEvents(about, query, context) : undefined;
  const isWhole =
    include.length === 0 ? field === undefined : isAsked("blocks") || (isAsked("outputs") && !hasLongOutputs);
  const data = { ...(isWhole ? record?.data : brief(about)), ...events };
  if (texts.length === 0) {
    const format = include.length === 0 ? "minimal" : "detailed";
    // Whoever looks at one block sees by the ends of long texts which of them to read.
    const isOfBlock = include.length === 0 && path !== undefined;
    const shown = isOfBlock ? fitReply(data, format, Math.max(leastRecord, args.limit)) : data;
    return { kind: "result", data: shown, isError: record?.isError ?? false, format };
  }
  const hasData = isWhole || events !== undefined;
  return { kind: "text", texts: [...(hasData ? [JSON.stringify(fitReply(data, "minimal"))] : []), ...parts] };
}

function readText(
  name: string,
  isField: boolean,
  data: object,
  about: About,
  query: TextQuery,
  context: ServerContext,
): Promise<Result<string, Problem>> {
  if (isField) {
    const found = findField(data, name);
    return found.ok ? readValue(name, found.value, about, query) : Promise.resolve(found);
  }
  if (name === "log") return readLog(about, query, context);
  if (name === "changes") return readChangesText(about, query, context);
  return readValue(name, name === "record" ? data : (data as WorkflowResponse).outputs, about, query);
}

function isBrief(outputs: object, { offset, tail, grep }: Args): boolean {
  const isPart = offset !== undefined || tail !== undefined || grep !== undefined;
  return !isPart && jsonSize(outputs, mostOutputs) <= mostOutputs;
}

/** What events are about. */
function brief({ runId, path, status }: About): object {
  return { status, run_id: runId, ...defined({ block: path }) };
}

async function statusNow(runId: string, { platform }: ServerContext): Promise<string> {
  const found = await findRun(platform, runId);
  return found.ok ? statusOf(found.value, platform) : "gone";
}

/** What a run or one of its blocks is, as data; one that failed is an error to the client. */
interface Described {
  readonly data: { readonly status: string };
  readonly isError: boolean;
}

/** Looking changes nothing: no task is made, nobody is asked, and a client that no longer looks ends no run. */
async function describe(
  runId: string,
  path: string | undefined,
  include: readonly Included[],
  context: ServerContext,
): Promise<Result<Described, Problem>> {
  const isWhole = include.includes("record");
  if (path === undefined) {
    const format = isWhole || include.includes("blocks") ? "detailed" : "minimal";
    const options = isWhole ? { mostBlocks: Number.POSITIVE_INFINITY } : {};
    const described = await describeNow(runId, format, context, options);
    if (!described.ok) return described;
    return ok({ data: toReply(described.value, isWhole), isError: described.value.status === "failure" });
  }
  const block = await readBlock(context.platform, context.catalog, runId, path);
  if (!block.ok) return block;
  const { data, hasFailed } = block.value;
  const message = nextCall(block.value);
  return ok({ data: { ...toBlockReply(data, isWhole), ...defined({ message }) }, isError: hasFailed });
}

function nextCall({ data, workspace, isInline, hasFailed }: StoredBlock): string | undefined {
  const { run_status: status, run_id: runId, block, pending } = data;
  if (pending !== undefined) return nextCalls.answer([pending], workspace);
  if (status === "running") return nextCalls.follow(runId);
  if (status !== "failure" || !hasFailed) return undefined;
  const about = { hasBegun: true, skipped: [], isCancelled: false, isOverBudget: false, isInline, leftChanges: false };
  return nextCalls.repair({ runId, failed: [block], ...about });
}
