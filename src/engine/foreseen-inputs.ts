import { emptyMap, resolveValue, type ValueTemplate } from "../definition/value-template.ts";
import type { BlockDefinition } from "../definition/workflow-definition.ts";
import type { Expression, Scope } from "../expression/ast.ts";
import { evaluate } from "../expression/evaluate.ts";
import { formatValue } from "../expression/format-value.ts";
import { isUnknown, UnknownRead, unknownValue, whenKnown } from "../expression/unknown-value.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";
import { findInputProblem } from "./prepare-block.ts";

/** The inputs of a block as far as they can be known before a run. */
export interface ForeseenInputs {
  /** As they are written, with all values in them that are known. */
  readonly shown: ValueMap;
  /** What is not known stands in it as such. */
  readonly values: ValueMap;
  /** What the inputs that are not known depend on, by their names. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** The error is what would keep the block from running. */
export function foreseeInputs(definition: BlockDefinition, scope: Scope): Result<ForeseenInputs, string> {
  const shown = emptyMap();
  const values = emptyMap();
  const known = emptyMap();
  const unknown = new Map<string, string>();
  for (const [name, { value: template }] of definition.inputs) {
    const resolved = whenKnown(() => resolveValue(template, scope));
    if (resolved instanceof UnknownRead) {
      const part = foresee(template, scope);
      if (!part.ok) return err(`input '${name}': ${part.error}`);
      unknown.set(name, resolved.about);
      shown[name] = part.value.shown;
      values[name] = part.value.value;
    } else if (resolved.ok) {
      shown[name] = values[name] = known[name] = resolved.value;
    } else return err(`input '${name}': ${resolved.error.message}`);
  }
  const problem = findInputProblem(definition.type, known, new Set(unknown.keys()));
  return problem === undefined ? ok({ shown, values, unknown }) : err(problem);
}

interface ForeseenValue {
  readonly shown: Value;
  readonly value: Value;
}

/** Of a template something in which is not known. */
function foresee(template: ValueTemplate, scope: Scope): Result<ForeseenValue, string> {
  const resolved = whenKnown(() => resolveValue(template, scope));
  if (!(resolved instanceof UnknownRead)) {
    return resolved.ok ? ok({ shown: resolved.value, value: resolved.value }) : err(resolved.error.message);
  }
  const value = unknownValue(() => resolved.about);
  switch (template.kind) {
    case "literal":
      return ok({ shown: template.value, value: template.value });
    case "text": {
      const parts = template.template.parts.filter((part) => typeof part !== "string");
      return ok({ shown: showText(template.text.text, parts, scope), value });
    }
    case "compiled":
      return ok({ shown: showText(template.text.text, template.compiled.expressions, scope), value });
    case "list": {
      const items: ForeseenValue[] = [];
      for (const item of template.items) {
        const part = foresee(item, scope);
        if (!part.ok) return part;
        items.push(part.value);
      }
      return ok({ shown: items.map((item) => item.shown), value: items.map((item) => item.value) });
    }
    case "map": {
      const [shown, values] = [emptyMap(), emptyMap()];
      for (const entry of template.entries) {
        const part = foresee(entry.value, scope);
        if (!part.ok) return part;
        shown[entry.key] = part.value.shown;
        values[entry.key] = part.value.value;
      }
      return ok({ shown, value: values });
    }
  }
}

interface PlacedExpression {
  readonly expression: Expression;
  readonly start: number;
  readonly end: number;
}

/** The text with the values that are known; what is not stays as it is written. */
function showText(text: string, expressions: readonly PlacedExpression[], scope: Scope): string {
  let shown = "";
  let at = 0;
  for (const { expression, start, end } of expressions) {
    const value = whenKnown(() => evaluate(expression, scope));
    const isKnown = !(value instanceof UnknownRead) && value.ok && !isUnknown(value.value);
    shown += text.slice(at, start) + (isKnown ? formatValue(value.value) : text.slice(start, end));
    at = end;
  }
  return shown + text.slice(at);
}
