import type { JSX } from "preact";
import { placeOfBlock } from "../place.ts";
import { formatTime } from "./format.ts";
import { Link } from "./link.tsx";

/** A sentence of the server's: addresses of blocks, between backquotes, are links; times, between angle brackets, are the reader's. */
export function Sentence({ text, runId }: { readonly text: string; readonly runId: string }): JSX.Element {
  const parts = text.split("`");
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <Link key={index} to={placeOfBlock(runId, part)} class="address">
            {part}
          </Link>
        ) : (
          writeTimes(part)
        ),
      )}
    </>
  );
}

/** `until <2026-01-31T14:05:00.000Z>` as the reader's clock has it. */
export function writeTimes(text: string): string {
  return text.replaceAll(/<(\d{4}-\d\d-\d\dT[\d:.]+Z)>/g, (_, at: string) => formatTime(at));
}
