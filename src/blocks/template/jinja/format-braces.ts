import { type Arguments, type Data, fail, orElse, useDefined } from "./data.ts";
import { type Layout, layOut } from "./format-number.ts";
import type { Limits } from "./limits.ts";
import { readItem } from "./read-item.ts";
import { writeData, writeText } from "./write-data.ts";

const field = /\{\{|\}\}|\{((?:[^{}]|\{[^{}]*\})*)\}|[{}]/g;

/** `'{} and {name:>8}'.format(...)`. */
export function formatBraces(pattern: string, args: Arguments, limits: Limits): string {
  let next = 0;
  let length = 0;
  limits.pieces(pattern);
  const lookUp = (path: string): Data => {
    const [, first = "", rest = ""] = /^([^.[]*)(.*)$/s.exec(path) ?? [];
    const index = first === "" ? next++ : /^\d+$/.test(first) ? Number(first) : undefined;
    const value = index === undefined ? args.named.get(first) : args.positional[index];
    if (value === undefined) return fail(`there is no value for '{${path}}' in '${pattern}'`);
    let found = useDefined(value);
    for (const [, name, key] of rest.matchAll(/\.([^.[]+)|\[([^\]]*)\]/g)) {
      const step = name ?? (/^\d+$/.test(key ?? "") ? Number(key) : (key ?? ""));
      found = orElse(readItem(found, step), () => fail(`there is no value for '{${path}}' in '${pattern}'`));
    }
    return found;
  };
  return pattern.replaceAll(field, (all, inner?: string) => {
    if (all === "{{" || all === "}}") return all.charAt(0);
    if (inner === undefined) return fail(`a brace stands alone in '${pattern}'`);
    const [, path = "", conversion, spec = ""] = /^([^!:]*)(?:!([rsa]))?(?::(.*))?$/s.exec(inner) ?? [];
    const value = lookUp(path);
    const filled = spec.replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
      writeText(lookUp(name), (n) => limits.text(n)),
    );
    const shown = conversion === undefined ? value : convert(value, conversion, limits);
    const text = layOut(shown, readLayout(filled), limits);
    length += text.length;
    limits.fits(length);
    return text;
  });
}

function convert(value: Data, conversion: string, limits: Limits): string {
  const ask = (length: number): void => limits.text(length);
  return conversion === "s" ? writeText(value, ask) : writeData(value, ask);
}

const spec = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/su;

function readLayout(text: string): Layout {
  const match = spec.exec(text);
  if (match === null) return fail(`'${text}' is no way to write a value`);
  const [, fill, align, sign, alternate, zero, width, grouping, precision, type] = match;
  return {
    ...(zero === undefined ? {} : { fill: "0", align: "=" as const }),
    ...(align === undefined ? {} : { align: align as "<", fill: fill ?? (zero === undefined ? " " : "0") }),
    ...(sign === undefined ? {} : { sign: sign as "+" }),
    ...(alternate === undefined ? {} : { alternate: true }),
    ...(width === undefined ? {} : { width: Number(width) }),
    ...(grouping === undefined ? {} : { grouping: grouping as "," }),
    ...(precision === undefined ? {} : { precision: Number(precision) }),
    ...(type === undefined ? {} : { type }),
  };
}
