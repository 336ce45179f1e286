import * as z from "zod";
import { reachRun } from "../../mcp/reach-run.ts";
import { trimSlash } from "../../mcp/see-block.ts";
import type { ServerContext } from "../../mcp/server-context.ts";
import { defined } from "../../util/defined.ts";
import { ok } from "../../util/result.ts";
import { type ChosenLogs, chooseLogs } from "../../views/choose-logs.ts";
import type { LogTail } from "../../views/page/log-tail.ts";
import { openLogText } from "../../views/read-log-text.ts";
import type { TextPiece } from "../../views/text-page.ts";
import { eventStream } from "../event-stream.ts";
import { type Asked, defineRoute, type Route } from "../route.ts";
import { logLinesSchema } from "./log-lines-schema.ts";

const mostAtOnce = 2_000;
/** For who reads slowly: when it is looked whether there is room for more. */
const againMs = 250;

export const runLogsRoute: Route = defineRoute({
  method: "GET",
  path: "/runs/:run/logs/*address",
  summary: "What the blocks of a run write: as it is written, its end, or all of it.",
  description:
    "With `Accept: text/event-stream`, a stream: `start` with the last lines, then `lines` as they are written; the last one says `has_ended`, and " +
    "then the stream ends. `start` comes again when another attempt begins: it takes the place of all that came before. With the id of an event as " +
    "`Last-Event-ID` it goes on after it; where all was heard, the answer is 204. With `Accept: application/json`, the last lines as one record. " +
    "Else the whole log, as a text to download. Of a run, and of what holds several blocks, the lines of all of them, each with its block.",
  effect: "reads",
  isStream: true,
  query: () =>
    z.strictObject({
      attempt: z.coerce.number().int().min(1).optional().describe("One attempt at the block; else the latest"),
      tail: z.coerce.number().int().min(0).max(mostAtOnce).default(mostAtOnce).describe("How many lines to begin with"),
    }),
  gives: () => logLinesSchema(),
  async answer(asked, context) {
    const found = await reachRun(asked.params.run ?? "", context);
    if (!found.ok) return found;
    const { runId } = found.value;
    const { platform, catalog, log } = context;
    const block = trimSlash(asked.params.address ?? "");
    const selection = { ...(block === "" ? {} : { block }), ...defined({ attempt: asked.query.attempt }) };
    const chosen = await chooseLogs(platform, catalog, runId, selection, true);
    if (!chosen.ok) return chosen;
    if (/text\/event-stream/.test(asked.accept)) {
      return streamLog(context.logTails.of({ ...chosen.value, platform, log, runId }), asked);
    }
    if (/application\/json/.test(asked.accept)) {
      return ok(await context.logTails.of({ ...chosen.value, platform, log, runId }).readEnd(asked.query.tail));
    }
    return downloadLog(context, runId, chosen.value, block);
  },
});

function streamLog(tail: LogTail, { lastEventId, signal, query }: Asked<{ tail: number }, unknown>): Response {
  const [, id, line] = /^([0-9a-f]+)\.(\d{1,15})$/.exec(lastEventId ?? "") ?? [];
  let heard = id === tail.id ? Number(line) : undefined;
  // A browser comes again when a stream has ended, unless it is told so.
  if (heard !== undefined && tail.isAll(heard)) return new Response(null, { status: 204 });
  return eventStream(signal, (sink) => {
    const send = (): void => {
      while (sink.hasRoom()) {
        const part = tail.read(heard, heard === undefined ? query.tail : mostAtOnce);
        if (part === undefined) return;
        sink.send(part.isFresh ? "start" : "lines", part.record, `${tail.id}.${part.last}`);
        heard = part.last;
        if (part.record.has_ended === true) return sink.end();
      }
    };
    const again = setInterval(send, againMs).unref();
    const stop = tail.listen(send);
    send();
    return () => {
      clearInterval(again);
      stop();
    };
  });
}

async function downloadLog(
  { platform }: ServerContext,
  runId: string,
  { selection }: ChosenLogs,
  block: string,
): Promise<Response> {
  const parts = await openLogText(platform, runId, selection);
  let texts: Iterator<TextPiece> | undefined;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        const next = texts?.next();
        if (next?.done === false) return controller.enqueue(encoder.encode(next.value.text));
        const part = await parts.next();
        if (part.done) return controller.close();
        texts = part.value[Symbol.iterator]();
      }
    },
  });
  const name = [runId, ...(block === "" ? [] : [block])].join("-").replaceAll(/[^\w.-]+/g, "-");
  return new Response(body, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.log"`,
    },
  });
}
