import * as z from "zod";
import { fitPage } from "../../service/fit-response.ts";
import { type Problem, problem } from "../../service/problem.ts";
import { readBlock } from "../../service/read-block.ts";
import { readLogText } from "../../service/read-log-text.ts";
import type { WorkflowResponse } from "../../service/response.ts";
import { describeNow, waitWithProgress } from "../await-run.ts";
import type { Call } from "../call.ts";
import type { Door } from "../door.ts";
import { fitReply } from "../fit-reply.ts";
import { reachRun } from "../reach-run.ts";
import { refuse, result, runResult, type ToolReply, type Waiting } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { runSchema, waitSeconds } from "./parameters.ts";

const included = ["blocks", "outputs", "log", "events"] as const;

export const getRun: Tool = defineTool({
  name: "get_run",
  title: "Look at a run",
  description:
    "How a run stands, waiting for its end with wait_seconds; or, with path, one block of it. include blocks: every record; outputs: what it gave, when long as JSON text from offset on; log: what was written, from offset on; events: what happened, from offset on. Next, when it is paused: resume_workflow.",
  toolset: "runs",
  effect: "reads",
  outputSchema: runSchema,
  parameters: () =>
    z.strictObject({
      run_id: z.string().min(1),
      path: z.string().optional().describe("Address of a block, such as deploy/build or lint/2"),
      include: z.array(z.enum(included)).default([]),
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
  readonly include: readonly (typeof included)[number][];
  readonly offset: number;
  readonly wait_seconds: number;
}

async function look(runId: string, args: Args, call: Call, door: Door): Promise<ToolReply> {
  const { include, offset } = args;
  const path = args.path?.replaceAll(/^\/|\/$/g, "") || undefined;
  const paged = include.filter((part) => part !== "blocks");
  if (paged.length > 1 && offset > 0) return refuse(offsetsDiffer(paged));
  if (args.wait_seconds > 0) await waitWithProgress(runId, args.wait_seconds * 1000, call, door);
  const pages: Page[] = [];
  if (include.includes("log")) {
    const log = await readLogText(door.outside, runId, { ...(path === undefined ? {} : { block: path }), offset });
    if (!log.ok) return refuse(log.error);
    pages.push({ of: "log", data: { log: log.value.log }, next: log.value.next_offset });
  }
  if (include.includes("events")) pages.push(await readEvents(runId, offset, path, door));
  const format = include.includes("blocks") || include.includes("outputs") ? "detailed" : "minimal";
  const base = await (path === undefined ? describeRun(runId, format, door) : describeBlock(runId, path, format, door));
  if (base.kind !== "result" || include.length === 0) return base;
  const outputs = include.includes("outputs") ? pageOutputs(base.data, offset) : undefined;
  if (outputs !== undefined) pages.push(outputs);
  const about = outputs === undefined ? besidePages(base.data, include, offset) : identify(base.data);
  return { ...base, data: joinPages(about, pages, path), format: "detailed" };
}

/** A piece of something long. */
interface Page {
  readonly of: (typeof included)[number];
  readonly data: object;
  /** Where the next piece begins. */
  readonly next: number | undefined;
}

function offsetsDiffer(paged: readonly string[]): Problem {
  const message = `${paged.join(" and ")} are read on from offsets of their own.`;
  return problem("which-offset", message, "Include one of them at a time.");
}

type About = Pick<WorkflowResponse, "status" | "run_id"> & { readonly block?: string };

function identify(data: object): About {
  const { status, run_id, block } = data as About;
  return { status, ...(run_id === undefined ? {} : { run_id }), ...(block === undefined ? {} : { block }) };
}

/** What a log is asked for is the log: how the run stands is beside it in brief, and only once. */
function besidePages(data: object, include: Args["include"], offset: number): object {
  if (include.includes("blocks") || include.includes("outputs")) return data;
  return offset > 0 ? identify(data) : fitReply(data, "minimal");
}

function joinPages(about: object, pages: readonly Page[], path: string | undefined): object {
  const { run_id } = about as About;
  const joined: object = Object.assign({}, about, ...pages.map(({ data }) => data));
  const unfinished = pages.filter(({ next }) => next !== undefined);
  if (unfinished.length === 0) return joined;
  if (pages.length === 1) return { ...joined, next_offset: unfinished[0]?.next };
  const calls = unfinished.map(
    ({ of, next }) => `get_run(${JSON.stringify({ run_id, path, include: [of], offset: next })})`,
  );
  return { ...joined, message: `There is more: ${calls.join(", ")}.` };
}

/** Of these there is room in a reply, beside everything else in it. */
const mostOutputs = 15_000;
/** As text within JSON it takes at most twice as much. */
const pageCharacters = 30_000;

/** Outputs that are large, as pages of the text that they are as JSON. */
function pageOutputs(data: object, offset: number): Page | undefined {
  const text = JSON.stringify((data as WorkflowResponse).outputs ?? {});
  if (offset === 0 && text.length <= mostOutputs) return undefined;
  const end = offset + pageCharacters;
  const page = { outputs_json: text.slice(offset, end) };
  return { of: "outputs", data: page, next: end < text.length ? end : undefined };
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

const mostEvents = 100;
const eventsRoom = 30_000;

async function readEvents(runId: string, offset: number, path: string | undefined, { outside }: Door): Promise<Page> {
  const all = await (await outside.journal()).read(runId, offset);
  const page = fitPage(all.slice(0, mostEvents), eventsRoom);
  const events = path === undefined ? page : page.filter((event) => "path" in event && event.path === path);
  return { of: "events", data: { events }, next: page.length < all.length ? offset + page.length : undefined };
}
