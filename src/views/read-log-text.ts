import type { Catalog } from "../block/catalog.ts";
import type { Problem } from "../diagnostic/problem.ts";
import { pathOf } from "../engine/address.ts";
import type { RunEvent } from "../engine/events.ts";
import type { Platform } from "../runs/platform.ts";
import type { Result } from "../util/result.ts";
import { chooseLogs } from "./choose-logs.ts";
import { LogDecoder, type LogEntry, LogReader, type LogSelection } from "./read-logs.ts";
import { readTextPage } from "./read-text-page.ts";
import type { TextPage, TextParts, TextPiece, TextQuery } from "./text-page.ts";

/** A part of what the blocks of a run wrote, in the order of its time: the end, unless something else is asked for. */
export async function readLogPage(
  platform: Platform,
  catalog: Catalog,
  runId: string,
  asked: LogSelection,
  query: TextQuery,
): Promise<Result<TextPage, Problem>> {
  const chosen = await chooseLogs(platform, catalog, runId, asked, false);
  if (!chosen.ok) return chosen;
  const events = await (await platform.journal()).read(runId);
  return readTextPage(() => openTexts(platform, runId, chosen.value.selection, events), query, "end");
}

/** All that they wrote until now. */
export async function openLogText(platform: Platform, runId: string, selection: LogSelection): Promise<TextParts> {
  return openTexts(platform, runId, selection, await (await platform.journal()).read(runId));
}

function openTexts(platform: Platform, runId: string, selection: LogSelection, events: readonly RunEvent[]): TextParts {
  const reader = new LogReader(platform.logs, runId, selection);
  reader.learn(events);
  return writtenTexts(reader);
}

/**
 * Each stretch of another block or attempt begins with a line that names it. Where there is only one block the first has none:
 * the text that is there stays as it is when the next attempt begins, because it is read on from an offset.
 */
async function* writtenTexts(reader: LogReader): TextParts {
  const isSingle = new Set(reader.attempts.map(({ block }) => pathOf(block))).size <= 1;
  const decoder = new LogDecoder();
  let speaker: string | undefined;
  let isInLine = false;
  for await (const entries of reader.take()) yield textsOf(entries);

  function* textsOf(entries: Iterable<LogEntry>): Generator<TextPiece> {
    for (const entry of entries) {
      const { block, attempt } = entry;
      const name = attempt > 1 ? `${block}@${attempt}` : block;
      if (name !== speaker && !(speaker === undefined && isSingle)) {
        yield { text: `${isInLine ? "\n" : ""}== ${name}\n`, isHeading: true };
        isInLine = false;
      }
      speaker = name;
      const text = decoder.decode(entry);
      if (text !== "") isInLine = !text.endsWith("\n");
      yield { text };
    }
  }
}
