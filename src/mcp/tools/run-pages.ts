import { type Problem, problem } from "../../diagnostic/problem.ts";
import { defined } from "../../util/defined.ts";
import { ok, type Result } from "../../util/result.ts";
import { fitText } from "../../util/shorten-text.ts";
import { isSliceOver, nextSlice } from "../../util/time-slice.ts";
import { writeJson } from "../../util/write-json.ts";
import { isAbout } from "../../views/find-address.ts";
import { readLogText } from "../../views/read-log-text.ts";
import { fitPage } from "../fit-response.ts";
import type { ServerContext } from "../server-context.ts";

/** What of a run can be longer than a reply, and is read piece by piece. */
export const pagedParts = ["outputs", "log", "events", "record"] as const;
export type PagedPart = (typeof pagedParts)[number];

/** Where in a run a page begins, and how many characters it may have. */
export interface PageQuery {
  readonly runId: string;
  /** Address of a block; the whole run otherwise. */
  readonly path: string | undefined;
  readonly offset: number;
  readonly room: number;
}

/** A piece of something long. */
export interface Page {
  readonly of: PagedPart;
  readonly data: object;
  /** Where the next piece begins. */
  readonly next: number | undefined;
}

/** A page of the text that a value is as JSON. The text itself may be longer than any string, so it is never made as a whole. */
export async function readJson(of: "outputs" | "record", value: unknown, { offset, room }: PageQuery): Promise<Page> {
  let rest = "";
  let position = 0;
  for (const text of writeJson(value)) {
    if (position + text.length > offset) rest += text.slice(Math.max(0, offset - position));
    position += text.length;
    // More than there can be room for, so that it is seen whether there is more.
    if (rest.length > room) break;
    if (isSliceOver()) await nextSlice();
  }
  const piece = fitText(rest, room);
  const next = piece.length < rest.length ? offset + piece.length : undefined;
  return { of, data: { [`${of}_json`]: piece }, next };
}

export async function readLog(
  { runId, path, ...query }: PageQuery,
  context: ServerContext,
): Promise<Result<Page, Problem>> {
  const read = await readLogText(context.platform, runId, { ...query, ...defined({ block: path }) });
  return read.ok ? ok({ of: "log", data: { log: read.value.log }, next: read.value.next_offset }) : read;
}

const mostEvents = 100;

export async function readEvents({ runId, path, offset, room }: PageQuery, { platform }: ServerContext): Promise<Page> {
  const all = await (await platform.journal()).read(runId, offset);
  const page = fitPage(all.slice(0, mostEvents), room);
  const events = path === undefined ? page : page.filter((event) => isAbout(event, path));
  return { of: "events", data: { events }, next: page.length < all.length ? offset + page.length : undefined };
}

/** Pages beside what they are about, with where to read on. */
export function joinPages(about: object, pages: readonly Page[], { runId, path }: PageQuery): object {
  const joined: object = Object.assign({}, about, ...pages.map(({ data }) => data));
  const unfinished = pages.filter(({ next }) => next !== undefined);
  if (unfinished.length === 0) return joined;
  if (pages.length === 1) return { ...joined, next_offset: unfinished[0]?.next };
  const calls = unfinished.map(
    ({ of, next }) => `get_run(${JSON.stringify({ run_id: runId, path, include: [of], offset: next })})`,
  );
  return { ...joined, message: `There is more: ${calls.join(", ")}.` };
}

export function offsetsDiffer(parts: readonly PagedPart[]): Problem {
  const message = `${parts.join(" and ")} are read on from offsets of their own.`;
  return problem("which-offset", message, "Include one of them at a time.");
}
