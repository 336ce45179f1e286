import type { Span } from "../../expression/ast.ts";
import { problemsOf } from "../../expression/parse-template.ts";
import type { CommandProblem, Refusal } from "./command-problem.ts";
import type { CommandValue, SlotContext, ValueUse } from "./compiled-command.ts";
import { explainTemplate } from "./explain-foreign-syntax.ts";
import type { Reference } from "./find-references.ts";
import { insideBackticks, ofEveryValue } from "./refusals.ts";
import { type Piece, type PlacedSlot, withoutMarks } from "./shell-syntax.ts";
import { escapeAnsiQuoted, escapeBody, escapeDoubleQuoted, escapeSingleQuoted } from "./spelling.ts";

/** What a value must be to stand somewhere: any text, an integer, or nothing at all. */
export type Demand = "text" | "integer" | Refusal;

/** Something else that stands in the script than in the author's text. */
export interface Edit extends Span {
  readonly replacement: string | PlacedSlot;
}

const mostProblems = 50;

/**
 * Puts a slot where each reference stands. All else is copied as it stands, except for what is edited explicitly; so a mistake
 * can misjudge how a value is spelled, but never change the author's text.
 */
export class PlacedValues {
  readonly text: string;
  readonly values: CommandValue[] = [];
  readonly slots: PlacedSlot[] = [];
  readonly edits: Edit[] = [];
  readonly problems: CommandProblem[] = [];
  /** Values where only some may stand. */
  readonly demands: { readonly slot: PlacedSlot; readonly refusal: Refusal }[] = [];
  private readonly references: readonly Reference[];
  private readonly byStart = new Map<number, Reference>();
  private readonly seen = new Set<Reference>();
  private readonly indexes = new Map<string, number>();

  constructor(text: string, references: readonly Reference[]) {
    this.text = text;
    this.references = references;
    for (const reference of references) this.byStart.set(reference.start, reference);
  }

  /** The reference that starts exactly there. */
  at(start: number): Reference | undefined {
    return this.byStart.get(start);
  }

  within({ start, end }: Span): readonly Reference[] {
    const found: Reference[] = [];
    for (let index = this.firstFrom(start); index < this.references.length; index += 1) {
      const reference = this.references[index];
      if (reference === undefined || reference.start >= end) break;
      found.push(reference);
    }
    return found;
  }

  private firstFrom(start: number): number {
    let [low, high] = [0, this.references.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.references[middle]?.start ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  place(reference: Reference, context: SlotContext, demand: Demand): Piece {
    this.seen.add(reference);
    const { start, end, parsed } = reference;
    if (!parsed.ok) {
      for (const problem of problemsOf(parsed.error)) this.report({ level: "error", ...problem });
      return { kind: "unknown" };
    }
    if (reference.escaped) {
      const literal = this.text.slice(start + 1, end);
      this.edit({ start, end }, literalIn(context, literal));
      return { kind: "text", text: withoutMarks(literal) };
    }
    const { expression, filter } = parsed.value;
    if (filter === "raw") {
      this.putSlot(this.indexOf(expression, "raw", { start, end }), context, { start, end });
      return { kind: "unknown" };
    }
    // An integer is harmless wherever it ends up, so the checks of commands don't get to see it.
    if (demand === "integer") {
      this.putSlot(this.indexOf(expression, "integer", { start, end }), "arithmetic", { start, end });
      return { kind: "unknown" };
    }
    const slot = this.putSlot(this.indexOf(expression, "text", { start, end }), context, { start, end });
    this.slots.push(slot);
    if (typeof demand === "object") this.demands.push({ slot, refusal: demand });
    return { kind: "value", slot };
  }

  /** For text that no shell reads: every reference in it is a value. */
  placeRest(): void {
    for (const reference of this.references) if (!this.seen.has(reference)) this.place(reference, "bare", "text");
  }

  /** Refuses what stands in a part of the text that is not looked at any closer. */
  refuseWithin(range: Span, refusal: Refusal): void {
    const isReadable = refusal === insideBackticks && !/['\\]/.test(this.text.slice(range.start, range.end));
    const demand = isReadable ? refusal : ofEveryValue(refusal);
    for (const reference of this.within(range)) {
      if (!this.seen.has(reference) && !this.isQuotedAway(reference)) this.place(reference, "arithmetic", demand);
    }
  }

  /** `\${inputs.v}`, where a backslash quotes. */
  private isQuotedAway({ start }: Reference): boolean {
    let at = start;
    while (this.text.charAt(at - 1) === "\\") at -= 1;
    return (start - at) % 2 === 1;
  }

  edit(range: Span, replacement: string): void {
    this.edits.push({ ...range, replacement });
  }

  /** Says so where text looks like a reference of another tool's. */
  noteTemplates({ pos, end }: { readonly pos: number; readonly end: number }, literal: boolean): void {
    const written = this.text.slice(pos, end);
    for (let at = written.indexOf("{{"); at !== -1; at = written.indexOf("{{", at + 1))
      this.report(explainTemplate(this.text, pos + at, literal));
  }

  report(problem: CommandProblem | undefined): void {
    if (problem === undefined || this.problems.length > mostProblems) return;
    if (this.problems.length < mostProblems) this.problems.push(problem);
    else if (problem.level === "error")
      this.problems.push({ ...problem, code: "too-many-problems", message: "There are more problems." });
  }

  private putSlot(value: number, context: SlotContext, range: Span): PlacedSlot {
    const slot: PlacedSlot = { value, context, ...range };
    this.edits.push({ ...range, replacement: slot });
    return slot;
  }

  private indexOf(expression: CommandValue["expression"], use: ValueUse, span: Span): number {
    const key = `${use} ${this.text.slice(span.start, span.end)}`;
    const known = this.indexes.get(key);
    if (known !== undefined) return known;
    this.values.push({ expression, use, span });
    this.indexes.set(key, this.values.length - 1);
    return this.values.length - 1;
  }

  /** The script in segments, with a slot for each value. */
  segments(): (string | PlacedSlot)[] {
    const segments: (string | PlacedSlot)[] = [];
    let copied = 0;
    for (const { start, end, replacement } of this.edits.toSorted((a, b) => a.start - b.start)) {
      if (start > copied) segments.push(this.text.slice(copied, start));
      segments.push(replacement);
      copied = end;
    }
    if (copied < this.text.length) segments.push(this.text.slice(copied));
    return segments;
  }
}

/** How a literal text is written where a reference stood. */
function literalIn(context: SlotContext, literal: string): string {
  switch (context) {
    case "words":
    case "bare":
      return `'${escapeSingleQuoted(literal)}'`;
    case "single-quoted":
      return escapeSingleQuoted(literal);
    case "ansi-quoted":
      return escapeAnsiQuoted(literal);
    case "double-quoted":
    case "arithmetic":
      return escapeDoubleQuoted(literal);
    case "here-document":
    case "escaped-here-document":
      return escapeBody(literal);
    case "literal-here-document":
      return literal;
  }
}
