/** A template as it was parsed; every node knows its line. */
export type Statement =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "print"; readonly line: number; readonly value: Expression }
  | { readonly kind: "if"; readonly branches: readonly Branch[]; readonly otherwise: readonly Statement[] }
  | ForStatement
  | { readonly kind: "set"; readonly line: number; readonly target: Target; readonly value: Expression }
  | {
      readonly kind: "set-block";
      readonly line: number;
      readonly target: Target;
      readonly filters: readonly FilterUse[];
      readonly body: readonly Statement[];
    }
  | MacroStatement
  | { readonly kind: "call"; readonly line: number; readonly macro: MacroStatement; readonly value: Expression }
  | {
      readonly kind: "filter";
      readonly line: number;
      readonly filters: readonly FilterUse[];
      readonly body: readonly Statement[];
    }
  | {
      readonly kind: "with";
      readonly line: number;
      readonly names: readonly (readonly [Target, Expression])[];
      readonly body: readonly Statement[];
    }
  | { readonly kind: "do"; readonly line: number; readonly value: Expression }
  | { readonly kind: "leave"; readonly how: "break" | "continue" };

export interface Branch {
  readonly line: number;
  readonly test: Expression;
  readonly body: readonly Statement[];
}

export interface ForStatement {
  readonly kind: "for";
  readonly line: number;
  readonly target: Target;
  readonly items: Expression;
  readonly condition?: Expression;
  readonly recursive: boolean;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
}

export interface MacroStatement {
  readonly kind: "macro";
  readonly line: number;
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly fallback?: Expression }[];
  readonly body: readonly Statement[];
}

/** What a value is given to. */
export type Target =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "attribute"; readonly name: string; readonly attribute: string }
  | { readonly kind: "several"; readonly targets: readonly Target[] };

export interface FilterUse {
  readonly line: number;
  readonly name: string;
  readonly args: readonly Argument[];
}

export interface Argument {
  readonly name?: string;
  /** `*list` or `**map`. */
  readonly spread?: "list" | "map";
  readonly value: Expression;
}

export type Expression =
  | { readonly kind: "literal"; readonly line: number; readonly value: null | boolean | number | string }
  | { readonly kind: "float"; readonly line: number; readonly value: number }
  | { readonly kind: "name"; readonly line: number; readonly name: string }
  | { readonly kind: "list" | "tuple"; readonly line: number; readonly items: readonly Expression[] }
  | { readonly kind: "map"; readonly line: number; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: "attribute"; readonly line: number; readonly of: Expression; readonly name: string }
  | { readonly kind: "index"; readonly line: number; readonly of: Expression; readonly key: Expression }
  | {
      readonly kind: "slice";
      readonly line: number;
      readonly of: Expression;
      readonly parts: readonly (Expression | undefined)[];
    }
  | { readonly kind: "call"; readonly line: number; readonly of: Expression; readonly args: readonly Argument[] }
  | ({ readonly kind: "filter"; readonly of: Expression } & FilterUse)
  | ({ readonly kind: "test"; readonly of: Expression; readonly negated: boolean } & FilterUse)
  | { readonly kind: "not" | "negative" | "positive"; readonly line: number; readonly of: Expression }
  | {
      readonly kind: "and" | "or";
      readonly line: number;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "operation";
      readonly line: number;
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "comparison";
      readonly line: number;
      readonly first: Expression;
      readonly rest: readonly (readonly [Comparison, Expression])[];
    }
  | {
      readonly kind: "choice";
      readonly line: number;
      readonly test: Expression;
      readonly yes: Expression;
      readonly no?: Expression;
    };

export type Operator = "+" | "-" | "*" | "/" | "//" | "%" | "**" | "~";
export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";
