import { type Problem, problem } from "../../diagnostic/problem.ts";
import { defined } from "../../util/defined.ts";
import { ok, type Result } from "../../util/result.ts";
import { readChanges } from "../../views/changes.ts";
import { describePage } from "../../views/describe-page.ts";
import { isAbout } from "../../views/find-address.ts";
import { writeField } from "../../views/find-field.ts";
import { readLogPage } from "../../views/read-log-text.ts";
import { readTextPage } from "../../views/read-text-page.ts";
import type { TextPage, TextQuery } from "../../views/text-page.ts";
import { writeChanges } from "../../views/write-changes.ts";
import { fitPage } from "../fit-response.ts";
import type { ServerContext } from "../server-context.ts";

/** What a text is part of. */
export interface About {
  readonly runId: string;
  /** Address of a block; the whole run otherwise. */
  readonly path: string | undefined;
  readonly status: string;
}

/**
 * A part of a log as it was written, below a line that says how much there is. JSON would put a sign before every quote and line
 * end in it.
 */
export async function readLog(
  about: About,
  query: TextQuery,
  { platform, catalog }: ServerContext,
): Promise<Result<string, Problem>> {
  const page = await readLogPage(platform, catalog, about.runId, defined({ block: about.path }), query);
  return page.ok ? ok(write("log", about, page.value, query)) : page;
}

/** A part of what the run, or one block, changed: a line for each path, then how they differ. */
export async function readChangesText(
  about: About,
  query: TextQuery,
  { platform, catalog }: ServerContext,
): Promise<Result<string, Problem>> {
  const changes = await readChanges(platform, catalog, about.runId, { block: about.path, diffs: true });
  if (!changes.ok) return changes;
  const pieces = function* (): Generator<{ readonly text: string }> {
    for (const text of writeChanges(changes.value)) yield { text };
  };
  const page = await readTextPage(() => [pieces()], query, "start");
  return page.ok ? ok(write("changes", about, page.value, query)) : page;
}

/** A part of a value in a record: a text as it is, anything else as JSON. */
export async function readValue(
  name: string,
  value: unknown,
  about: About,
  query: TextQuery,
): Promise<Result<string, Problem>> {
  const pieces = function* (): Generator<{ readonly text: string }> {
    for (const text of writeField(value)) yield { text };
  };
  const page = await readTextPage(() => [pieces()], query, "start");
  return page.ok ? ok(write(name, about, page.value, query)) : page;
}

function write(name: string, { runId, path, status }: About, page: TextPage, query: TextQuery): string {
  const where = path === undefined ? runId : `${path} in ${runId}`;
  const earlier = isEndOnly(page, query) ? " Before this: offset 0, or grep." : "";
  const next = page.next === undefined ? "" : ` Read on: offset ${page.next}.`;
  return `[${name} of ${where} (${status}): ${describePage(page, query)}.${earlier}${next}]\n${page.text}`;
}

function isEndOnly({ bytes, text, next }: TextPage, { offset, grep }: TextQuery): boolean {
  return offset === undefined && grep === undefined && next === undefined && Buffer.byteLength(text) < bytes;
}

const mostEvents = 100;

export async function readEvents(
  { runId, path }: About,
  { offset = 0, limit }: TextQuery,
  { platform }: ServerContext,
): Promise<object> {
  const all = await (await platform.journal()).read(runId, offset);
  const page = fitPage(all.slice(0, mostEvents), limit);
  const events = path === undefined ? page : page.filter((event) => isAbout(event, path));
  return { events, ...(page.length < all.length ? { next_offset: offset + page.length } : {}) };
}

export function offsetsDiffer(parts: readonly string[]): Problem {
  const message = `${parts.join(" and ")} are read on from offsets of their own.`;
  return problem("which-offset", message, "Ask for one of them at a time.");
}
