import type { Range } from "../diagnostic/source.ts";
import type { YamlScalar } from "./yaml-node.ts";

/**
 * Turns a span within a scalar's text into a range of the file, so that a problem in the middle of a folded or quoted text
 * points at the very characters. Where each character stands is worked out when a problem is first reported in the scalar.
 */
export function placeInScalar(scalar: YamlScalar, text: string, start: number, end: number): Range {
  const { source } = scalar.range;
  const places = placesOf(scalar, text);
  const from = placeAt(scalar, places, start);
  const last = placeAt(scalar, places, Math.max(start, end - 1));
  const to = last + writtenLength(scalar, last - scalar.range.start);
  return { source, start: from, end: Math.min(to, scalar.range.end) };
}

/** Past the text's end is its last character. */
function placeAt({ range }: YamlScalar, places: Uint32Array, offset: number): number {
  const place = places[Math.min(offset, places.length - 1)] ?? 0;
  return Math.min(range.start + place, Math.max(range.start, range.end - 1));
}

const known = new WeakMap<YamlScalar, Uint32Array>();

/** For each character of the text, its offset within the scalar as written. */
function placesOf(scalar: YamlScalar, text: string): Uint32Array {
  let places = known.get(scalar);
  if (places === undefined) {
    places = findPlaces(scalar, text);
    known.set(scalar, places);
  }
  return places;
}

function findPlaces(scalar: YamlScalar, text: string): Uint32Array {
  const { written } = scalar;
  const places = new Uint32Array(text.length);
  let at = contentStart(scalar);
  for (let index = 0; index < text.length; index++) {
    const isSecondHalf = /[\uDC00-\uDFFF]/.test(text[index] as string) && written[at] !== text[index];
    if (isSecondHalf) {
      // Both halves of a character written as one escape stand where the escape does.
      places[index] = places[index - 1] ?? at;
      continue;
    }
    at = findCharacter(scalar, at, text[index] as string);
    places[index] = at;
    at += writtenLength(scalar, at);
  }
  return places;
}

function contentStart({ style, written }: YamlScalar): number {
  if (style === "single" || style === "double") return 1;
  if (style === "literal" || style === "folded") return written.indexOf("\n") + 1;
  return 0;
}

/** Indentation and folded line breaks stand in the file but not in the value: pass over them to the value's next character. */
function findCharacter({ style, written }: YamlScalar, from: number, character: string): number {
  let at = from;
  while (at < written.length) {
    const here = written[at] as string;
    if (here === character || (character === " " && here === "\n")) return at;
    const isLineEnd = style === "double" && here === "\\" && isSpace(written[at + 1]);
    if (!isLineEnd && !isSpace(here)) return at;
    at++;
  }
  return at;
}

function isSpace(character: string | undefined): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}

const hexEscapes: Record<string, number> = { x: 4, u: 6, U: 10 };

function writtenLength({ style, written }: YamlScalar, at: number): number {
  if (style === "double" && written[at] === "\\") return hexEscapes[written[at + 1] ?? ""] ?? 2;
  if (style === "single" && written[at] === "'" && written[at + 1] === "'") return 2;
  return 1;
}
