import { type Data, describeKind, fail, isFloat, isNumber, toNumber } from "./data.ts";
import type { Limits } from "./limits.ts";
import { writeFloat, writeText } from "./write-data.ts";

/** How a value is to be laid out: what stands behind the colon in `{:>8.2f}`, or between `%` and its letter. */
export interface Layout {
  readonly fill?: string;
  readonly align?: "<" | ">" | "^" | "=";
  readonly sign?: "+" | "-" | " ";
  readonly alternate?: boolean;
  readonly width?: number;
  readonly grouping?: "," | "_";
  readonly precision?: number;
  readonly type?: string;
}

const mostDigits = 100;

export function layOut(value: Data, layout: Layout, limits: Limits): string {
  const { type = "", precision } = layout;
  if (precision !== undefined && precision > mostDigits && type !== "s" && type !== "") {
    fail(`a number has ${mostDigits} digits at most`);
  }
  limits.text(layout.width ?? 0);
  const isText = typeof value === "string" || (!isNumber(value) && (type === "" || type === "s"));
  if (isText || typeof value === "boolean" ? type === "" || type === "s" : type === "s") {
    const text = writeText(value, (length) => limits.text(length));
    return pad(precision === undefined ? text : Array.from(text).slice(0, precision).join(""), {
      align: "<",
      ...layout,
    });
  }
  if (!isNumber(value)) return fail(`${describeKind(value)} can't be written as a number ('${type}')`);
  const number = toNumber(value);
  const digits = writeDigits(Math.abs(number), isFloat(value), layout);
  const isNegative = number < 0 || Object.is(number, -0);
  const sign = isNegative ? "-" : layout.sign === "+" || layout.sign === " " ? layout.sign : "";
  return pad(digits, { align: ">", ...layout }, sign);
}

function pad(text: string, { fill = " ", align, width = 0 }: Layout, sign = ""): string {
  const missing = Math.max(0, width - Array.from(text).length - sign.length);
  if (align === "=") return sign + fill.repeat(missing) + text;
  const before = align === ">" ? missing : align === "^" ? Math.floor(missing / 2) : 0;
  return fill.repeat(before) + sign + text + fill.repeat(missing - before);
}

const bases: Readonly<Record<string, readonly [number, string]>> = {
  b: [2, "0b"],
  o: [8, "0o"],
  x: [16, "0x"],
  X: [16, "0X"],
};

function writeDigits(
  value: number,
  isFloatValue: boolean,
  { type = "", precision, grouping, alternate }: Layout,
): string {
  const base = bases[type];
  if (base !== undefined || type === "d" || type === "n" || type === "c") {
    if (isFloatValue) return fail(`a float can't be written with '${type}'`);
    if (type === "c") return String.fromCodePoint(value);
    const digits = value.toString(base?.[0] ?? 10);
    const cased = type === "X" ? digits.toUpperCase() : digits;
    return (alternate ? (base?.[1] ?? "") : "") + group(cased, grouping);
  }
  switch (type) {
    case "":
      if (precision !== undefined) return group(writeGeneral(value, precision), grouping);
      return group(isFloatValue ? writeFloat(value) : String(value), grouping);
    case "f":
    case "F":
      return group(roundTo(value, precision ?? 6), grouping);
    case "%":
      return `${group(roundTo(value * 100, precision ?? 6), grouping)}%`;
    case "e":
    case "E": {
      const text = value.toExponential(precision ?? 6).replace(/e([+-])(\d)$/, "e$10$2");
      return type === "E" ? text.toUpperCase() : text;
    }
    case "g":
    case "G": {
      const text = writeGeneral(value, precision ?? 6);
      return type === "G" ? text.toUpperCase() : text;
    }
    default:
      return fail(`'${type}' is no way to write a number`);
  }
}

function writeGeneral(value: number, precision: number): string {
  const digits = Math.max(1, precision);
  const exponent = value === 0 ? 0 : Number(value.toExponential(digits - 1).split("e")[1]);
  const trimmed = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (exponent >= -4 && exponent < digits) return trimmed(value.toFixed(Math.max(0, digits - 1 - exponent)));
  const [mantissa = "", power = ""] = value.toExponential(digits - 1).split("e");
  return `${trimmed(mantissa)}e${power.charAt(0)}${power.slice(1).padStart(2, "0")}`;
}

function group(digits: string, mark: string | undefined): string {
  if (mark === undefined) return digits;
  const [whole = "", fraction] = digits.split(".");
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, mark);
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Half-way numbers go to the even neighbour, as in Python; what looks half-way often is not, because floats are binary. */
export function roundTo(value: number, places: number): string {
  const text = value.toFixed(places);
  if (Math.abs(value) >= 1e21) return text;
  const exact = value.toFixed(mostDigits);
  const rest = exact.slice(exact.indexOf(".") + 1 + places);
  if (!/^50*$/.test(rest)) return text;
  const kept = places === 0 ? exact.slice(0, exact.indexOf(".")) : exact.slice(0, exact.length - rest.length);
  const isEven = Number(kept.at(-1)) % 2 === 0;
  return isEven ? kept : text;
}
