import type { CompiledInput, InputLanguage, InputProblem } from "../../block/define-block.ts";
import type { EmbeddedExpression, Expression, Scope, Template } from "../../expression/ast.ts";
import { evaluate } from "../../expression/evaluate.ts";
import { formatValue } from "../../expression/format-value.ts";
import { parseTemplate } from "../../expression/parse-template.ts";
import { showTemplate } from "../../expression/show-template.ts";
import type { Value, ValueMap } from "../../expression/value.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { type Segment, scanTemplate } from "./scan-template.ts";

/** A template whose values are known: they are variables of it, so that nothing in them is ever read as a template. */
export interface ReadyTemplate {
  readonly source: string;
  readonly values: ValueMap;
}

/** The language of RenderTemplate's `template`: a Jinja template in which our references are values, never a part of it. */
export const templateText: InputLanguage = {
  name: "jinja",
  compile(text) {
    const parsed = parseTemplate(text);
    if (!parsed.ok) return err(parsed.error.problems.map((problem) => ({ ...problem, level: "error" })));
    const compiled = new TemplateInput(text, parsed.value);
    return compiled.problems.length > 0 ? err(compiled.problems) : ok(compiled);
  },
};

export class TemplateInput implements CompiledInput {
  readonly expressions: CompiledInput["expressions"];
  readonly notes: CompiledInput["notes"] = [];
  readonly problems: readonly InputProblem[];
  /** Whether there is nothing but one reference, so that its value would have to be the template. */
  readonly isValue: boolean;
  /** The template with a variable in place of each reference. */
  readonly source: string;
  readonly #text: string;
  readonly #template: Template;
  readonly #slots: readonly Slot[];

  constructor(text: string, template: Template) {
    const embedded = template.parts.filter((part) => typeof part !== "string");
    const { source, slots } = placeVariables(template, embedded.length);
    this.#text = text;
    this.#template = template;
    this.#slots = slots;
    this.source = source;
    this.expressions = embedded;
    this.isValue = embedded.length === 1 && template.parts.every((part) => typeof part !== "string" || !part.trim());
    this.problems = embedded.filter((_, index) => slots[index]?.context === "string").map(refuseInString);
  }

  resolve(scope: Scope): Result<{ shown: string; compiled: ReadyTemplate }, { message: string }> {
    const values: Record<string, Value> = Object.create(null);
    let shown = "";
    let index = 0;
    for (const part of this.#template.parts) {
      if (typeof part === "string") {
        shown += part;
        continue;
      }
      const value = evaluate(part.expression, scope);
      if (!value.ok) return err({ message: `${this.#text.slice(part.start, part.end)}: ${value.error.message}` });
      const { name, context } = this.#slots[index++] as Slot;
      const formatted = formatValue(value.value);
      values[name] = context === "tag" ? value.value : formatted;
      shown += formatted;
    }
    return ok({ shown, compiled: this.isValue ? { source: shown, values: {} } : { source: this.source, values } });
  }

  show(textOf: (expression: Expression) => string | undefined): string {
    return showTemplate(this.#template, this.#text, textOf);
  }
}

/** Where a reference stands: in the text around the tags, in a tag, or in a string there. */
interface Slot {
  readonly name: string;
  readonly context: "text" | "tag" | "string";
}

function placeVariables(template: Template, count: number): { source: string; slots: Slot[] } {
  const written = template.parts.filter((part) => typeof part === "string").join("");
  const mark = unusedCharacter(written);
  const prefix = unusedName(written);
  const marked = template.parts.map((part) => (typeof part === "string" ? part : mark)).join("");
  const slots: Slot[] = [];
  const place = (segment: Segment, brace: string, at: number): string => {
    const name = `${prefix}${slots.length + 1}`;
    const context = contextOf(segment, at);
    slots.push({ name, context });
    if (segment.kind === "tag") return `${brace} ${name} `;
    if (segment.kind === "raw") return `${brace}{% endraw %}{{ ${name} }}{% raw %}`;
    // A brace before it would become a part of the mark that opens the tag.
    return brace === "" ? `{{ ${name} }}` : `{{ "${brace}" ~ ${name} }}`;
  };
  const slot = new RegExp(`(\\{?)${mark}`, "g");
  let source = "";
  for (const segment of count === 0 ? [] : scanTemplate(marked)) {
    const text = marked.slice(segment.start, segment.end);
    source += text.replaceAll(slot, (_, brace: string, at: number) => place(segment, brace, segment.start + at));
  }
  return { source: count === 0 ? written : source, slots };
}

function contextOf(segment: Segment, at: number): Slot["context"] {
  if (segment.kind !== "tag") return "text";
  const isInString = segment.tokens.some(({ kind, start, end }) => kind === "string" && start < at && at < end);
  return isInString ? "string" : "tag";
}

const firstPrivateCharacter = 0xe000;

function unusedCharacter(text: string): string {
  let code = firstPrivateCharacter;
  while (text.includes(String.fromCharCode(code))) code++;
  return String.fromCharCode(code);
}

function unusedName(text: string): string {
  let name = "frond_value_";
  while (text.includes(name)) name = `_${name}`;
  return name;
}

function refuseInString({ start, end }: EmbeddedExpression): InputProblem {
  return {
    code: "value-in-template-string",
    level: "error",
    message: "a ${...} inside a quoted text of a template tag would have to become a part of the template.",
    fix: "Put it outside of the quotes, as in {{ 'a ' ~ ${inputs.name} }}, or give it as one of the `variables`.",
    start,
    end,
  };
}
