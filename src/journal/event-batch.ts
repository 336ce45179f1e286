import type { RunEvent } from "../engine/events.ts";
import { roughSize } from "../util/rough-size.ts";
import { atOnce, inSlices } from "../util/time-slice.ts";
import { type Blob, type EncodedEvent, encodeEvent } from "./event-encoding.ts";
import { type SummaryChange, summarise } from "./summarise.ts";

/** Events made ready before the transaction, because others wait while it lasts. */
export interface EventBatch {
  readonly events: readonly EncodedEvent[];
  readonly change: SummaryChange;
}

/** At once where that takes no time. */
export function prepareBatch(events: readonly RunEvent[]): EventBatch | Promise<EventBatch> {
  const work = preparing(events);
  return roughSize(events, mostAtOnce) <= mostAtOnce ? atOnce(work) : inSlices(work);
}

const mostAtOnce = 500_000;

function* preparing(events: readonly RunEvent[]): Generator<void, EventBatch> {
  const encoded: EncodedEvent[] = [];
  for (const event of events) encoded.push(yield* encodeEvent(event));
  return { events: encoded, change: summarise(events) };
}

/** How much content is written with its events, and at once ahead of them: a transaction holds everybody up. */
const mostBlobs = 100;
const mostContent = 2_000_000;

/** In groups to be written one after the other; none where all of it can be written with the events. */
export function contentAhead(events: readonly EncodedEvent[]): readonly (readonly Blob[])[] {
  const groups: Blob[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const { blobs } of events) {
    for (const blob of blobs) {
      size += blob.body.length;
      if (size > mostContent || (groups.at(-1)?.length ?? 0) >= mostBlobs) {
        groups.push([]);
        size = blob.body.length;
      }
      groups.at(-1)?.push(blob);
    }
  }
  return groups.length > 1 ? groups : [];
}

export function withoutContent({ body, parts }: EncodedEvent): EncodedEvent {
  return { body, parts, blobs: [] };
}

export function sizeOf({ events }: EventBatch): number {
  let bytes = 0;
  for (const { body, blobs } of events) {
    bytes += Buffer.byteLength(body);
    for (const blob of blobs) bytes += Buffer.byteLength(blob.body);
  }
  return bytes;
}

export function typesOf(events: readonly RunEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}
