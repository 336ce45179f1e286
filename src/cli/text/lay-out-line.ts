import { paint, type Style } from "../../diagnostic/style.ts";
import { cutToWidth, widthOf } from "./visible-text.ts";

/** A piece of a line that looks the same throughout; its text is clean. */
export type Segment = readonly [text: string, style?: Style | undefined];

export function widthOfSegments(segments: readonly Segment[]): number {
  return segments.reduce((width, [text]) => width + widthOf(text), 0);
}

/** The segments one after another, cut where the line is full. */
export function layOutLine(segments: readonly Segment[], columns: number, colour: boolean): string {
  let room = columns;
  let line = "";
  for (const [text, style] of segments) {
    if (room <= 0) break;
    const fitting = cutToWidth(text, room);
    line += style === undefined ? fitting : paint(fitting, style, colour);
    room = fitting === text ? room - widthOf(text) : 0;
  }
  return line;
}
