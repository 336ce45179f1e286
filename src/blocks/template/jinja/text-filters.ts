import {
  charactersOf,
  type Data,
  fail,
  isFloat,
  isNumber,
  itemsOf,
  makeFloat,
  makeInteger,
  orElse,
  sliceText,
  toNumber,
  Undefined,
  useDefined,
} from "./data.ts";
import { roundTo } from "./format-number.ts";
import { formatPercent } from "./format-percent.ts";
import { integer, type Machine, type Operation, taking } from "./machine.ts";
import { capitalize, center, replaceText, splitLines, strip } from "./text-methods.ts";
import { writeJson } from "./write-data.ts";

const htmlEscapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

const onText = (change: (text: string) => string): Operation =>
  taking([], (machine, value) => {
    const text = machine.text(value);
    machine.limits.text(text.length);
    return change(text);
  });

/** For what takes a text apart on the way. */
const onPieces = (change: (text: string) => string): Operation =>
  taking([], (machine, value) => {
    const text = machine.text(value);
    machine.limits.pieces(text);
    return change(text);
  });

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => htmlEscapes[character] as string);
}

function title(text: string): string {
  return text
    .split(/([-\s({[<]+)/)
    .filter((part) => part !== "")
    .map((part) => sliceText(part, 0, 1).toUpperCase() + sliceText(part, 1).toLowerCase())
    .join("");
}

function truncate(machine: Machine, value: Data, ...args: (Data | undefined)[]): Data {
  const [length, killWords, end, leeway] = args;
  const text = machine.text(value);
  const most = integer(length, 255);
  const ending = end === undefined ? "..." : machine.text(end);
  const size = charactersOf(ending).length;
  if (most < size) fail(`it expects a length of ${size} at least, because of its end`);
  if (charactersOf(text).length <= most + integer(leeway, 5)) return text;
  const cut = sliceText(text, 0, most - size);
  if (killWords !== undefined && machine.isTrue(killWords)) return cut + ending;
  const blank = cut.lastIndexOf(" ");
  return (blank === -1 ? cut : cut.slice(0, blank)) + ending;
}

function indent(machine: Machine, value: Data, ...args: (Data | undefined)[]): Data {
  const [width, first, blank] = args;
  const margin = typeof width === "string" ? width : " ".repeat(Math.max(0, integer(width, 4)));
  const text = machine.text(value);
  machine.limits.pieces(text);
  const lines = splitLines(`${text}\n`);
  machine.limits.text(text.length + lines.length * margin.length);
  const isAll = blank !== undefined && machine.isTrue(blank);
  const [head = "", ...rest] = lines;
  const body = [head, ...rest.map((line) => (line === "" && !isAll ? line : margin + line))].join("\n");
  return first !== undefined && machine.isTrue(first) ? margin + body : body;
}

function wordWrap(machine: Machine, value: Data, ...args: (Data | undefined)[]): Data {
  const [width, breakLong, wrap, onHyphens] = args;
  const most = integer(width, 79);
  if (most < 1) fail("a line has one character at least");
  const breaks = breakLong === undefined || machine.isTrue(breakLong);
  const hyphens = onHyphens === undefined || machine.isTrue(onHyphens);
  const end = wrap === undefined || wrap === null ? "\n" : machine.text(wrap);
  const text = machine.text(value);
  machine.limits.pieces(text);
  machine.limits.text(text.length * 2 + (text.length / most) * end.length);
  return splitLines(text)
    .map((line) => wrapLine(line, most, breaks, hyphens).join(end))
    .join(end);
}

/** As Python's textwrap does it, with blanks kept as they are. */
function wrapLine(line: string, most: number, breaks: boolean, hyphens: boolean): string[] {
  const chunks = line
    .split(/(\s+)/)
    .flatMap((chunk) => (hyphens ? chunk.split(/(?<=[^\W\d_]-)(?=[^\W\d_])/u) : [chunk]))
    .filter((chunk) => chunk !== "");
  const lines: string[] = [];
  let current = "";
  for (let chunk of chunks) {
    if (current.length + chunk.length > most && current.trim() !== "") {
      lines.push(current.trimEnd());
      current = "";
      if (chunk.trim() === "") continue;
    }
    for (; breaks && current.length + chunk.length > most; chunk = chunk.slice(most)) lines.push(chunk.slice(0, most));
    current += chunk;
  }
  if (current.trim() !== "") lines.push(current.trimEnd());
  return lines;
}

/** In a query a slash is written out, and a blank is a plus. */
function quoteUrl(text: string, isQuery: boolean): string {
  const quoted = encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return isQuery ? quoted.replaceAll("%20", "+") : quoted.replaceAll("%2F", "/");
}

function urlEncode(machine: Machine, value: Data): Data {
  const items = itemsOf(value);
  if (!(value instanceof Map) && items === undefined) {
    machine.limits.pieces(machine.text(value));
    return quoteUrl(machine.text(value), false);
  }
  const pairs = value instanceof Map ? [...value] : (items ?? []).map((pair) => machine.items(pair));
  return pairs
    .map((pair) => pair.map((part) => quoteUrl(machine.text(part as Data), true)))
    .map(([key, item]) => `${key}=${item}`)
    .join("&");
}

function fileSize(_machine: Machine, value: Data, binary: Data | undefined): Data {
  const bytes = isNumber(value) ? toNumber(value) : Number(value);
  const isBinary = binary === true;
  const base = isBinary ? 1024 : 1000;
  const units = isBinary
    ? ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"]
    : ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
  if (Number.isNaN(bytes)) fail("a size must be a number");
  if (bytes === 1) return "1 Byte";
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`;
  const index = units.findIndex((_, power) => bytes < base ** (power + 2));
  const power = index === -1 ? units.length - 1 : index;
  return `${roundTo((base * bytes) / base ** (power + 2), 1)} ${units[power]}`;
}

function toInteger(_machine: Machine, value: Data, otherwise: Data | undefined, base: Data | undefined): Data {
  const fallback = orElse(otherwise, () => 0);
  useDefined(value);
  if (isNumber(value)) return makeInteger(Math.trunc(toNumber(value)));
  if (typeof value !== "string") return fallback;
  const text = value.trim().replaceAll(/(?<=\w)_(?=\w)/g, "");
  const radix = integer(base, 10);
  const digits = text.replace(
    radix === 16 ? /^([+-]?)0x/i : radix === 8 ? /^([+-]?)0o/i : radix === 2 ? /^([+-]?)0b/i : /^([+-]?)/,
    "$1",
  );
  const allowed = "0123456789abcdefghijklmnopqrstuvwxyz".slice(0, radix);
  if (new RegExp(`^[+-]?[${allowed}]+$`, "i").test(digits)) return makeInteger(Number.parseInt(digits, radix));
  const float = parseFloatText(text);
  return float === undefined || !Number.isFinite(float) ? fallback : makeInteger(Math.trunc(float));
}

function toFloat(_machine: Machine, value: Data, otherwise: Data | undefined): Data {
  if (isNumber(useDefined(value))) return makeFloat(toNumber(value as number));
  const float = typeof value === "string" ? parseFloatText(value.trim()) : undefined;
  return float === undefined ? orElse(otherwise, () => makeFloat(0)) : makeFloat(float);
}

function parseFloatText(text: string): number | undefined {
  return /^[+-]?(\d[\d_]*\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text.replaceAll("_", "")) : undefined;
}

function round(_machine: Machine, value: Data, places: Data | undefined, method: Data | undefined): Data {
  if (!isNumber(value)) return fail("only numbers can be rounded");
  const precision = integer(places, 0);
  const how = method ?? "common";
  const number = toNumber(value);
  if (how !== "common" && how !== "ceil" && how !== "floor") return fail("method must be common, ceil or floor");
  if (Math.abs(precision) > 100) return fail("a number has 100 digits at most");
  if (how !== "common") {
    const scaled = number * 10 ** precision;
    return makeFloat((how === "ceil" ? Math.ceil(scaled) : Math.floor(scaled)) / 10 ** precision);
  }
  const scale = 10 ** -precision;
  const rounded = precision < 0 ? Number(roundTo(number / scale, 0)) * scale : Number(roundTo(number, precision));
  return isFloat(value) ? makeFloat(rounded) : rounded;
}

export const textFilters: Readonly<Record<string, Operation>> = {
  upper: onText((text) => text.toUpperCase()),
  lower: onText((text) => text.toLowerCase()),
  capitalize: onText(capitalize),
  title: onPieces(title),
  escape: onPieces(escapeHtml),
  e: onPieces(escapeHtml),
  forceescape: onPieces(escapeHtml),
  safe: onText((text) => text),
  string: onText((text) => text),
  wordcount: taking([], (machine, value) => {
    machine.limits.pieces(machine.text(value));
    return machine.text(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;
  }),
  trim: taking(["chars"], (machine, value, chars) => strip(machine.text(value), chars)),
  center: taking(["width"], (machine, value, width) => center(machine, machine.text(value), integer(width, 80), " ")),
  replace: taking(["old", "new", "count"], (machine, value, old, replacement, count) =>
    replaceText(machine, machine.text(value), textOf(machine, old), textOf(machine, replacement), count),
  ),
  format: (machine, value, { positional, named }) => {
    if (positional.length > 0 && named.size > 0) return fail("it takes values by position or by name, not both");
    return formatPercent(machine.text(value), named.size > 0 ? new Map(named) : positional, machine.limits);
  },
  truncate: taking(["length", "killwords", "end", "leeway"], truncate),
  indent: taking(["width", "first", "blank"], indent),
  wordwrap: taking(["width", "break_long_words", "wrapstring", "break_on_hyphens"], wordWrap),
  urlencode: taking([], urlEncode),
  filesizeformat: taking(["binary"], fileSize),
  int: taking(["default", "base"], toInteger),
  float: taking(["default"], toFloat),
  round: taking(["precision", "method"], round),
  abs: taking([], (_machine, value) => {
    if (!isNumber(value)) return fail("only a number has an absolute value");
    return isFloat(value) ? makeFloat(Math.abs(toNumber(value))) : Math.abs(toNumber(value));
  }),
  tojson: taking(["indent"], (machine, value, spaces) => {
    const width = spaces === undefined || spaces === null ? undefined : Math.min(100, integer(spaces, 0));
    return writeJson(value, width, (length) => machine.limits.text(length));
  }),
  default: taking(["default_value", "boolean"], orDefault),
  d: taking(["default_value", "boolean"], orDefault),
};

function textOf(machine: Machine, value: Data | undefined): string | undefined {
  return value === undefined ? undefined : machine.text(value);
}

function orDefault(machine: Machine, value: Data, otherwise: Data | undefined, boolean: Data | undefined): Data {
  const asksTruth = boolean !== undefined && machine.isTrue(boolean);
  const isMissing = value instanceof Undefined || (asksTruth && !machine.isTrue(value));
  return isMissing ? orElse(otherwise, () => "") : value;
}
