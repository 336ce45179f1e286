import type * as z from "zod";
import type { KnownInput, KnownValues } from "../block/define-block.ts";
import type { ValueLimits } from "../definition/value-limits.ts";
import type { ValueTemplate } from "../definition/value-template.ts";
import type { BlockDefinition, InputDeclaration, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { ArithmeticNode, CallNode, Expression } from "../expression/ast.ts";
import { isWholeExpression } from "../expression/parse-template.ts";
import { provePattern } from "../expression/pattern-characters.ts";
import { joinProofs, type Proof, provenBoolean, provenNumber, proveOneOf, proveValue } from "../expression/proof.ts";
import { type Reference, staticPath } from "../expression/references.ts";
import { isList, isMap } from "../expression/value.ts";
import { type FindWorkflow, findBlock, knownChild } from "./block-shape.ts";

/**
 * What can be said of the values that a block's expressions give, before any of them is known: from the declarations of inputs and
 * outputs. `place` is the block and those that hold it, innermost first. A value that is null all the same, because what makes it did not run, is found out when it arrives.
 */
export function knownValues(
  definition: WorkflowDefinition,
  place: readonly BlockDefinition[],
  find: FindWorkflow,
): KnownValues {
  const prover = new Prover(definition, place, find);
  return {
    proofOf: (expression) => prover.prove(expression),
    inputOf: (expression) => describeInput(definition, expression),
  };
}

/** What the author can say more of, where an expression is an input and nothing else. */
function describeInput({ inputs }: WorkflowDefinition, expression: Expression): KnownInput | undefined {
  if (expression.kind !== "path") return undefined;
  const { root, keys, complete } = staticPath(expression);
  const input = root === "inputs" && complete && keys.length === 1 ? inputs.get(String(keys[0])) : undefined;
  if (input === undefined) return undefined;
  const { name, type, secret = false } = input;
  const lacksDefault = mayBeNull(input) && proveLimits(input) !== undefined;
  return { name, type, isSecret: secret, lacksDefault };
}

class Prover {
  readonly #definition: WorkflowDefinition;
  readonly #place: readonly BlockDefinition[];
  readonly #find: FindWorkflow;

  constructor(definition: WorkflowDefinition, place: readonly BlockDefinition[], find: FindWorkflow) {
    this.#definition = definition;
    this.#place = place;
    this.#find = find;
  }

  prove(expression: Expression): Proof | undefined {
    switch (expression.kind) {
      case "literal":
        return proveValue(expression.value);
      case "path":
        return this.#provePath(staticPath(expression));
      case "not":
      case "logical":
      case "comparison":
        return provenBoolean;
      case "negate":
        return proveCalculated([this.prove(expression.operand)], true);
      case "arithmetic":
        return this.#proveArithmetic(expression);
      case "conditional":
        return joinProofs(this.prove(expression.then), this.prove(expression.otherwise));
      case "call":
        return this.#proveCall(expression);
      default:
        return undefined;
    }
  }

  #proveArithmetic({ operator, left, right }: ArithmeticNode): Proof | undefined {
    const both = [this.prove(left), this.prove(right)];
    const isSum = operator === "+" || operator === "*";
    const mayBeNegative = !isSum || both.some((proof) => proof?.dash !== false);
    return proveCalculated(both, mayBeNegative, operator === "/" ? "number" : undefined);
  }

  #proveCall({ name, arguments: given }: CallNode): Proof | undefined {
    const [first, second] = given;
    switch (name) {
      case "int":
        return provenNumber("integer");
      case "len":
        return provenNumber("integer", 0);
      case "float":
        return provenNumber("number");
      case "bool":
        return provenBoolean;
      case "string":
        return first === undefined ? undefined : this.prove(first);
      case "default":
        return first === undefined || second === undefined
          ? undefined
          : joinProofs(this.#proveGiven(first), this.prove(second));
      default:
        return undefined;
    }
  }

  /** Of an input that is given: its default does not matter, nor that it may have none. */
  #proveGiven(expression: Expression): Proof | undefined {
    const path = expression.kind === "path" ? staticPath(expression) : undefined;
    const isInput = path?.root === "inputs" && path.complete && path.keys.length === 1;
    const input = isInput ? this.#definition.inputs.get(String(path.keys[0])) : undefined;
    return input === undefined ? this.prove(expression) : proveLimits(input);
  }

  #provePath({ root, keys, complete }: Reference): Proof | undefined {
    if (!complete) return undefined;
    const [first, ...rest] = keys;
    switch (root) {
      case "inputs":
        return rest.length === 0 ? proveInput(this.#definition.inputs.get(String(first))) : undefined;
      case "metadata":
        return first === "attempt" ? provenNumber("integer", 1) : undefined;
      case "each":
        return this.#proveEach(keys);
      case "blocks":
        return this.#proveBlock(String(first), rest);
      default:
        return undefined;
    }
  }

  #proveEach(keys: readonly (string | number)[]): Proof | undefined {
    const [field, ...rest] = keys.slice(keys.findIndex((key) => key !== "outer"));
    if (rest.length > 0) return undefined;
    if (field === "index" || field === "count") return provenNumber("integer", 0);
    const loops = this.#place.filter(({ forEach, repeat }) => forEach !== undefined || repeat !== undefined);
    const loop = loops[keys.length - 1];
    if (field !== "value" || loop?.forEach === undefined) return undefined;
    // There `each` is still that of the loop around.
    const around = this.#place.slice(this.#place.indexOf(loop) + 1);
    return new Prover(this.#definition, around, this.#find).#proveElements(loop.forEach.items);
  }

  #proveElements(items: ValueTemplate): Proof | undefined {
    switch (items.kind) {
      case "literal":
        if (isList(items.value)) return proveOneOf(items.value);
        return isMap(items.value) ? proveOneOf(Object.values(items.value)) : undefined;
      case "list":
        return this.#proveAll(items.items);
      case "map":
        return this.#proveAll(items.entries.map(({ value }) => value));
      case "text": {
        const [only] = items.template.parts;
        if (!isWholeExpression(items.template) || typeof only !== "object") return undefined;
        return this.#proveMembers(only.expression);
      }
      case "compiled":
        return undefined;
    }
  }

  #proveAll(templates: readonly ValueTemplate[]): Proof | undefined {
    const proofs = templates.map((template) => {
      if (template.kind === "literal") return proveValue(template.value);
      const [only] = template.kind === "text" ? template.template.parts : [];
      const isWhole = template.kind === "text" && isWholeExpression(template.template);
      return isWhole && typeof only === "object" ? this.prove(only.expression) : undefined;
    });
    return proofs.length === 0 ? undefined : proofs.reduce(joinProofs);
  }

  /** What holds of each element of a list. */
  #proveMembers(expression: Expression): Proof | undefined {
    if (expression.kind === "list") {
      const proofs = expression.items.map((item) => this.prove(item));
      return proofs.length === 0 ? undefined : proofs.reduce(joinProofs);
    }
    if (expression.kind === "call" && expression.name === "range") {
      const isUpwards = expression.arguments.length < 3;
      const [start] = expression.arguments;
      const from = start === undefined || expression.arguments.length === 1 ? undefined : this.prove(start);
      const isNegative = !isUpwards || (expression.arguments.length === 2 && from?.dash !== false);
      return provenNumber("integer", isNegative ? undefined : 0);
    }
    if (expression.kind !== "path") return undefined;
    const { root, keys, complete } = staticPath(expression);
    const input = root === "inputs" && complete && keys.length === 1 ? keys[0] : undefined;
    const declared = input === undefined ? undefined : this.#definition.inputs.get(String(input));
    return declared?.items === undefined ? undefined : proveLimits(declared.items);
  }

  #findBlock(id: string): BlockDefinition | undefined {
    for (const { group } of this.#place) {
      const block = group === undefined ? undefined : findBlock(group, id);
      if (block !== undefined) return block;
    }
    return findBlock(this.#definition, id);
  }

  #proveBlock(id: string, keys: readonly (string | number)[]): Proof | undefined {
    const block = this.#findBlock(id);
    const [field, ...rest] = keys[0] === "outputs" ? keys.slice(1) : keys;
    if (block === undefined || field === undefined || rest.length > 0) return undefined;
    if (keys[0] !== "outputs" && booleanStates.includes(String(field))) return provenBoolean;
    if (block.forEach !== undefined || block.repeat !== undefined) {
      return field === "count" ? provenNumber("integer", 0) : undefined;
    }
    const file = block.fileOutputs.find(({ name }) => name === field);
    if (file !== undefined) return proveLimits({ type: fileTypes[file.type] ?? "json" });
    if (block.type.behaviour.kind !== "leaf") {
      const inside = block.group ?? knownChild(block, this.#find);
      const output = inside?.outputs.get(String(field));
      return output?.type === undefined ? undefined : proveLimits({ type: output.type });
    }
    const { shape } = block.type.outputs();
    return Object.hasOwn(shape, field) ? proveSchema(shape[field] as z.core.$ZodType) : undefined;
  }
}

