import { parseExpression } from "../expression/parse-expression.ts";
import { choice, count, expressionSchema, withDefault } from "./forms.ts";
import { type Key, type Keys, readKeys } from "./key.ts";
import { compileValue } from "./value-template.ts";
import type { ForEach } from "./workflow-definition.ts";

const loopKeys: Keys<Omit<ForEach, "items">> = {
  mode: {
    name: "for_each_mode",
    docs: "Whether elements run at the same time or one after the other",
    examples: ["sequential", "parallel"],
    ...withDefault(choice(["parallel", "sequential"]), "parallel"),
  },
  maxParallel: {
    name: "max_parallel",
    docs: "Elements of for_each at the same time",
    examples: ["5"],
    ...withDefault(count, 5),
  },
  onError: {
    name: "on_error",
    docs: "What a failed element means for the others",
    examples: ["stop", "continue"],
    ...withDefault(choice(["continue", "stop"]), "continue"),
  },
};

export const forEach: Key<ForEach | undefined> = {
  name: "for_each",
  docs: "Runs once per element: a list, a map or an expression that gives one",
  examples: ["${inputs.files}", "[a, b]", "{ a: 1 }"],
  foreign: ["foreach", "loop", "matrix", "strategy", "with_items"],
  beside: loopKeys,
  schema: { anyOf: [expressionSchema, { type: ["array", "object"] }] },
  read(at) {
    if (at.node === undefined) return undefined;
    const items = compileValue(at.node, at.report);
    if (items.kind === "literal" && (typeof items.value !== "object" || items.value === null)) {
      const fix = typeof items.value === "string" ? suggestBraces(items.value) : undefined;
      at.wrongType("a list, a map or an expression that gives one", fix);
    }
    return { items, ...readKeys(loopKeys, at.map, undefined) };
  },
};

/** For a text that is an expression but for its braces. */
function suggestBraces(text: string): string | undefined {
  const parsed = parseExpression(text);
  const isExpression = parsed.ok && ["path", "call", "access"].includes(parsed.value.kind);
  return isExpression ? `Write \${${text.trim()}}.` : undefined;
}
