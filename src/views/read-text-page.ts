import { type Problem, problem } from "../diagnostic/problem.ts";
import { err, ok, type Result } from "../util/result.ts";
import { isSliceOver, nextSlice } from "../util/time-slice.ts";
import { holdsText, type LineTest, matchesPattern } from "./line-tests.ts";
import { MatchCollector } from "./match-collector.ts";
import {
  beginOfEnd,
  type Collector,
  endOfPart,
  Tally,
  type TextPage,
  type TextParts,
  type TextPiece,
  type TextQuery,
} from "./text-page.ts";

/**
 * Reads a part of a text of any length in little memory. The text is opened once for each time that it is gone through. A text that
 * nobody asks a place of is read from its start, or as `usual` says from its end.
 */
export async function readTextPage(
  open: () => TextParts | readonly Iterable<TextPiece>[],
  query: TextQuery,
  usual: "start" | "end",
): Promise<Result<TextPage, Problem>> {
  const { offset, tail, grep } = query;
  if (offset !== undefined && tail !== undefined) {
    const message = "tail reads the end of a text, offset reads on from a place.";
    return err(problem("which-end", message, "Leave one of them out."));
  }
  if (grep === undefined) {
    const isEnd = tail !== undefined || (offset === undefined && usual === "end");
    return ok(await collect(open, isEnd ? new EndCollector(query) : new PartCollector(query)));
  }
  const search = (test: LineTest, isPattern: boolean): Promise<TextPage> =>
    collect(open, new MatchCollector(query, test, isPattern));
  const found = await search(holdsText(grep), false);
  if (found.matches?.total !== 0) return ok(found);
  const pattern = matchesPattern(grep, found.bytes);
  if (!pattern.ok) return pattern;
  return ok(pattern.value === undefined ? found : await search(pattern.value, true));
}

async function collect(
  open: () => TextParts | readonly Iterable<TextPiece>[],
  collector: Collector,
): Promise<TextPage> {
  for await (const pieces of open()) {
    for (const piece of pieces) {
      for (let start = 0; start < piece.text.length; start += mostAtOnce) {
        collector.add({ ...piece, text: piece.text.slice(start, start + mostAtOnce) });
        if (isSliceOver()) await nextSlice();
      }
    }
  }
  return collector.end();
}

/** So that one piece keeps nobody waiting. */
const mostAtOnce = 65_536;

/** From an offset on. */
class PartCollector implements Collector {
  readonly #offset: number;
  readonly #limit: number;
  readonly #all = new Tally();
  readonly #before = new Tally();
  #part = "";

  constructor({ offset = 0, limit }: TextQuery) {
    this.#offset = offset;
    this.#limit = limit;
  }

  add({ text }: TextPiece): void {
    const passed = Math.max(0, this.#offset - this.#all.characters);
    this.#all.add(text);
    if (passed > 0) this.#before.add(text.slice(0, passed));
    // One more than there is room for, so that it is seen whether there is more.
    if (this.#part.length <= this.#limit) this.#part += text.slice(passed, passed + this.#limit + 1);
  }

  end(): TextPage {
    const part = this.#part.slice(0, endOfPart(this.#part, this.#limit));
    return describePart(part, this.#before, this.#all);
  }
}

/** The end of a text, from the beginning of a line on. */
class EndCollector implements Collector {
  readonly #query: TextQuery;
  readonly #all = new Tally();
  readonly #before = new Tally();
  #part = "";

  constructor(query: TextQuery) {
    this.#query = query;
  }

  add({ text }: TextPiece): void {
    this.#all.add(text);
    this.#part += text;
    const { limit } = this.#query;
    // Cut now and then, so that a text of any length takes little memory and little copying.
    if (this.#part.length > 2 * limit + mostAtOnce) this.#drop(this.#part.length - limit - 1);
  }

  end(): TextPage {
    const { limit, tail } = this.#query;
    this.#drop(beginOfEnd(this.#part, limit, tail));
    return describePart(this.#part, this.#before, this.#all);
  }

  #drop(count: number): void {
    this.#before.add(this.#part.slice(0, count));
    this.#part = this.#part.slice(count);
  }
}

function describePart(text: string, before: Tally, { lines, bytes, characters }: Tally): TextPage {
  const own = new Tally();
  own.add(text);
  const end = before.characters + text.length;
  const first = before.breaks + 1;
  return {
    text,
    lines,
    bytes,
    ...(text === "" ? {} : { shown: [first, before.breaks + own.lines] }),
    ...(end < characters ? { next: end } : {}),
  };
}
