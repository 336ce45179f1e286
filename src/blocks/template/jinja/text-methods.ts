import { charactersOf, type Data, fail, sliceText, Tuple } from "./data.ts";
import { formatBraces } from "./format-braces.ts";
import { integer, type Machine, type Operation, taking } from "./machine.ts";

const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** Lines without their ends; one that ends the text begins no other. */
export function splitLines(text: string, keepEnds = false): string[] {
  const lines: string[] = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(lineEnd)) {
    lines.push(text.slice(start, keepEnds ? index + end.length : index));
    start = index + end.length;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

export function capitalize(text: string): string {
  return sliceText(text, 0, 1).toUpperCase() + sliceText(text, 1).toLowerCase();
}

export function strip(text: string, chars: Data | undefined, sides: "both" | "left" | "right" = "both"): string {
  const set = typeof chars === "string" ? new Set(Array.from(chars)) : undefined;
  const goes = (character: string | undefined): boolean => {
    if (character === undefined) return false;
    return set === undefined ? /\s/.test(character) : set.has(character);
  };
  let [start, end] = [0, text.length];
  const characterAt = (index: number): string => String.fromCodePoint(text.codePointAt(index) ?? 0);
  const last = (): string => (isTrail(text, end - 1) ? characterAt(end - 2) : text.charAt(end - 1));
  if (sides !== "right") while (start < end && goes(characterAt(start))) start += characterAt(start).length;
  if (sides !== "left") while (end > start && goes(last())) end -= last().length;
  return text.slice(start, end);
}

/** Whether it is the second half of a character. */
function isTrail(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff;
}

/** Python puts an odd blank to the left when the width is odd. */
export function center(machine: Machine, text: string, width: number, fill: string): string {
  const missing = width - charactersOf(text).length;
  if (missing <= 0) return text;
  machine.limits.text(width);
  const left = Math.floor(missing / 2) + (missing & width & 1);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}

function justify(side: "left" | "right"): Operation {
  return taking(["width", "fillchar"], (machine, value, width, fill) => {
    const text = String(value);
    const missing = Math.max(0, integer(width, 0) - charactersOf(text).length);
    machine.limits.text(text.length + missing);
    const filling = (fill === undefined ? " " : machine.text(fill)).repeat(missing);
    return side === "left" ? text + filling : filling + text;
  });
}

function split(side: "left" | "right"): Operation {
  return taking(["sep", "maxsplit"], (machine, value, separator, most) => {
    machine.limits.pieces(String(value));
    const parts = splitText(String(value), separator, integer(most, -1), side);
    machine.limits.items(parts.length);
    return parts;
  });
}

function splitText(text: string, separator: Data | undefined, most: number, side: "left" | "right"): string[] {
  if (separator === undefined || separator === null) return splitAtBlanks(text, most, side);
  if (separator === "") fail("a separator can't be empty");
  const mark = String(separator);
  const parts = text.split(mark);
  const { length } = parts;
  if (most < 0 || length <= most + 1) return parts;
  return side === "left"
    ? [...parts.slice(0, most), parts.slice(most).join(mark)]
    : [parts.slice(0, length - most).join(mark), ...parts.slice(length - most)];
}

/** What is left unsplit keeps the blanks at its other end. */
function splitAtBlanks(text: string, most: number, side: "left" | "right"): string[] {
  const words = Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => ({
    word,
    start: index,
    end: index + word.length,
  }));
  if (most < 0 || words.length <= most) return words.map(({ word }) => word);
  const first = side === "left" ? words.slice(0, most) : [];
  const last = side === "right" && most > 0 ? words.slice(-most) : [];
  const rest = side === "left" ? text.slice(words[most]?.start) : text.slice(0, words[words.length - most - 1]?.end);
  return [...first, { word: rest }, ...last].map(({ word }) => word);
}

function partition(side: "left" | "right"): Operation {
  return taking(["sep"], (_machine, value, separator) => {
    const [text, mark] = [String(value), String(separator ?? fail("it needs a separator"))];
    if (mark === "") return fail("a separator can't be empty");
    const at = side === "left" ? text.indexOf(mark) : text.lastIndexOf(mark);
    if (at === -1) return new Tuple(side === "left" ? [text, "", ""] : ["", "", text]);
    return new Tuple([text.slice(0, at), mark, text.slice(at + mark.length)]);
  });
}

export function replaceText(machine: Machine, value: Data, ...args: (Data | undefined)[]): Data {
  const [old, replacement, count] = args;
  if (typeof old !== "string" || typeof replacement !== "string") return fail("it needs two texts");
  const text = String(value);
  const most = integer(count, -1);
  if (old === "") return replaceNothing(machine, text, replacement, most);
  let [times, end] = [0, 0];
  for (let at = text.indexOf(old); at !== -1 && times !== most; at = text.indexOf(old, end)) {
    times++;
    end = at + old.length;
  }
  machine.limits.text(text.length + times * (replacement.length - old.length));
  return text.slice(0, end).replaceAll(old, () => replacement) + text.slice(end);
}

/** In Python there is an empty text before every character, and at the end. */
function replaceNothing(machine: Machine, text: string, replacement: string, most: number): string {
  machine.limits.pieces(text);
  const characters = Array.from(text);
  const times = most < 0 ? characters.length + 1 : Math.min(most, characters.length + 1);
  machine.limits.text(text.length + times * replacement.length);
  const placed = characters.map((character, index) => (index < times ? replacement + character : character));
  return placed.join("") + (times > characters.length ? replacement : "");
}

