import type { CompiledInput, InputLanguage, KnownValues, WrittenFile } from "../../block/define-block.ts";
import type { Expression, Scope } from "../../expression/ast.ts";
import { evaluate } from "../../expression/evaluate.ts";
import { formatValue } from "../../expression/format-value.ts";
import { holdsOf, type Proof, proveValue } from "../../expression/proof.ts";
import type { Value } from "../../expression/value.ts";
import type { Vars } from "../../expression/vars.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { assembleScript, checkableScript } from "./assemble-script.ts";
import type { CommandProblem } from "./command-problem.ts";
import { type JudgedCommand, judgeCommand, nothingKnown } from "./compile-command.ts";
import type { CompiledCommand } from "./compiled-command.ts";
import { runsWhenCalculated } from "./evaluable-text.ts";
import type { SuspectVariable } from "./explain-foreign-syntax.ts";
import { splitWords } from "./split-words.ts";

/** What a command becomes once its values are known. */
export interface ReadyCommand {
  readonly script: string;
  /** Assigns the script's variables; empty when it has none. */
  readonly prelude: string;
  /** The first construct in the script that evaluates contents. */
  readonly construct: string | undefined;
  /** The reference of a value that it could make bash run. */
  readonly evaluable: string | undefined;
  /** The command as words, for running it without a shell. */
  words(): Result<readonly string[], string>;
}

const mostVerdicts = 100;

/** The language of Shell's `command`: shell text in which our references are values, never source. */
export const shellCommand: InputLanguage = {
  name: "shell",
  hasOwnBraces: true,
  compile(text, vars) {
    const judged = judgeCommand(text, {}, nothingKnown, vars);
    if (!judged.ok) return judged;
    // What can be wrong with values is told once it is known what is declared of them.
    const { fixed } = judged.value;
    return fixed.some(({ level }) => level === "error") ? err(fixed) : ok(new ShellInput(text, judged.value, vars));
  },
};

export class ShellInput implements CompiledInput {
  readonly expressions: CompiledInput["expressions"];
  readonly notes: CompiledInput["notes"];
  /** What the names in it stand for. */
  readonly vars: Vars | undefined;
  readonly #text: string;
  readonly #command: CompiledCommand;
  /** What is wrong with it as long as nothing is known of its values. */
  readonly #problems: readonly CommandProblem[];
  /** What was proved of its values before the run, where something is accepted only because of that. */
  #proved: readonly (Proof | undefined)[] = [];
  /** Why it is refused whatever its values are: only a run that was stored before gets as far as running it. */
  #refused: string | undefined;
  /** What was found wrong with values of which the same is known. */
  readonly #verdicts = new Map<string, string | undefined>();

  constructor(text: string, { command, problems }: JudgedCommand, vars?: Vars) {
    this.vars = vars;
    this.#text = text;
    this.#command = command;
    this.expressions = command.values.map(({ expression, span }) => ({ expression, ...span }));
    this.notes = command.notes;
    this.#problems = problems;
  }

