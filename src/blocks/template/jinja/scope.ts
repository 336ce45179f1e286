import type { Data } from "./data.ts";

/** Names and what they stand for here; what is not found is looked for around it. */
export class Scope {
  readonly #names: Map<string, Data>;
  readonly #around: Scope | undefined;

  constructor(names: Map<string, Data>, around?: Scope) {
    this.#names = names;
    this.#around = around;
  }

  get(name: string): Data | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#around) {
      const value = scope.#names.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  set(name: string, value: Data): void {
    this.#names.set(name, value);
  }

  inner(names: Map<string, Data> = new Map()): Scope {
    return new Scope(names, this);
  }
}