const booleanStates: readonly string[] = ["succeeded", "failed", "skipped"];

const fileTypes: Readonly<Record<string, ValueLimits["type"]>> = { int: "integer", float: "number", bool: "boolean" };

function proveCalculated(
  operands: readonly (Proof | undefined)[],
  mayBeNegative: boolean,
  kind?: "number",
): Proof | undefined {
  const kinds = operands.map((proof) => proof?.kind);
  if (!kinds.every((known) => known === "integer" || known === "number")) return undefined;
  const result = kind ?? (kinds.every((known) => known === "integer") ? "integer" : "number");
  return provenNumber(result, mayBeNegative ? undefined : 0);
}

function proveInput(input: InputDeclaration | undefined): Proof | undefined {
  return input === undefined || input.secret || mayBeNull(input) ? undefined : proveLimits(input);
}

function mayBeNull(input: InputDeclaration): boolean {
  return !input.required && (input.default?.kind !== "literal" || input.default.value === null);
}

function proveLimits({ type, enum: choices, pattern, minimum }: ValueLimits): Proof | undefined {
  const chosen = choices === undefined ? undefined : proveOneOf(choices);
  if (chosen !== undefined) return chosen;
  if (type === "integer" || type === "number") return provenNumber(type, minimum);
  if (type === "boolean") return provenBoolean;
  return type === "string" && pattern !== undefined ? provePattern(pattern) : undefined;
}

/** What the schema of a block's output promises. */
function proveSchema(schema: z.core.$ZodType): Proof | undefined {
  const { def } = schema._zod;
  if (def.type === "default" || def.type === "optional") return proveSchema((def as z.core.$ZodOptionalDef).innerType);
  if (def.type === "boolean") return provenBoolean;
  if (def.type === "enum") return proveOneOf(Object.values((def as z.core.$ZodEnumDef).entries));
  if (def.type !== "number") return undefined;
  const checks = [def, ...(def.checks ?? []).map((check) => check._zod.def)] as readonly {
    readonly check?: string;
    readonly format?: string;
    readonly value?: number;
  }[];
  const isInteger = checks.some(({ check, format }) => check === "number_format" && /int/.test(format ?? ""));
  const minimum = checks.find(({ check }) => check === "greater_than")?.value;
  return provenNumber(isInteger ? "integer" : "number", minimum);
}
