import type { BlockContext } from "../../block/define-block.ts";

/** Where a line a second scrolls by, more would only be more to read. */
const everyMs = 1_000;

/** What a block calls for each of many things that it does: writes to its log now and then how many are done, such as `20 of 100 ${what}`. */
export function reportProgress(
  { clock, log }: Pick<BlockContext, "clock" | "log">,
  of: number,
  what: string,
): () => void {
  let done = 0;
  let last = clock.monotonic();
  return () => {
    done++;
    const now = clock.monotonic();
    if (done >= of || now - last < everyMs) return;
    last = now;
    log("stdout", Buffer.from(`${count(done)} of ${count(of)} ${what}\n`));
  };
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}
