import { paint, type Style } from "../../diagnostic/style.ts";
import type { Segment } from "./lay-out-line.ts";
import { type WrapIndents, wrapWords } from "./wrap-words.ts";

/** Segments as one text, broken between words; each character looks as it does in its segment. */
export function wrapSegments(
  segments: readonly Segment[],
  columns: number,
  colour: boolean,
  indents: WrapIndents = {},
): string[] {
  const text = segments.map(([part]) => part).join("");
  const lines = wrapWords(text, columns, indents);
  if (!colour) return lines;
  const styled = segments.flatMap(([part, style]) => [...part].map((character) => ({ character, style })));
  let at = 0;
  return lines.map((line, index) => {
    // Only blanks are left out where a line ends, so that what follows is found again.
    const indent = indentOf(line, index, indents);
    let painted = line.slice(0, indent);
    let part = "";
    let current: Style | undefined;
    const finish = (): void => {
      painted += current === undefined ? part : paint(part, current, true);
      part = "";
    };
    for (const character of line.slice(indent)) {
      while (styled[at] !== undefined && styled[at]?.character !== character) at++;
      const style = styled[at]?.style;
      if (style !== current) finish();
      current = style;
      part += character;
      at++;
    }
    finish();
    return painted;
  });
}

function indentOf(line: string, index: number, { first = "", following }: WrapIndents): number {
  if (index > 0 && following === undefined) return /^ */.exec(line)?.[0].length ?? 0;
  return Math.min(line.length, (index === 0 ? first : (following ?? "")).length);
}
