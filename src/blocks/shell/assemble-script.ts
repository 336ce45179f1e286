import { describeValue, formatValue } from "../../expression/format-value.ts";
import type { Value } from "../../expression/value.ts";
import { err, ok, type Result } from "../../util/result.ts";
import type { CommandProblem } from "./command-problem.ts";
import type { CommandValue, CompiledCommand, Slot, SlotContext } from "./compiled-command.ts";
import { escapeBody, escapeSingleQuoted } from "./spelling.ts";

/** A script and the text that assigns its variables, which is read from an inherited file before the script runs. */
export interface AssembledScript {
  readonly script: string;
  readonly prelude: string;
}

/** Gives the values their variables. `values` are those of `compiled.values`, in that order. */
export function assembleScript(
  compiled: CompiledCommand,
  values: readonly Value[],
): Result<AssembledScript, CommandProblem> {
  const texts: string[] = [];
  for (const [index, use] of compiled.values.entries()) {
    const text = readText(use, values[index] ?? null);
    if (!text.ok) return text;
    texts.push(text.value);
  }
  const pasted = compiled.values.flatMap((value, index) => (value.use === "raw" ? [texts[index] ?? ""] : []));
  const prefix = unusedPrefix(compiled, pasted);
  const assigned = new Map<string, string>();
  const script = compiled.segments.map((segment) => {
    if (typeof segment === "string") return segment;
    const text = texts[segment.value] ?? "";
    if (compiled.values[segment.value]?.use === "raw") return pasteIn(segment.context, text);
    const name = `${prefix}${segment.value + 1}`;
    const value = values[segment.value];
    if (segment.context === "words" && Array.isArray(value)) {
      const elements = value.map((element, index) => [`${name}_${index + 1}`, formatValue(element)] as const);
      for (const [elementName, element] of elements) assigned.set(elementName, element);
      return elements.map(([elementName]) => `"\${${elementName}}"`).join(" ");
    }
    assigned.set(name, text);
    return spell(segment.context, name);
  });
  return ok({ script: script.join(""), prelude: writePrelude(assigned) });
}

function readText(use: CommandValue, value: Value): Result<string, CommandProblem> {
  const text = formatValue(value);
  const holdsNul =
    text.includes("\0") || (Array.isArray(value) && value.some((item) => formatValue(item).includes("\0")));
  if (holdsNul) {
    return fail(use, "value-with-nul", "This value holds a NUL character, which no shell variable can hold.");
  }
  if (use.use !== "integer") return ok(text);
  const integer = /^-?\d{1,19}$/.test(text) && typeof value !== "boolean" ? BigInt(text) : undefined;
  if (integer === undefined || BigInt.asIntN(64, integer) !== integer) {
    return fail(
      use,
      "not-an-integer",
      `This value is used in arithmetic and must be an integer, but is ${describeValue(value)}.`,
    );
  }
  return ok(integer.toString());
}

function fail(use: CommandValue, code: string, message: string): Result<never, CommandProblem> {
  return err({ code, level: "error", message, start: use.span.start, end: use.span.end });
}

/** A prefix for our variables that occurs nowhere in what the author wrote. */
function unusedPrefix(compiled: CompiledCommand, pasted: readonly string[]): string {
  const written = [...compiled.segments.filter((segment) => typeof segment === "string"), ...pasted];
  let prefix = "F_";
  while (written.some((text) => text.includes(prefix))) prefix = `F${prefix}`;
  return prefix;
}

/** How a variable is written so that its contents arrive as they are. */
function spell(context: SlotContext, name: string): string {
  switch (context) {
    case "words":
    case "bare":
      return `"\${${name}}"`;
    case "single-quoted":
      return `'"\${${name}}"'`;
    case "ansi-quoted":
      return `'"\${${name}}"$'`;
    case "double-quoted":
    case "here-document":
    case "escaped-here-document":
    case "literal-here-document":
    case "arithmetic":
      return `\${${name}}`;
  }
}

function pasteIn(context: SlotContext, text: string): string {
  return context === "escaped-here-document" ? escapeBody(text) : text;
}

/** Unset first: a variable of that name that was inherited would otherwise stay exported. */
function writePrelude(assigned: ReadonlyMap<string, string>): string {
  const lines = [...assigned].map(([name, text]) => `unset ${name}; ${name}='${escapeSingleQuoted(text)}'\n`);
  return lines.join("");
}

/**
 * The script with what reads its values in front, on its first line so that line numbers stay right. A comment, an empty line
 * or a here-document there is as good as behind any other `;`.
 */
export function withPrelude(script: string): string {
  return `. /dev/fd/3 || exit 126; exec 3<&-; ${script}`;
}

/** The script as far as it is known without values, for `bash -n`. */
export function checkableScript(compiled: CompiledCommand): string {
  const prefix = unusedPrefix(compiled, []);
  const write = (slot: Slot): string => {
    const name = `${prefix}${slot.value + 1}`;
    return compiled.values[slot.value]?.use === "raw" ? `\${${name}}` : spell(slot.context, name);
  };
  return compiled.segments.map((segment) => (typeof segment === "string" ? segment : write(segment))).join("");
}
