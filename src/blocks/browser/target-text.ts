import type { BrowserTargetKind } from "../../block/browsers.ts";
import type { CompiledInput, InputLanguage, InputProblem } from "../../block/define-block.ts";
import { didYouMean } from "../../diagnostic/did-you-mean.ts";
import type { Expression, Scope, Template } from "../../expression/ast.ts";
import { evaluate } from "../../expression/evaluate.ts";
import { formatValue } from "../../expression/format-value.ts";
import { parseTemplate } from "../../expression/parse-template.ts";
import { showTemplate } from "../../expression/show-template.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { ariaRoles } from "./aria-roles.ts";
import { parseTarget } from "./parse-target.ts";

/** A target whose values are known. */
export interface ReadyTarget {
  readonly target: BrowserTargetKind;
  /** As it was written, with its values in it. */
  readonly shown: string;
}

/**
 * The language of Browser's `target`. It is parsed as it is written: a value in it is a part of what an element is called, never of a
 * selector, unless it is a word that can't be anything but a name there.
 */
export const targetText: InputLanguage = {
  name: "target",
  compile(text, vars) {
    const parsed = parseTemplate(text, vars);
    if (!parsed.ok) return err(parsed.error.problems.map((problem) => ({ ...problem, level: "error" })));
    return compileTarget(text, parsed.value);
  },
};

function compileTarget(text: string, template: Template): Result<CompiledInput, readonly InputProblem[]> {
  const { parts } = template;
  const written = parts.filter((part) => typeof part === "string").join("");
  if (written.trim() === "" && parts.length > 0) return err([refuseValueAlone(text)]);
  const mark = unusedCharacter(written);
  const target = parseTarget(parts.map((part) => (typeof part === "string" ? part : mark)).join(""));
  if (!target.ok) {
    const { message, fix } = target.error;
    const shown = message.replaceAll(mark, "${...}");
    return err([{ code: "bad-target", level: "error", message: shown, ...(fix === undefined ? {} : { fix }) }]);
  }
  const unknown = target.value.by === "role" && !target.value.role.includes(mark) ? checkRole(target.value.role) : [];
  return unknown.length > 0 ? err(unknown) : ok(new TargetInput(text, template, target.value, mark));
}

class TargetInput implements CompiledInput {
  readonly expressions: CompiledInput["expressions"];
  readonly notes: CompiledInput["notes"] = [];
  readonly #text: string;
  readonly #template: Template;
  readonly #target: BrowserTargetKind;
  readonly #mark: string;

  constructor(text: string, template: Template, target: BrowserTargetKind, mark: string) {
    this.#text = text;
    this.#template = template;
    this.#target = target;
    this.#mark = mark;
    this.expressions = template.parts.filter((part) => typeof part !== "string");
  }

  resolve(scope: Scope): Result<{ shown: string; compiled: ReadyTarget }, { message: string }> {
    const values: string[] = [];
    for (const { expression, start, end } of this.expressions) {
      const value = evaluate(expression, scope);
      if (!value.ok) return err({ message: `${this.#text.slice(start, end)}: ${value.error.message}` });
      values.push(formatValue(value.value));
    }
    const target = fill(this.#target, this.#mark, [...values]);
    if (!target.ok) return target;
    const left = [...values];
    const shown = this.#template.parts.map((part) => (typeof part === "string" ? part : left.shift())).join("");
    return ok({ shown, compiled: { target: target.value, shown } });
  }

  show(textOf: (expression: Expression) => string | undefined): string {
    return showTemplate(this.#template, this.#text, textOf);
  }
}

/** The target with the values, in their order, in place of the marks. */
function fill(
  target: BrowserTargetKind,
  mark: string,
  values: string[],
): Result<BrowserTargetKind, { message: string }> {
  const place = (text: string): string => text.replaceAll(mark, () => values.shift() ?? "");
  const count = target.by === "css" || target.by === "role" ? sourceOf(target).split(mark).length - 1 : 0;
  const bad = values.slice(0, count).find((value) => !word.test(value));
  if (bad !== undefined) {
    const message = `the target takes a value as a part of a selector, and '${bad.slice(0, 50)}' is more than letters, digits, _ and -. Name the element by \`text=\`, \`label=\` or \`role=...[name=...]\`, where a value can be anything`;
    return err({ message });
  }
  if (target.by === "css") return ok({ by: "css", selector: place(target.selector) });
  if (target.by === "role") {
    const role = place(target.role);
    const { name } = target;
    return ok({ by: "role", role, ...(name === undefined ? {} : { name: { ...name, text: place(name.text) } }) });
  }
  return ok({ by: target.by, text: { ...target.text, text: place(target.text.text) } });
}

/** Can't be anything but a part of a name, wherever it stands in a selector. */
const word = /^[\w-]+$/;

function sourceOf(target: Extract<BrowserTargetKind, { by: "css" | "role" }>): string {
  return target.by === "css" ? target.selector : target.role;
}

function checkRole(role: string): InputProblem[] {
  if (ariaRoles.has(role)) return [];
  const meant = didYouMean(role, ariaRoles);
  const fix = meant === undefined ? "Use a role of ARIA, such as button, link, textbox or heading." : meant;
  return [{ code: "bad-target", level: "error", message: `no element has the role '${role}'.`, fix }];
}

function refuseValueAlone(text: string): InputProblem {
  return {
    code: "value-as-target",
    level: "error",
    message: "a value can't be the whole target: it would be read as a selector.",
    fix: "Say what the value is: `text=${...}`, `label=${...}` or `role=button[name=${...}]`.",
    start: 0,
    end: text.length,
  };
}

const firstPrivateCharacter = 0xe000;

function unusedCharacter(text: string): string {
  let code = firstPrivateCharacter;
  while (text.includes(String.fromCharCode(code))) code++;
  return String.fromCharCode(code);
}
