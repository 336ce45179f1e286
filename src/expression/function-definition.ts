import type { Span } from "./ast.ts";
import type { Budget } from "./budget.ts";
import type { Value, ValueType } from "./value.ts";

export type AcceptedTypes = "any" | readonly ValueType[];

interface Parameter {
  readonly name: string;
  readonly accepts: AcceptedTypes;
  readonly optional?: boolean;
}

/** One function of the language. Arguments are checked against the parameters before `call` sees them. */
export interface FunctionDefinition {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly minimum: number;
  readonly maximum: number;
  readonly returns: "any" | ValueType;
  /** One line, for documentation and messages. */
  readonly doc: string;
  readonly call: Implementation;
}

export type Implementation = (args: readonly Value[], call: Call) => Value;

/** Where the call stands and what it may cost. */
export interface Call extends Span {
  readonly budget: Budget;
}

export const text: AcceptedTypes = ["string"];
export const number: AcceptedTypes = ["number"];
export const list: AcceptedTypes = ["list"];
export const map: AcceptedTypes = ["map"];

export function defineFunction(
  name: string,
  parameters: Readonly<Record<string, AcceptedTypes>>,
  returns: "any" | ValueType,
  doc: string,
  call: Implementation,
): FunctionDefinition {
  const described = Object.entries(parameters).map(([key, accepts]): Parameter => {
    return key.endsWith("?") ? { name: key.slice(0, -1), accepts, optional: true } : { name: key, accepts };
  });
  const minimum = described.filter((parameter) => parameter.optional !== true).length;
  return { name, parameters: described, minimum, maximum: described.length, returns, doc, call };
}

const typeNames: Readonly<Record<ValueType, string>> = {
  null: "null",
  boolean: "true or false",
  number: "a number",
  string: "text",
  list: "a list",
  map: "a map",
};

/** The accepted types in words: `text or a list`. */
export function nameTypes(types: readonly ValueType[]): string {
  return types.map((type) => typeNames[type]).join(" or ");
}
