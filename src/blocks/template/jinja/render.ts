import type { FilterUse, ForStatement, MacroStatement, Statement, Target } from "./ast.ts";
import { areEqual } from "./compare-data.ts";
import { type Arguments, Callable, type Data, fail, fromOutside, Namespace, orElse, Tuple, Undefined } from "./data.ts";
import { Evaluator } from "./evaluate.ts";
import { createGlobals } from "./globals.ts";
import { Limits } from "./limits.ts";
import { Scope } from "./scope.ts";

/** Where the text of a template, a macro or a block goes. */
interface Output {
  readonly pieces: string[];
  length: number;
}

type Left = "break" | "continue" | undefined;

/** Performs the statements of one template. */
export class Renderer {
  readonly #evaluator: Evaluator;

  constructor(strict: boolean, usedMemory: () => number = () => 0) {
    this.#evaluator = new Evaluator(strict, new Limits(usedMemory));
  }

  get line(): number {
    return this.#evaluator.line;
  }

  render(body: readonly Statement[], variables: object): string {
    const globals = new Scope(createGlobals(this.#evaluator));
    const given = fromOutside(variables) as Map<string, Data>;
    return this.#capture(body, globals.inner(given).inner());
  }

  #capture(body: readonly Statement[], scope: Scope): string {
    const output: Output = { pieces: [], length: 0 };
    this.#performAll(body, scope, output);
    return output.pieces.join("");
  }

  #performAll(body: readonly Statement[], scope: Scope, output: Output): Left {
    for (const statement of body) {
      const left = this.#perform(statement, scope, output);
      if (left !== undefined) return left;
    }
    return undefined;
  }

  #perform(statement: Statement, scope: Scope, output: Output): Left {
    const evaluator = this.#evaluator;
    evaluator.limits.step();
    if ("line" in statement) evaluator.line = statement.line;
    switch (statement.kind) {
      case "text":
        this.#write(statement.text, output);
        return undefined;
      case "print":
        this.#write(evaluator.text(evaluator.evaluate(statement.value, scope)), output);
        return undefined;
      case "if":
        for (const { test, body } of statement.branches) {
          if (evaluator.isTrue(evaluator.evaluate(test, scope))) return this.#performAll(body, scope, output);
        }
        return this.#performAll(statement.otherwise, scope, output);
      case "for":
        this.#loop(statement, evaluator.evaluate(statement.items, scope), scope, output, 0);
        return undefined;
      case "set":
        this.#assign(statement.target, evaluator.evaluate(statement.value, scope), scope);
        return undefined;
      case "set-block":
        this.#assign(statement.target, this.#filtered(statement, scope), scope);
        return undefined;
      case "filter":
        this.#write(evaluator.text(this.#filtered(statement, scope)), output);
        return undefined;
      case "macro":
        scope.set(statement.name, this.#makeMacro(statement, scope));
        return undefined;
      case "call": {
        const caller = this.#makeMacro(statement.macro, scope);
        if (statement.value.kind !== "call") return fail("'call' needs the call of a macro");
        this.#write(evaluator.text(evaluator.call(statement.value, scope, [["caller", caller]])), output);
        return undefined;
      }
      case "with": {
        const inner = scope.inner();
        for (const [target, value] of statement.names) this.#assign(target, evaluator.evaluate(value, scope), inner);
        return this.#performAll(statement.body, inner, output);
      }
      case "do":
        evaluator.evaluate(statement.value, scope);
        return undefined;
      case "leave":
        return statement.how;
    }
  }

