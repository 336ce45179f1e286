import { type Problem, problem } from "../diagnostic/problem.ts";
import { pathOf } from "../engine/address.ts";
import type { Platform } from "../runs/platform.ts";
import { err, ok, type Result } from "../util/result.ts";
import { fitText } from "../util/shorten-text.ts";
import { LogDecoder, LogReader } from "./read-logs.ts";

export interface LogTextQuery {
  /** Address of a block, which stands for everything inside it too; the whole run otherwise. */
  readonly block?: string;
  /** How many characters to pass over. */
  readonly offset: number;
  /** How many characters the piece may have as JSON. */
  readonly room: number;
}

/** A piece of what the blocks of a run wrote, as data. */
export interface LogText {
  readonly log: string;
  /** Where the next piece begins; absent when this is all so far. */
  readonly next_offset?: number;
}

/** What was written, in the order of its time. */
export async function readLogText(
  platform: Platform,
  runId: string,
  query: LogTextQuery,
): Promise<Result<LogText, Problem>> {
  const { block, offset, room } = query;
  const reader = new LogReader(platform.logs, runId, block === undefined ? {} : { block });
  reader.learn(await (await platform.journal()).read(runId));
  if (block !== undefined && reader.attempts.length === 0) {
    return err(problem("no-log", `${runId} has no log of '${block}': it has not begun, or there is no such block.`));
  }
  let position = 0;
  let log = "";
  for (const text of writtenTexts(reader)) {
    const from = Math.max(0, offset - position);
    position += text.length;
    if (from < text.length) log += text.slice(from);
    if (log.length > room) break;
  }
  const piece = fitText(log, room);
  return ok({ log: piece, ...(piece.length < log.length ? { next_offset: offset + piece.length } : {}) });
}

/** The end of what was written, and how many characters there are before it. */
export async function readLogEnd(
  platform: Platform,
  runId: string,
  most: number,
): Promise<{ readonly log: string; readonly left: number }> {
  const reader = new LogReader(platform.logs, runId, {});
  reader.learn(await (await platform.journal()).read(runId));
  let log = "";
  let left = 0;
  for (const text of writtenTexts(reader)) {
    log += text;
    // Cut now and then, so that a log of any length takes little memory and little copying.
    if (log.length > 2 * most) cut();
  }
  if (log.length > most) cut();
  return { log, left };

  function cut(): void {
    left += log.length - most;
    log = log.slice(-most);
  }
}

/**
 * Each stretch of another block or attempt begins with a line that names it. Where there is only one block the first has none:
 * the text that is there stays as it is when the next attempt begins, because it is read on from an offset.
 */
function* writtenTexts(reader: LogReader): Generator<string> {
  const isSingle = new Set(reader.attempts.map(({ block }) => pathOf(block))).size <= 1;
  const decoder = new LogDecoder();
  let speaker: string | undefined;
  for (const entry of reader.take()) {
    const { block, attempt } = entry;
    const name = attempt > 1 ? `${block}@${attempt}` : block;
    const isFirst = speaker === undefined;
    const isNamed = name !== speaker && !(isFirst && isSingle);
    speaker = name;
    yield (isNamed ? `${isFirst ? "" : "\n"}== ${name}\n` : "") + decoder.decode(entry);
  }
}
