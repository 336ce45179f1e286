import type { CompiledInput, InputLanguage, WrittenFile } from "../../block/define-block.ts";
import type { Scope } from "../../expression/ast.ts";
import { evaluate } from "../../expression/evaluate.ts";
import { formatValue } from "../../expression/format-value.ts";
import type { Value } from "../../expression/value.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { assembleScript, checkableScript } from "./assemble-script.ts";
import type { CommandProblem } from "./command-problem.ts";
import { compileCommand } from "./compile-command.ts";
import type { CompiledCommand } from "./compiled-command.ts";
import { runsWhenCalculated } from "./evaluable-text.ts";
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

/** The language of Shell's `command`: shell text in which our references are values, never source. */
export const shellCommand: InputLanguage = {
  name: "shell",
  compile(text) {
    const compiled = compileCommand(text);
    if (!compiled.ok) return compiled;
    return ok(new ShellInput(text, compiled.value));
  },
};

export class ShellInput implements CompiledInput {
  readonly expressions: CompiledInput["expressions"];
  readonly notes: CompiledInput["notes"];
  readonly #text: string;
  readonly #command: CompiledCommand;

  constructor(text: string, command: CompiledCommand) {
    this.#text = text;
    this.#command = command;
    this.expressions = command.values.map(({ expression, span }) => ({ expression, ...span }));
    this.notes = command.notes;
  }

  get pasted(): readonly { readonly start: number; readonly end: number }[] {
    return this.#command.values.flatMap(({ use, span }) => (use === "raw" ? [span] : []));
  }

  /** Why no shell can read it. */
  get syntax(): CommandProblem | undefined {
    return this.#command.syntax;
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
    const assembled = assembleScript(this.#command, values);
    if (!assembled.ok) {
      const { start, end, message } = assembled.error;
      return err({ message: `${this.#text.slice(start, end)}: ${message}` });
    }
    return ok({
      shown: this.#show(values),
      compiled: {
        ...assembled.value,
        construct: this.#command.construct,
        evaluable: this.#findEvaluable(values),
        words: () => splitWords(this.#text, (source) => this.#valueOf(source, values)),
      },
    });
  }

  #findEvaluable(values: readonly Value[]): string | undefined {
    const found = this.#command.values.find(
      ({ use }, at) => use === "text" && runsWhenCalculated(formatValue(values[at] ?? null)),
    );
    return found === undefined ? undefined : this.#text.slice(found.span.start, found.span.end);
  }

  #show(values: readonly Value[]): string {
    let shown = "";
    let at = 0;
    for (const segment of this.#command.segments) {
      if (typeof segment === "string") continue;
      shown += this.#text.slice(at, segment.start) + formatValue(values[segment.value] ?? null);
      at = segment.end;
    }
    return shown + this.#text.slice(at);
  }

  #valueOf(start: number, values: readonly Value[]): Value | undefined {
    const slot = this.#command.segments.find((segment) => typeof segment !== "string" && segment.start === start);
    return slot === undefined || typeof slot === "string" ? undefined : values[slot.value];
  }
}
