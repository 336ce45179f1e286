import type { Range } from "../diagnostic/source.ts";
import type { Value } from "./value.ts";

/** Where a node stands in the text it was parsed from. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Of a node that stands for a part of a var: the span is that of `vars.NAME`, the origin is where the part is written. */
export interface NodeSpan extends Span {
  readonly origin?: Origin;
}

export interface Origin extends Span {
  /** The var in whose text it is written. */
  readonly name: string;
  readonly text: { readonly text: string; rangeOf(start: number, end: number): Range };
}

export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";

export type Expression =
  | LiteralNode
  | TextNode
  | ListNode
  | PathNode
  | NotNode
  | NegateNode
  | ArithmeticNode
  | LogicalNode
  | ComparisonNode
  | ConditionalNode
  | CallNode
  | AccessNode;

export interface LiteralNode extends NodeSpan {
  readonly kind: "literal";
  readonly value: null | boolean | number | string;
}

/** A quoted string that holds `${...}`: the text of those values, never their source. */
export interface TextNode extends NodeSpan {
  readonly kind: "text";
  readonly template: Template;
}

export interface ListNode extends NodeSpan {
  readonly kind: "list";
  readonly items: readonly Expression[];
}

/** `inputs.name`, `blocks.a.outputs.items[0]`: a root and the steps down from it. */
export interface PathNode extends NodeSpan {
  readonly kind: "path";
  readonly root: Root;
  readonly steps: readonly Step[];
}

export interface Step extends Span {
  /** A name or index that is known from the text, or an expression that gives one. */
  readonly key: string | number | Expression;
}

/** `from_json(text).version`, `split(line, ',')[0]`: the steps down from what a function gives, or a var that is no path. */
export interface AccessNode extends NodeSpan {
  readonly kind: "access";
  readonly value: Expression;
  readonly steps: readonly Step[];
}

export interface NotNode extends NodeSpan {
  readonly kind: "not";
  readonly operand: Expression;
}

export interface NegateNode extends NodeSpan {
  readonly kind: "negate";
  readonly operand: Expression;
}

export interface ArithmeticNode extends NodeSpan {
  readonly kind: "arithmetic";
  readonly operator: ArithmeticOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface LogicalNode extends NodeSpan {
  readonly kind: "logical";
  readonly operator: "and" | "or";
  readonly left: Expression;
  readonly right: Expression;
}

/** `a < b <= c`: every operand once, joined by the operators between them. */
export interface ComparisonNode extends NodeSpan {
  readonly kind: "comparison";
  readonly operands: readonly Expression[];
  readonly operators: readonly ComparisonOperator[];
}

export interface ConditionalNode extends NodeSpan {
  readonly kind: "conditional";
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

export interface CallNode extends NodeSpan {
  readonly kind: "call";
  readonly name: string;
  readonly arguments: readonly Expression[];
}

export const roots = ["inputs", "metadata", "blocks", "each", "this", "run", "secrets"] as const;
/** `block` is one only where something is undone: see `Vars`. */
export type Root = (typeof roots)[number] | "block";

/** What a path can begin with as it is written; what is read from `vars` is replaced by what it stands for. */
export const writtenRoots: readonly (Root | "vars")[] = [...roots, "vars"];

/** Text with expressions in it, already split. A template of one expression and no text keeps that value's type. */
export interface Template {
  readonly parts: readonly TemplatePart[];
}

export type TemplatePart = string | EmbeddedExpression;

/** `${...}` as it stands in a text; the span includes the `${` and the `}`. */
export interface EmbeddedExpression extends Span {
  readonly expression: Expression;
  /** Set for `${... | raw}`, which only a parse that allows this filter accepts. */
  readonly filter?: "raw";
}

/** What a parse gives when it fails; the span says where in the parsed text. */
export interface SyntaxProblem extends Span {
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

/** All that is wrong with one expression: the first problem, and those beside it that do not follow from it. */
export interface SyntaxFault extends SyntaxProblem {
  readonly others?: readonly SyntaxProblem[];
  /** What could be read of it. It can be checked further, never evaluated. */
  readonly recovered?: Expression;
}

/** Names that are refused wherever they stand in a path, so that nothing internal can ever be reached by a reference. */
export const refusedNames: ReadonlySet<string> = new Set([
  "__internal__",
  "_internal",
  "__proto__",
  "constructor",
  "prototype",
]);

/** The data an expression reads, handed over: the evaluator knows no run, no block and no context. */
export interface Scope {
  read(root: Root, keys: readonly (string | number)[]): Lookup;
}

export type Lookup = { readonly found: true; readonly value: Value } | MissingValue;

export interface MissingValue {
  readonly found: false;
  /** A whole sentence: what was looked for, what is there instead. */
  readonly message: string;
}
