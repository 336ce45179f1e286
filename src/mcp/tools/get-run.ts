import * as z from "zod";
import type { Problem } from "../../service/problem.ts";
import { readBlock } from "../../service/read-block.ts";
import type { WorkflowResponse } from "../../service/response.ts";
import { jsonSize } from "../../util/json-size.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { describeNow, waitWithProgress } from "../await-run.ts";
import type { Call } from "../call.ts";
import type { Door } from "../door.ts";
import { fitReply, replyLimits } from "../fit-reply.ts";
import { reachRun } from "../reach-run.ts";
import { refuse, result, runResult, type ToolReply, type Waiting } from "../reply.ts";
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
      path: z.string().optional().describe("Address of a block, such as deploy/build or lint/2"),
      include: z.array(z.enum(["blocks", ...pagedParts])).default([]),
      offset: z.number().int().min(0).default(0).describe("next_offset of the reply before"),
      wait_seconds: waitSeconds.default(0),
    }),
  async call(args, call, door) {
    const run = await reachRun(args.run_id, door);
    if (!run.ok) return refuse(run.error);
    return look(run.value.runId, args, call, door);
  },
});

interface Args {
  readonly path?: string | undefined;
  readonly include: readonly ("blocks" | PagedPart)[];
  readonly offset: number;
  readonly wait_seconds: number;
}

async function look(runId: string, args: Args, call: Call, door: Door): Promise<ToolReply> {
  const { include, offset } = args;
  const path = args.path?.replaceAll(/^\/|\/$/g, "") || undefined;
  const parts = pagedParts.filter((part) => include.includes(part));
  if (parts.length > 1 && offset > 0) return refuse(offsetsDiffer(parts));
  if (args.wait_seconds > 0) await waitWithProgress(runId, args.wait_seconds * 1000, call, door);
  const format = include.includes("blocks") || include.includes("record") ? "detailed" : "minimal";
  const described = await (path === undefined
    ? describeRun(runId, format, door)
    : describeBlock(runId, path, format, door));
  if (described.kind !== "result") return described;
  const long = parts.filter((part) => part !== "outputs" || !isBrief(outputsOf(described.data), offset));
  if (long.length === 0) return parts.length === 0 ? described : { ...described, format: "detailed" };
  const about = aboutPages(described.data, include, offset);
  // Read together, they share the room that there is beside what they are about.
  const room = Math.floor((replyLimits.detailed - jsonSize(about) - joinsRoom) / long.length);
  const query = { runId, path, offset, room };
  const pages = await readPages(long, described.data, query, door);
  if (!pages.ok) return refuse(pages.error);
  return { ...described, data: joinPages(about, pages.value, query), format: "detailed" };
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
  door: Door,
): Promise<Result<readonly Page[], Problem>> {
  const pages: Page[] = [];
  for (const part of parts) {
    if (part === "log") {
      const log = await readLog(query, door);
      if (!log.ok) return err(log.error);
      pages.push(log.value);
    } else if (part === "events") pages.push(await readEvents(query, door));
    else pages.push(readJson(part, part === "outputs" ? outputsOf(data) : data, query));
  }
  return ok(pages);
}

type About = Pick<WorkflowResponse, "status" | "run_id"> & { readonly block?: string };

/** What is asked for is the page: how the run stands is beside it in brief, and only once. */
function aboutPages(data: object, include: Args["include"], offset: number): object {
  const isWithin = include.includes("outputs") || include.includes("record");
  if (offset === 0 && !isWithin) return fitReply(data, "minimal");
  const { status, run_id, block } = data as About;
  return { status, ...(run_id === undefined ? {} : { run_id }), ...(block === undefined ? {} : { block }) };
}

/** Looking changes nothing: no task is made, nobody is asked, and a client that no longer looks ends no run. */
async function describeRun(runId: string, format: Waiting["format"], door: Door): Promise<ToolReply> {
  const described = await describeNow(runId, format, door);
  return described.ok ? runResult(described.value, format) : refuse(described.error);
}

async function describeBlock(
  runId: string,
  path: string,
  format: Waiting["format"],
  { outside, catalog }: Door,
): Promise<ToolReply> {
  const block = await readBlock(outside, catalog, runId, path);
  if (!block.ok) return refuse(block.error);
  const { run_status: status, ...data } = block.value.data;
  return result({ status, ...data }, format);
}
