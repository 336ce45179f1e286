import { plainLines } from "../../drawing/ansi/ansi.ts";
import type { Value, ValueMap } from "../../expression/value.ts";

/** Longer texts are asked for on their own. */
export const longestValue = 2_000;

/** As people read it: a text as a terminal would leave it, anything else as JSON. */
export function textOfValue(value: Value | undefined): string {
  return plainLines(typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? ""));
}

/** As much of a text as there is room for. */
export function cutText(text: string): string {
  return text.length <= longestValue ? text : text.slice(0, longestValue).replace(/[\ud800-\udbff]$/, "");
}

/** Values that are too long become the beginning of their text. */
export function cutValues(values: ValueMap): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const text = textOfValue(value);
      if (text.length > longestValue) return [name, `${cutText(text)}…`];
      return [name, typeof value === "string" ? text : value];
    }),
  );
}