  /** What is wrong with it as far as its values are known. */
  check(known: KnownValues): readonly CommandProblem[] {
    if (this.#problems.length === 0) return [];
    const judged = judgeCommand(this.#text, {}, known, this.vars);
    const problems = judged.ok ? judged.value.problems : judged.error;
    this.#refused = problems.find(({ level }) => level === "error")?.message;
    const relies = problems.length < this.#problems.length;
    this.#proved = relies ? this.#command.values.map(({ expression }) => known.proofOf(expression)) : [];
    return problems;
  }

  get pasted(): readonly { readonly start: number; readonly end: number }[] {
    return this.#command.values.flatMap(({ use, span }) => (use === "raw" ? [span] : []));
  }

  /** Why no shell can read it. */
  get syntax(): CommandProblem | undefined {
    return this.#command.syntax;
  }

  /** Variables that nothing in it sets and that in a loop look like its element. */
  get loopVariables(): readonly SuspectVariable[] {
    return this.#command.loopVariables;
  }

  get hasValues(): boolean {
    return this.#command.values.length > 0;
  }

  /** The references whose values decide what runs. */
  get chosen(): readonly string[] {
    const pasted = this.pasted.map(({ start, end }) => this.#text.slice(start, end));
    return [...this.#command.chosen, ...pasted];
  }

  /** The files that it writes values to. */
  get written(): readonly WrittenFile[] {
    return this.#command.written;
  }

  get text(): string {
    return this.#text;
  }

  /** What `bash -n` can check before any value is known. */
  get checkable(): string {
    return checkableScript(this.#command);
  }

  resolve(scope: Scope): Result<{ shown: string; compiled: ReadyCommand }, { message: string }> {
    const values: Value[] = [];
    for (const { expression, span } of this.#command.values) {
      const value = evaluate(expression, scope);
      if (!value.ok) return err({ message: `${this.#text.slice(span.start, span.end)}: ${value.error.message}` });
      values.push(value.value);
    }
    const refused = this.#refuse(values);
    if (refused !== undefined) return err({ message: refused });
    const assembled = assembleScript(this.#command, values);
    if (!assembled.ok) {
      const { start, end, message } = assembled.error;
      return err({ message: `${this.#text.slice(start, end)}: ${message}` });
    }
    return ok({
      shown: this.#show(values.map(formatValue)),
      compiled: {
        ...assembled.value,
        construct: this.#command.construct,
        evaluable: this.#findEvaluable(values),
        words: () => splitWords(this.#text, (source) => this.#valueOf(source, values), this.vars),
      },
    });
  }

  /** What was proved of values before the run is looked at again when they are there. */
  #refuse(values: readonly Value[]): string | undefined {
    if (this.#refused !== undefined) return this.#refused;
    const proofs = values.map(proveValue);
    const other = this.#proved.findIndex((proof, index) => proof !== undefined && !holdsOf(proof, proofs[index]));
    const at = this.#command.values[other]?.span;
    if (at !== undefined) return `${this.#text.slice(at.start, at.end)}: The value is not what was declared for it.`;
    if (this.#problems.every(({ level }) => level !== "error")) return undefined;
    const key = JSON.stringify(proofs);
    if (!this.#verdicts.has(key)) {
      if (this.#verdicts.size >= mostVerdicts) this.#verdicts.clear();
      this.#verdicts.set(key, this.#judge(proofs));
    }
    return this.#verdicts.get(key);
  }

  #judge(proofs: readonly (Proof | undefined)[]): string | undefined {
    const { values } = this.#command;
    const proofOf = (expression: Expression): Proof | undefined =>
      proofs[
        values.findIndex(({ expression: { start, end } }) => start === expression.start && end === expression.end)
      ];
    const judged = judgeCommand(this.#text, {}, { proofOf, inputOf: () => undefined }, this.vars);
    const problems = judged.ok ? judged.value.problems : judged.error;
    const found = problems.find(({ level }) => level === "error");
    return found === undefined ? undefined : `${found.message} The value is not what was declared for it.`;
  }

  #findEvaluable(values: readonly Value[]): string | undefined {
    const found = this.#command.values.find(
      ({ use }, at) => use === "text" && runsWhenCalculated(formatValue(values[at] ?? null)),
    );
    return found === undefined ? undefined : this.#text.slice(found.span.start, found.span.end);
  }

  show(textOf: (expression: Expression) => string | undefined): string {
    return this.#show(this.#command.values.map(({ expression }) => textOf(expression)));
  }

  #show(texts: readonly (string | undefined)[]): string {
    let shown = "";
    let at = 0;
    for (const segment of this.#command.segments) {
      if (typeof segment === "string") continue;
      const { start, end, value } = segment;
      shown += this.#text.slice(at, start) + (texts[value] ?? this.#text.slice(start, end));
      at = end;
    }
    return shown + this.#text.slice(at);
  }

  #valueOf(start: number, values: readonly Value[]): Value | undefined {
    const slot = this.#command.segments.find((segment) => typeof segment !== "string" && segment.start === start);
    return slot === undefined || typeof slot === "string" ? undefined : values[slot.value];
  }
}
