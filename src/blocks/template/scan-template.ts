/** A part of a Jinja template. */
export type Segment =
  | { readonly kind: "text" | "raw" | "comment"; readonly start: number; readonly end: number }
  | { readonly kind: "tag"; readonly start: number; readonly end: number; readonly tokens: readonly Token[] };

/** What stands inside `{{ }}` and `{% %}`. */
export interface Token {
  readonly kind: "name" | "string" | "number" | "operator";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const opening = /\{[{%#]/g;
const rawTag = /\{%[-+]?\s*raw\s*[-+]?%\}/y;
const endRawTag = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;

/** Splits a template into its parts, which together are the whole of it. A part that does not end goes to the end of the text. */
export function scanTemplate(source: string): Segment[] {
  const segments: Segment[] = [];
  const add = (segment: Segment): number => {
    if (segment.end > segment.start) segments.push(segment);
    return segment.end;
  };
  let offset = 0;
  while (offset < source.length) {
    const found = matchFrom(opening, source, offset);
    offset = add({ kind: "text", start: offset, end: found?.index ?? source.length });
    if (found === null) break;
    const raw = found[0] === "{%" ? matchFrom(rawTag, source, offset) : null;
    if (raw !== null) {
      offset = add({ kind: "tag", start: offset, end: offset + raw[0].length, tokens: [] });
      const endRaw = matchFrom(endRawTag, source, offset);
      offset = add({ kind: "raw", start: offset, end: endRaw?.index ?? source.length });
      offset = add({ kind: "tag", start: offset, end: offset + (endRaw?.[0].length ?? 0), tokens: [] });
    } else if (found[0] === "{#") {
      const end = source.indexOf("#}", offset + 2);
      offset = add({ kind: "comment", start: offset, end: end === -1 ? source.length : end + 2 });
    } else offset = add(scanTag(source, offset, found[0] === "{{" ? "}}" : "%}"));
  }
  return segments;
}

const token =
  /\s+|([\p{L}_][\p{L}\p{N}_]*)|(0[bBoOxX][\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)|("|')|(\*\*|\/\/|[=!<>]=|.)/suy;
const depths: ReadonlyMap<string, number> = new Map([
  ["(", 1],
  ["[", 1],
  ["{", 1],
  [")", -1],
  ["]", -1],
  ["}", -1],
]);

/** A tag ends at its closing mark, unless that stands in a string or in brackets. */
function scanTag(source: string, start: number, closing: string): Segment {
  const tokens: Token[] = [];
  let depth = 0;
  let offset = start + 2;
  while (offset < source.length) {
    if (depth === 0 && source.startsWith(closing, offset)) {
      return { kind: "tag", start, end: offset + closing.length, tokens };
    }
    const found = matchFrom(token, source, offset) as RegExpExecArray;
    const [text, name, number, quote] = found;
    const end = quote === undefined ? offset + text.length : endOfString(source, offset);
    depth = Math.max(0, depth + (depths.get(text) ?? 0));
    const kind =
      name !== undefined ? "name" : number !== undefined ? "number" : quote !== undefined ? "string" : "operator";
    if (text.trim() !== "") tokens.push({ kind, text: source.slice(offset, end), start: offset, end });
    offset = end;
  }
  return { kind: "tag", start, end: source.length, tokens };
}

function endOfString(source: string, start: number): number {
  const quote = source[start];
  for (let offset = start + 1; offset < source.length; offset++) {
    if (source[offset] === "\\") offset++;
    else if (source[offset] === quote) return offset + 1;
  }
  return source.length;
}

function matchFrom(pattern: RegExp, source: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(source);
}