  #write(text: string, output: Output): void {
    output.length += text.length;
    this.#evaluator.limits.text(text.length);
    this.#evaluator.limits.fits(output.length);
    output.pieces.push(text);
  }

  #filtered({ filters, body }: { filters: readonly FilterUse[]; body: readonly Statement[] }, scope: Scope): Data {
    let value: Data = this.#capture(body, scope.inner());
    for (const { name, args } of filters)
      value = this.#evaluator.filter(name, value, this.#evaluator.arguments(args, scope));
    return value;
  }

  #assign(target: Target, value: Data, scope: Scope): void {
    if (target.kind === "name") scope.set(target.name, value);
    else if (target.kind === "attribute") {
      const owner = scope.get(target.name);
      if (!(owner instanceof Namespace))
        return fail(`'${target.name}' is no namespace: only there an attribute can be set`);
      owner.values.set(target.attribute, value);
    } else {
      const items = this.#evaluator.items(value);
      const { length } = target.targets;
      if (items.length !== length) return fail(`${length} names are given ${items.length} values`);
      for (const [index, one] of target.targets.entries()) this.#assign(one, items[index] as Data, scope);
    }
  }

  #loop(statement: ForStatement, value: Data, scope: Scope, output: Output, depth: number): void {
    const evaluator = this.#evaluator;
    let items = evaluator.items(value);
    const { condition, target, body } = statement;
    if (condition !== undefined) {
      items = items.filter((item) => {
        const inner = scope.inner();
        this.#assign(target, item, inner);
        return evaluator.isTrue(evaluator.evaluate(condition, inner));
      });
    }
    if (items.length === 0) {
      this.#performAll(statement.otherwise, scope.inner(), output);
      return;
    }
    const again = (args: Arguments): Data => {
      if (!statement.recursive) return fail("the loop is not recursive: write 'recursive' in its 'for'");
      const nested: Output = { pieces: [], length: 0 };
      this.#loop(statement, args.positional[0] ?? null, scope, nested, depth + 1);
      return nested.pieces.join("");
    };
    const progress = new LoopProgress(items, depth);
    const loop = new Callable("loop", again, progress);
    for (; progress.index < items.length; progress.index++) {
      evaluator.limits.step();
      const inner = scope.inner(new Map([["loop", loop]]));
      this.#assign(target, items[progress.index] as Data, inner);
      if (this.#performAll(body, inner, output) === "break") return;
    }
  }

  #makeMacro({ name, parameters, body }: MacroStatement, scope: Scope): Callable {
    const evaluator = this.#evaluator;
    const takesMore = mentions(body, "varargs");
    const takesNamed = mentions(body, "kwargs");
    return new Callable(name, ({ positional, named }) => {
      const inner = scope.inner();
      const rest = positional.slice(parameters.length);
      const others = new Map([...named].filter(([key]) => parameters.every((parameter) => parameter.name !== key)));
      const caller = others.get("caller");
      others.delete("caller");
      const [unknown] = others.keys();
      if (rest.length > 0 && !takesMore)
        return fail(`the macro '${name}' takes no more than ${parameters.length} arguments`);
      if (unknown !== undefined && !takesNamed) return fail(`the macro '${name}' takes no argument '${unknown}'`);
      for (const [index, { name: parameter, fallback }] of parameters.entries()) {
        const given = orElse(positional[index], () => named.get(parameter));
        const value = orElse(given, () =>
          fallback === undefined ? new Undefined(parameter) : evaluator.evaluate(fallback, inner),
        );
        inner.set(parameter, value);
      }
      inner.set("varargs", new Tuple(rest));
      inner.set("kwargs", new Map(others));
      if (caller !== undefined) inner.set("caller", caller);
      return this.#capture(body, inner);
    });
  }
}

/** Whether a name stands anywhere in there. */
function mentions(tree: unknown, name: string): boolean {
  if (tree === null || typeof tree !== "object") return false;
  if ("kind" in tree && tree.kind === "name" && "name" in tree && tree.name === name) return true;
  return Object.values(tree).some((inner) => mentions(inner, name));
}

/** What `loop` tells of itself; computed when it is asked for. */
class LoopProgress {
  index = 0;
  readonly #items: readonly Data[];
  readonly #depth: number;
  #last: readonly Data[] | undefined;

  constructor(items: readonly Data[], depth: number) {
    this.#items = items;
    this.#depth = depth;
  }

  get(name: string): Data | undefined {
    const { length } = this.#items;
    switch (name) {
      case "index":
        return this.index + 1;
      case "index0":
        return this.index;
      case "revindex":
        return length - this.index;
      case "revindex0":
        return length - this.index - 1;
      case "first":
        return this.index === 0;
      case "last":
        return this.index === length - 1;
      case "length":
        return length;
      case "depth":
        return this.#depth + 1;
      case "depth0":
        return this.#depth;
      case "previtem":
        return orElse(this.#items[this.index - 1], () => new Undefined("loop.previtem"));
      case "nextitem":
        return orElse(this.#items[this.index + 1], () => new Undefined("loop.nextitem"));
      case "cycle":
        return new Callable("cycle", ({ positional }) => {
          return orElse(positional[this.index % positional.length], () =>
            fail("loop.cycle() needs something to go through"),
          );
        });
      case "changed":
        return new Callable("changed", ({ positional }) => this.#hasChanged(positional));
      default:
        return undefined;
    }
  }

  #hasChanged(values: readonly Data[]): boolean {
    const isSame = this.#last !== undefined && areEqual([...this.#last], [...values]);
    this.#last = values;
    return !isSame;
  }
}
