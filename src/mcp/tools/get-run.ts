import * as z from "zod";
import type { Problem } from "../../diagnostic/problem.ts";
import { defined } from "../../util/defined.ts";
import { jsonSize } from "../../util/json-size.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { readBlock } from "../../views/read-block.ts";
import type { WorkflowResponse } from "../../views/response.ts";
import { describeNow, waitWithProgress } from "../await-run.ts";
import type { Call } from "../call.ts";
import { fitReply, replyLimits } from "../fit-reply.ts";
import { reachRun } from "../reach-run.ts";
import { refuse, type ToolReply, type Waiting } from "../reply.ts";
import type { ServerContext } from "../server-context.ts";
import { defineTool, type Tool } from "../tool.ts";
import { runSchema, waitSeconds } from "./parameters.ts";
import {
  joinPages,
  offsetsDiffer,
  type Page,
  type PagedPart,
  type PageQuery,
  pagedParts,
  readEvents,
  readJson,
  readLog,
} from "./run-pages.ts";

export const getRun: Tool = defineTool({
  name: "get_run",
  title: "Look at a run",
  description:
    "How a run stands, waiting for its end with wait_seconds; or, with path, one block of it. include blocks: every record; outputs: what it gave, when long as JSON text from offset on; log: what was written, events: what happened, record: everything as JSON text, each from offset on. Next, when it is paused: resume_workflow.",
  toolset: "runs",
  effect: "reads",
  outputSchema: runSchema,
  parameters: () =>
    z.strictObject({
      run_id: z.string().min(1),
      path: z
        .string()
        .optional()
        .describe("Address of a block, such as deploy/build or lint/2; deploy@1/build: in its first attempt"),
      include: z.array(z.enum(["blocks", ...pagedParts])).default([]),
      offset: z.number().int().min(0).default(0).describe("next_offset of the reply before"),
      wait_seconds: waitSeconds.default(0),
    }),
  async call(args, call, context) {
    const run = await reachRun(args.run_id, context);
    if (!run.ok) return refuse(run.error);
    return look(run.value.runId, args, call, context);
  },
});

interface Args {
  readonly path?: string | undefined;
  readonly include: readonly ("blocks" | PagedPart)[];
  readonly offset: number;
  readonly wait_seconds: number;
}

async function look(runId: string, args: Args, call: Call, context: ServerContext): Promise<ToolReply> {
  const { include, offset } = args;
  const path = args.path?.replaceAll(/^\/|\/$/g, "") || undefined;
  const parts = pagedParts.filter((part) => include.includes(part));
  if (parts.length > 1 && offset > 0) return refuse(offsetsDiffer(parts));
  if (args.wait_seconds > 0) await waitWithProgress(runId, args.wait_seconds * 1000, call, context);
  const format = include.includes("blocks") || include.includes("record") ? "detailed" : "minimal";
  const described = await (path === undefined
    ? describeRun(runId, format, include, context)
    : describeBlock(runId, path, context));
  if (!described.ok) return refuse(described.error);
  const { data, isError } = described.value;
  const long = parts.filter((part) => part !== "outputs" || !isBrief(outputsOf(data), offset));
  if (long.length === 0) return { kind: "result", data, isError, format: parts.length === 0 ? format : "detailed" };
  const about = aboutPages(data, include, long, offset);
  // Read together, they share the room that there is beside what they are about.
  const room = Math.floor((replyLimits.detailed - jsonSize(about) - joinsRoom) / long.length);
  const query = { runId, path, offset, room };
  const pages = await readPages(long, data, query, context);
  if (!pages.ok) return refuse(pages.error);
  return { kind: "result", data: joinPages(about, pages.value, query), isError, format: "detailed" };
}

/** For the names of pages, and where to read on. */
const joinsRoom = 2_000;

/** Of these there is room in a reply, beside everything else in it. */
const mostOutputs = 15_000;

function outputsOf(data: object): object {
  return (data as WorkflowResponse).outputs ?? {};
}

function isBrief(outputs: object, offset: number): boolean {
  return offset === 0 && jsonSize(outputs, mostOutputs) <= mostOutputs;
}

async function readPages(
  parts: readonly PagedPart[],
  data: object,
  query: PageQuery,
  context: ServerContext,
): Promise<Result<readonly Page[], Problem>> {
  const pages: Page[] = [];
  for (const part of parts) {
    if (part === "log") {
      const log = await readLog(query, context);
      if (!log.ok) return err(log.error);
      pages.push(log.value);
    } else if (part === "events") pages.push(await readEvents(query, context));
    else pages.push(await readJson(part, part === "outputs" ? outputsOf(data) : data, query));
  }
  return ok(pages);
}

type About = Pick<WorkflowResponse, "status" | "run_id"> & { readonly block?: string };

/** What is asked for is the page: how the run stands is beside it in brief, without what is in the page. */
function aboutPages(data: object, include: Args["include"], long: readonly PagedPart[], offset: number): object {
  const { outputs, ...rest } = data as WorkflowResponse;
  const isOfOutputs = long.includes("outputs");
  const isAlone = long.includes("record") || (isOfOutputs && !include.includes("blocks"));
  if (offset === 0 && !isAlone) return fitReply(isOfOutputs ? rest : data, "minimal");
  const { status, run_id, block } = data as About;
  return { status, ...defined({ run_id, block }) };
}

/** What a run or one of its blocks is, as data; a run that failed is an error to the client. */
interface Described {
  readonly data: object;
  readonly isError: boolean;
}

/** Looking changes nothing: no task is made, nobody is asked, and a client that no longer looks ends no run. */
async function describeRun(
  runId: string,
  format: Waiting["format"],
  include: Args["include"],
  context: ServerContext,
): Promise<Result<Described, Problem>> {
  const mostBlocks = include.includes("record") ? Number.POSITIVE_INFINITY : undefined;
  const described = await describeNow(runId, format, context, mostBlocks);
  return described.ok ? ok({ data: described.value, isError: described.value.status === "failure" }) : described;
}

async function describeBlock(
  runId: string,
  path: string,
  { platform, catalog }: ServerContext,
): Promise<Result<Described, Problem>> {
  const block = await readBlock(platform, catalog, runId, path);
  if (!block.ok) return block;
  const { run_status: status, ...data } = block.value.data;
  return ok({ data: { status, ...data }, isError: false });
}
