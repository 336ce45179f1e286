import { err, type Result } from "../util/result.ts";
import type { Expression, Origin, Span, Step, SyntaxProblem } from "./ast.ts";
import { moveNodes } from "./move-nodes.ts";
import { SyntaxFailure } from "./syntax-failure.ts";

export type VarProblem = Pick<SyntaxProblem, "code" | "message" | "fix">;

/** The names that stand for expressions, and those that mean something only in some places. */
export interface Vars {
  /** Every node of the expression has an origin. */
  find(name: string): Result<Expression, VarProblem>;
  /** Counts what takes the place of vars in a file; false when it is too much. */
  spend(nodes: number): boolean;
  /** Whether a path can begin with `block`: the block that is undone. Anywhere else it is nobody's, as in code inside a command. */
  readonly knowsBlock?: true;
}

/** The same where a block is undone. */
export function knowingBlock(vars: Vars): Vars {
  return { find: (name) => vars.find(name), spend: (nodes) => vars.spend(nodes), knowsBlock: true };
}

export const noVars: Vars = {
  find: (name) =>
    err({
      code: "unknown-var",
      message: `There is no var '${name}'.`,
      fix: "Declare it under `vars:` of the workflow.",
    }),
  spend: () => true,
};

/** What one var may grow to with the vars that it reads. */
const mostNodes = 10_000;

/** What `vars.NAME`, with these steps, stands for. Throws SyntaxFailure. */
export function expandVar(steps: readonly Step[], span: Span, vars: Vars): Expression {
  const [first, ...rest] = steps;
  if (first === undefined || typeof first.key === "object") {
    const message = "Which var is read must be known before the run.";
    throw new SyntaxFailure({ code: "dynamic-var", message, fix: "Write vars.name.", ...span });
  }
  const name = String(first.key);
  const found = vars.find(name);
  if (!found.ok) throw new SyntaxFailure({ ...found.error, ...span });
  const count = counter(name, span, vars);
  const value = moveNodes(found.value, ({ origin }) => {
    count();
    return { ...span, ...(origin === undefined ? {} : { origin }) };
  });
  return rest.length === 0 ? value : stepInto(value, name, rest, span);
}

/** Pays for each node that takes the place of a var. */
function counter(name: string, span: Span, vars: Vars): () => void {
  let nodes = 0;
  return () => {
    nodes += 1;
    const isTooLong = nodes > mostNodes;
    if (!isTooLong && vars.spend(1)) return;
    throw new SyntaxFailure({
      code: "expression-too-long",
      message: isTooLong
        ? `vars.${name} is too long: with the vars that it reads it has more than ${mostNodes} parts.`
        : "The vars of this file are too long: written out wherever they are read, they have too many parts.",
      fix: "Let a block compute the value once, and read its output.",
      ...span,
    });
  };
}

/** The same expression, each node of which knows in which text it is written. */
export function markOrigin(expression: Expression, name: string, text: Origin["text"]): Expression {
  return moveNodes(expression, ({ start, end, origin }) => ({
    start,
    end,
    origin: origin ?? { name, text, start, end },
  }));
}

/** Kinds of which the value holds nothing that could be read by a key. */
const flat: Partial<Record<Expression["kind"], string>> = {
  text: "a text",
  not: "true or false",
  logical: "true or false",
  comparison: "true or false",
  negate: "a number",
};

function stepInto(value: Expression, name: string, steps: readonly Step[], span: Span): Expression {
  // What is half the var's and half of here has no one origin.
  if (value.kind === "path" || value.kind === "access") {
    const { origin: _, ...rest } = value;
    return { ...rest, steps: [...value.steps, ...steps] };
  }
  const what = value.kind === "literal" ? nameLiteral(value.value) : flat[value.kind];
  if (what === undefined) return { kind: "access", value, steps, ...span };
  const message = `There is nothing inside vars.${name}: it is ${what}.`;
  throw new SyntaxFailure({ code: "nothing-inside", message, fix: `Write vars.${name} alone.`, ...span });
}

function nameLiteral(value: null | boolean | number | string): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return "true or false";
  return typeof value === "number" ? "a number" : "a text";
}
