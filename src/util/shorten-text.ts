/** The end of a text usually tells more than its beginning. */
const headPart = 0.4;

/**
 * The beginning and the end of a text, with a mark between them that says how much is missing; as JSON it has at most `room`
 * characters. Nothing when there is no room for that.
 */
export function shortenText(text: string, room: number): string | undefined {
  // The mark is never longer than that of the whole text missing.
  const inside = room - (JSON.stringify(markFor(text.length)) as string).length;
  if (inside < 0) return undefined;
  const head = headOf(text, Math.floor(inside * headPart));
  const tail = tailOf(text, inside - Math.floor(inside * headPart), head.length);
  return head + markFor(text.length - head.length - tail.length) + tail;
}

/** As much of the beginning of a text as there is room for as JSON; at least one character. */
export function fitText(text: string, room: number): string {
  const [first = ""] = text;
  return headOf(text, room - 2) || first;
}

function markFor(missing: number): string {
  return `\n... ${missing.toLocaleString("en-US")} characters left out ...\n`;
}

function headOf(text: string, room: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += character.length === 2 ? 2 : unitLength(character.charCodeAt(0));
    if (used > room) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function tailOf(text: string, room: number, from: number): string {
  let used = 0;
  let start = text.length;
  for (; start > from; start -= 1) {
    used += unitLength(text.charCodeAt(start - 1));
    if (used > room) break;
  }
  return text.slice(isInsidePair(text, start) ? start + 1 : start);
}

function isInsidePair(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const shortEscapes = new Set([...'\b\t\n\f\r"\\'].map((character) => character.charCodeAt(0)));

/** Half of a pair is counted as if it stood alone, which JSON writes as an escape. */
function unitLength(unit: number): number {
  if (shortEscapes.has(unit)) return 2;
  return unit < 0x20 || (unit >= 0xd800 && unit <= 0xdfff) ? 6 : 1;
}
