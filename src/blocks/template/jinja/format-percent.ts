import { type Data, fail, isFloat, isNumber, orElse, toNumber, useDefined } from "./data.ts";
import { type Layout, layOut } from "./format-number.ts";
import type { Limits } from "./limits.ts";
import { writeData } from "./write-data.ts";

const directive = /%(?:\(([^)]*)\))?([-+ 0#]*)(\*|\d+)?(?:\.(\d+))?[hlL]?([a-zA-Z%])/g;

/** `'%s has %.2f' % (a, b)`, and with a map `'%(name)s' % map`. */
export function formatPercent(pattern: string, given: readonly Data[] | Map<Data, Data>, limits: Limits): string {
  const list = given instanceof Map ? undefined : given;
  let used = 0;
  const take = (): Data => {
    if (list === undefined) return given as unknown as Data;
    return used < list.length ? (list[used++] as Data) : fail(`'${pattern}' asks for more values than there are`);
  };
  let length = 0;
  limits.pieces(pattern);
  const text = pattern.replaceAll(
    directive,
    (_all, name?: string, flags = "", width?: string, precision?: string, type = "") => {
      if (type === "%") return "%";
      const wide = width === "*" ? Number(take()) : Number(width ?? 0);
      const value =
        name === undefined ? take() : orElse(lookUp(given, name), () => fail(`there is no '${name}' for '${pattern}'`));
      const written = layOne(
        useDefined(value),
        type,
        flags,
        wide,
        precision === undefined ? undefined : Number(precision),
        limits,
      );
      length += written.length;
      limits.fits(length);
      return written;
    },
  );
  if (list !== undefined && used < list.length) fail(`'${pattern}' does not ask for all the values there are`);
  return text;
}

function lookUp(given: readonly Data[] | Map<Data, Data>, name: string): Data | undefined {
  return given instanceof Map ? given.get(name) : undefined;
}

function layOne(
  value: Data,
  type: string,
  flags: string,
  width: number,
  precision: number | undefined,
  limits: Limits,
): string {
  const isText = type === "s" || type === "r" || type === "a";
  const align = flags.includes("-") ? "<" : flags.includes("0") && !isText ? "=" : ">";
  const layout: Layout = {
    align,
    fill: align === "=" ? "0" : " ",
    width,
    ...(flags.includes("+") ? { sign: "+" as const } : flags.includes(" ") ? { sign: " " as const } : {}),
    ...(flags.includes("#") ? { alternate: true } : {}),
    ...(precision === undefined ? {} : { precision }),
  };
  if (isText) {
    const text = type === "s" ? value : writeData(value, (length) => limits.text(length));
    return layOut(text, { ...layout, type: "s" }, limits);
  }
  if (type === "c" && typeof value === "string") return layOut(value, { ...layout, type: "s" }, limits);
  if (!isNumber(value)) return fail(`'%${type}' needs a number`);
  const isInteger = "diuxXoc".includes(type);
  const { precision: _, ...withoutPrecision } = layout;
  // Python cuts the fraction off where an integer is asked for.
  const number = isInteger ? Math.trunc(toNumber(value)) : isFloat(value) ? value : toNumber(value);
  return layOut(
    number,
    { ...(isInteger ? withoutPrecision : layout), type: type === "i" || type === "u" ? "d" : type },
    limits,
  );
}
