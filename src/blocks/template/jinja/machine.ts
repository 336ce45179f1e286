import { type Arguments, type Data, fail, isFloat, isNumber, orElse, toNumber } from "./data.ts";
import type { Limits } from "./limits.ts";

/** What filters, tests and methods may use of the template that calls them. */
export interface Machine {
  readonly limits: Limits;
  readonly strict: boolean;
  /** A value as text. */
  text(value: Data): string;
  /** What a loop would go through. */
  items(value: Data): readonly Data[];
  isTrue(value: Data): boolean;
  filter(name: string, value: Data, args: Arguments): Data;
  test(name: string, value: Data, args: Arguments): boolean;
}

export type Operation = (machine: Machine, value: Data, args: Arguments) => Data;

/** An operation whose arguments have names, in their order; an absent one is undefined. */
export function taking(
  names: readonly string[],
  perform: (machine: Machine, value: Data, ...args: (Data | undefined)[]) => Data,
): Operation {
  return (machine, value, args) => perform(machine, value, ...bind(names, args));
}

export function bind(names: readonly string[], { positional, named }: Arguments): (Data | undefined)[] {
  if (positional.length > names.length) fail(`it is given ${positional.length} arguments, and takes ${names.length}`);
  for (const name of named.keys()) {
    if (!names.includes(name))
      fail(`it takes no argument '${name}'${names.length === 0 ? "" : `, but ${names.join(", ")}`}`);
  }
  return names.map((name, index) => orElse(positional[index], () => named.get(name)));
}

export function integer(value: Data | undefined, otherwise: number): number {
  if (value === undefined || value === null) return otherwise;
  if (isNumber(value) && !isFloat(value)) return toNumber(value);
  return fail("an argument must be a whole number");
}