function find(side: "left" | "right", isNeeded: boolean): Operation {
  return taking(["sub", "start", "end"], (machine, value, wanted, start, end) => {
    const text = sliceText(String(value), 0, end === undefined ? undefined : integer(end, 0));
    const from = integer(start, 0);
    const part = sliceText(text, from);
    const mark = machine.text(wanted ?? fail("it needs a text to look for"));
    const at = side === "left" ? part.indexOf(mark) : part.lastIndexOf(mark);
    if (at === -1) return isNeeded ? fail(`'${mark}' is not in the text`) : -1;
    return charactersOf(part.slice(0, at)).length + (charactersOf(text).length - charactersOf(part).length);
  });
}

function edge(test: (text: string, mark: string) => boolean): Operation {
  return taking(["prefix", "start", "end"], (_machine, value, marks, start, end) => {
    const text = sliceText(String(value), integer(start, 0), end === undefined ? undefined : integer(end, 0));
    const list = marks instanceof Tuple ? marks.items : [marks ?? null];
    return list.some((mark) => (typeof mark === "string" ? test(text, mark) : fail("it needs a text")));
  });
}

const all = (pattern: RegExp): Operation => taking([], (_machine, value) => pattern.test(String(value)));
const changed = (change: (text: string) => string): Operation =>
  taking([], (machine, value) => {
    const text = String(value);
    if (text.length > 100_000) machine.limits.pieces(text);
    return change(text);
  });
const cased = /[\p{Lu}\p{Ll}\p{Lt}]/u;

/** Python's methods of texts. */
export const textMethods: Readonly<Record<string, Operation>> = {
  upper: changed((text) => text.toUpperCase()),
  lower: changed((text) => text.toLowerCase()),
  casefold: changed((text) => text.toLowerCase().replaceAll("ß", "ss")),
  capitalize: changed(capitalize),
  title: changed((text) =>
    text.replaceAll(/\p{L}+/gu, (word) => sliceText(word, 0, 1).toUpperCase() + sliceText(word, 1).toLowerCase()),
  ),
  swapcase: changed((text) =>
    Array.from(text, (one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase())).join(""),
  ),
  strip: taking(["chars"], (_machine, value, chars) => strip(String(value), chars)),
  lstrip: taking(["chars"], (_machine, value, chars) => strip(String(value), chars, "left")),
  rstrip: taking(["chars"], (_machine, value, chars) => strip(String(value), chars, "right")),
  startswith: edge((text, mark) => text.startsWith(mark)),
  endswith: edge((text, mark) => text.endsWith(mark)),
  removeprefix: taking(["prefix"], (_machine, value, mark) => {
    const text = String(value);
    return typeof mark === "string" && text.startsWith(mark) ? text.slice(mark.length) : text;
  }),
  removesuffix: taking(["suffix"], (_machine, value, mark) => {
    const text = String(value);
    return typeof mark === "string" && mark !== "" && text.endsWith(mark) ? text.slice(0, -mark.length) : text;
  }),
  split: split("left"),
  rsplit: split("right"),
  splitlines: taking(["keepends"], (machine, value, keepEnds) => {
    machine.limits.pieces(String(value));
    const lines = splitLines(String(value), keepEnds !== undefined && machine.isTrue(keepEnds));
    machine.limits.items(lines.length);
    return lines;
  }),
  partition: partition("left"),
  rpartition: partition("right"),
  replace: taking(["old", "new", "count"], replaceText),
  find: find("left", false),
  rfind: find("right", false),
  index: find("left", true),
  rindex: find("right", true),
  count: taking(["sub"], (machine, value, wanted) => {
    const mark = machine.text(wanted ?? fail("it needs a text to count"));
    return mark === "" ? charactersOf(String(value)).length + 1 : String(value).split(mark).length - 1;
  }),
  join: taking(["iterable"], (machine, value, list) => {
    const parts = machine.items(list ?? fail("it needs what to join"));
    const texts = parts.map((part) =>
      typeof part === "string" ? part : fail("join() joins texts; use the filter join"),
    );
    machine.limits.text(texts.reduce((length, text) => length + text.length + String(value).length, 0));
    return texts.join(String(value));
  }),
  center: taking(["width", "fillchar"], (machine, value, width, fill) =>
    center(machine, String(value), integer(width, 0), fill === undefined ? " " : machine.text(fill)),
  ),
  ljust: justify("left"),
  rjust: justify("right"),
  zfill: taking(["width"], (machine, value, width) => {
    const [, sign = "", digits = ""] = /^([+-]?)(.*)$/s.exec(String(value)) ?? [];
    const size = Math.max(0, integer(width, 0) - sign.length);
    machine.limits.text(size);
    return sign + digits.padStart(size, "0");
  }),
  expandtabs: taking(["tabsize"], (machine, value, size) => {
    const width = Math.max(1, integer(size, 8));
    machine.limits.text(String(value).length * width);
    return String(value)
      .split("\n")
      .map((line) => line.split("\t").reduce((text, part) => text + " ".repeat(width - (text.length % width)) + part))
      .join("\n");
  }),
  format: (machine, value, args) => formatBraces(String(value), args, machine.limits),
  isalnum: all(/^[\p{L}\p{N}]+$/u),
  isalpha: all(/^\p{L}+$/u),
  isascii: all(/^\p{ASCII}*$/u),
  isdecimal: all(/^\p{Nd}+$/u),
  isdigit: all(/^\p{Nd}+$/u),
  isnumeric: all(/^\p{N}+$/u),
  isspace: all(/^\s+$/),
  isidentifier: all(/^[\p{L}_][\p{L}\p{N}_]*$/u),
  islower: taking([], (_machine, value) => cased.test(String(value)) && String(value) === String(value).toLowerCase()),
  isupper: taking([], (_machine, value) => cased.test(String(value)) && String(value) === String(value).toUpperCase()),
};
