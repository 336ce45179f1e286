import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Expression, PathNode } from "./ast.ts";
import { describeValue, quoteText } from "./format-value.ts";
import { nameTypes } from "./function-definition.ts";
import type { StaticType, TypeProblem } from "./infer-type.ts";
import { isWholeExpression } from "./parse-template.ts";
import { writePath } from "./read-path.ts";
import { staticPath } from "./references.ts";
import type { ValueType } from "./value.ts";

/** The only texts a path can lead to, and what to write instead of another one, if the caller knows that. */
export interface KnownTexts {
  readonly texts: readonly string[];
  instead?(text: string): string | undefined;
}

/** What is known of the two sides of a comparison. */
export interface Knowledge {
  typeOf(node: Expression): StaticType;
  textsOf(path: PathNode): KnownTexts | undefined;
}

/** `in` compares with each item of its list. */
export type Equality = "==" | "!=" | "in" | "not in";

/** A comparison that comes out the same whatever the values are: plain at run time, and hardly ever meant. */
export function neverEqual(
  operator: Equality,
  left: Expression,
  right: Expression,
  known: Knowledge,
): TypeProblem | undefined {
  const told = differentTypes(left, right, known) ?? impossibleText(left, right, known);
  if (told === undefined) return undefined;
  const { start, end } = operator === "in" || operator === "not in" ? right : { start: left.start, end: right.end };
  const message = `${told.message}, so ${consequences[operator]}.`;
  return { level: "warning", code: "never-equal", message, fix: told.fix, start, end };
}

const consequences: Readonly<Record<Equality, string>> = {
  "==": "this is always false",
  "!=": "this is always true",
  in: "this item never matches",
  "not in": "this item never matches",
};

interface Told {
  readonly message: string;
  readonly fix: string;
}

/** A null is never told: what is inside a workflow that did not run is null, whatever its type. */
function differentTypes(left: Expression, right: Expression, known: Knowledge): Told | undefined {
  const one = known.typeOf(left);
  const other = known.typeOf(right);
  if (one === other || one === "any" || other === "any" || one === "null" || other === "null") return undefined;
  const literalFirst = left.kind === "literal" && right.kind !== "literal";
  const [value, literal] = literalFirst ? [right, left] : [left, right];
  const [valueType, literalType] = literalFirst ? [other, one] : [one, other];
  const compared = literal.kind === "literal" ? describeValue(literal.value) : nameTypes([literalType]);
  return {
    message: `${capitalised(nameTypes([valueType]))} is never equal to ${compared}`,
    fix: adviseOnTypes(value, valueType, literal, literalType),
  };
}

function adviseOnTypes(value: Expression, type: ValueType, other: Expression, otherType: ValueType): string {
  const written = other.kind === "literal" ? other.value : undefined;
  const shown = value.kind === "path" ? pathText(value) : "...";
  if (typeof written === "string") {
    const bare = type === "number" ? /^-?\d+(\.\d+)?$/ : /^(true|false)$/i;
    if (type === "boolean" && bare.test(written)) {
      return `Write ${written.toLowerCase()} without the quotes, or use ${shown} alone.`;
    }
    if (type === "number" && bare.test(written)) return `Drop the quotes: ${written}.`;
  }
  if (type === "string" && (typeof written === "number" || typeof written === "boolean")) {
    const convert = typeof written === "boolean" ? "bool" : Number.isInteger(written) ? "int" : "float";
    return `Quote it: '${written}'. Or convert the text: ${convert}(${shown}).`;
  }
  if (type === "list" && (otherType === "string" || otherType === "number")) return `Use in: x in ${shown}.`;
  if (type === "boolean") return `Use ${shown} alone, or compare it with true or false.`;
  return `Compare it with ${nameTypes([type])}, or convert one of them: string(...), int(...), float(...), bool(...).`;
}

function impossibleText(left: Expression, right: Expression, known: Knowledge): Told | undefined {
  const [value, literal] = left.kind === "literal" ? [right, left] : [left, right];
  const path = wholePath(value);
  if (path === undefined || literal.kind !== "literal" || typeof literal.value !== "string") return undefined;
  const possible = known.textsOf(path);
  if (possible === undefined || possible.texts.includes(literal.value)) return undefined;
  const instead = possible.instead?.(literal.value);
  const fix =
    instead === undefined
      ? suggestName(literal.value, possible.texts, "value")
      : `Write ${instead}; ${pathText(path)} is one of ${possible.texts.join(", ")}.`;
  return { message: `${pathText(path)} is never ${quoteText(literal.value)}`, fix };
}

/** `${path}` in quotes is the text of the same value. */
function wholePath(node: Expression): PathNode | undefined {
  if (node.kind === "path") return node;
  if (node.kind !== "text" || !isWholeExpression(node.template)) return undefined;
  const [part] = node.template.parts;
  return typeof part === "object" && part.expression.kind === "path" ? part.expression : undefined;
}

function pathText(path: PathNode): string {
  const { root, keys, complete } = staticPath(path);
  return `${writePath(root, keys)}${complete ? "" : "[...]"}`;
}

function capitalised(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
