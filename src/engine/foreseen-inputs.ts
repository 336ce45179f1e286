import { emptyMap, resolveValue, type ValueTemplate } from "../definition/value-template.ts";
import type { BlockDefinition } from "../definition/workflow-definition.ts";
import type { Expression, Scope } from "../expression/ast.ts";
import { evaluate } from "../expression/evaluate.ts";
import { formatValue } from "../expression/format-value.ts";
import { showTemplate } from "../expression/show-template.ts";
import { demandKnown, UnknownRead, unknownValue, whenKnown } from "../expression/unknown-value.ts";
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

/** An argument of which a part is not known is not known. */
export function wholeArguments(given: ValueMap): ValueMap {
  const all = emptyMap();
  for (const [name, value] of Object.entries(given)) {
    const found = whenKnown(() => demandKnown(value));
    all[name] = found instanceof UnknownRead ? unknownValue(() => found.about) : value;
  }
  return all;
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
      const shown = showTemplate(template.template, template.text.text, (expression) => textOf(expression, scope));
      return ok({ shown, value });
    }
    case "compiled":
      return ok({ shown: template.compiled.show((expression) => textOf(expression, scope)), value });
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

function textOf(expression: Expression, scope: Scope): string | undefined {
  const value = whenKnown(() => evaluate(expression, scope));
  return value instanceof UnknownRead || !value.ok ? undefined : formatValue(value.value);
}
