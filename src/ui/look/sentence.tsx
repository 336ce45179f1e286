import type { JSX } from "preact";
import { placeOfBlock } from "../place.ts";
import { Link } from "./link.tsx";

/** A sentence of the server's: the addresses of blocks in it, which stand between backquotes, are links. */
export function Sentence({ text, runId }: { readonly text: string; readonly runId: string }): JSX.Element {
  const parts = text.split("`");
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <Link key={part} to={placeOfBlock(runId, part)} class="address">
            {part}
          </Link>
        ) : (
          part
        ),
      )}
    </>
  );
}
