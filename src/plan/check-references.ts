import { describeDataType } from "../definition/data-type.ts";
import type { TextTemplate, ValueTemplate } from "../definition/value-template.ts";
import type {
  BlockDefinition,
  InputDeclaration,
  PlacedExpression,
  WorkflowDefinition,
} from "../definition/workflow-definition.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Range } from "../diagnostic/source.ts";
import { quoteText } from "../expression/format-value.ts";
import { inferType, type PathTexts, type PathTypes, type StaticType, typeProblems } from "../expression/infer-type.ts";
import type { KnownTexts } from "../expression/never-equal.ts";
import { parseExpression } from "../expression/parse-expression.ts";
import { isWholeExpression } from "../expression/parse-template.ts";
import { writePath } from "../expression/read-path.ts";
import { type Reference, references } from "../expression/references.ts";
import { type FindWorkflow, knownChild, typeOfData } from "./block-shape.ts";
import { type EdgeBuilder, readsFinally } from "./build-edges.ts";
import {
  canReadThis,
  eachProblem,
  metadataProblem,
  type ReferenceProblem,
  runProblem,
  runStatuses,
  thisProblem,
  typeOfOwn,
  typeOfRun,
  walkOwn,
} from "./check-own-references.ts";
import {
  blockExpressions,
  outputExpressions,
  type PlacedReference,
  type PlacedUse,
  referencesOf,
  reportReference,
  within,
} from "./collect-references.ts";
import { fieldOfList, type Walked, walkShape } from "./walk-shape.ts";

/** Every name an expression uses must exist, and every operation must be one that can succeed. Yields for every block. */
export function* checkReferences(
  definition: WorkflowDefinition,
  indexOf: ReadonlyMap<string, number>,
  builder: EdgeBuilder,
  find: FindWorkflow,
  report: Report,
): Generator<void> {
  const checker = new ReferenceChecker(definition, indexOf, builder, find, report);
  for (const { name, value, condition } of definition.vars.definitions.values()) {
    const where = `vars.${name}`;
    const uses = condition === undefined ? within(value, where) : [condition];
    for (const use of uses) checker.checkUse({ ...use, where }, undefined);
    if (condition === undefined) checker.checkText(value, where);
  }
  for (const block of definition.blocks) {
    yield;
    checker.checkBlock(block);
  }
  for (const output of definition.outputs.values()) {
    for (const use of outputExpressions(output)) checker.checkUse(use, undefined);
    if (output.condition === undefined) checker.checkText(output.value, `outputs.${output.name}`);
  }
}

class ReferenceChecker {
  readonly #definition: WorkflowDefinition;
  readonly #indexOf: ReadonlyMap<string, number>;
  readonly #builder: EdgeBuilder;
  readonly #find: FindWorkflow;
  readonly #report: Report;

  constructor(
    definition: WorkflowDefinition,
    indexOf: ReadonlyMap<string, number>,
    builder: EdgeBuilder,
    find: FindWorkflow,
    report: Report,
  ) {
    this.#definition = definition;
    this.#indexOf = indexOf;
    this.#builder = builder;
    this.#find = find;
    this.#report = report;
  }

  checkBlock(block: BlockDefinition): void {
    for (const use of blockExpressions(block)) this.checkUse(use, block);
    const { condition, forEach, retry, expect, repeat } = block;
    this.#expectCondition(condition, "condition", block);
    this.#expectCondition(expect?.condition, "expect.condition", block);
    this.#expectCondition(repeat?.until, "repeat.until", block);
    const list = "Give it a list, e.g. with split(...).";
    this.#expectValue(forEach?.items, ["list", "map"], "for_each must give a list or a map", list, block);
    const number = "Convert it with int(...).";
    this.#expectValue(retry?.attempts, ["number"], "retry.attempts must give a number", number, block);
    this.#expectValue(repeat?.max, ["number"], "repeat.max must give a number", number, block);
    const path = "Give it the path of a file.";
    this.#expectValue(expect?.fileExists, ["string"], "expect.file_exists must give a text", path, block);
    const delays = { "retry.delay": retry?.delay, "retry.max_delay": retry?.maxDelay, "repeat.delay": repeat?.delay };
    for (const [where, delay] of Object.entries(delays)) {
      const fix = "Give it seconds, or a text like 30s.";
      this.#expectValue(delay, ["number", "string"], `${where} must give a number or a text`, fix, block);
    }
    this.#checkArguments(block);
  }

  #expectCondition(condition: PlacedExpression | undefined, where: string, block: BlockDefinition): void {
    if (condition === undefined) return;
    const type = inferType(condition.expression, this.#pathTypes(block));
    const { start, end } = condition.expression;
    const fix = "Compare it with something, e.g. `== 'x'`.";
    this.#expectType(type, ["boolean"], `${where} must give true or false`, fix, condition.text.rangeOf(start, end));
  }

  #expectValue(
    value: ValueTemplate | undefined,
    wanted: readonly StaticType[],
    rule: string,
    fix: string,
    block: BlockDefinition,
  ): void {
    if (value?.kind !== "text") return;
    this.#expectType(this.#typeOfText(value, block), wanted, rule, fix, value.range);
  }

  /** What a call hands over as an expression, held to what the child declares; null stands for "not given". */
  #checkArguments(block: BlockDefinition): void {
    const { behaviour } = block.type;
    const child = knownChild(block, this.#find);
    const given = behaviour.kind === "nested" ? block.inputs.get(behaviour.argumentsInput)?.value : undefined;
    if (child === undefined || given?.kind !== "map") return;
    for (const { key, value } of given.entries) {
      const declared = child.inputs.get(key);
      const wanted = typeOfData(declared?.type);
      if (declared === undefined || wanted === "any" || value.kind !== "text") continue;
      const rule = `Input '${key}' of '${child.name}' must be ${describeDataType(declared.type)}`;
      const fix = "Convert it: string(...), int(...), float(...), bool(...), from_json(...).";
      this.#expectType(this.#typeOfText(value, block), [wanted, "null"], rule, fix, value.range);
    }
  }

  checkUse(use: PlacedUse, block: BlockDefinition | undefined): void {
    let sound = true;
    for (const placed of referencesOf([use])) {
      const problem = this.#problemOf(placed, block);
      if (problem === undefined) continue;
      sound = false;
      const { reference } = placed;
      const isOfVar = reference.origin !== undefined && this.#problemOf({ reference, where: "vars." }, undefined);
      if (!isOfVar) reportReference(problem, placed, block, this.#report);
    }
    if (!sound) return;
    for (const { start, end, ...problem } of typeProblems(
      use.expression,
      this.#pathTypes(block),
      this.#pathTexts(block),
    )) {
      this.#report({ ...problem, range: use.text.rangeOf(start, end) });
    }
  }

  /** An output or var that spells a reference the way another system does, and so is only text. */
  checkText(value: ValueTemplate, where: string): void {
    if (value.kind !== "literal" || typeof value.value !== "string") return;
    const path = this.#readablePath(value.value, where) ?? foreignReference.exec(value.value)?.[1];
    if (path === undefined) return;
    this.#report({
      code: "text-not-value",
      level: "warning",
      message: `This is the text ${quoteText(value.value)}.`,
      fix: `For the value write \${${path}}.`,
      range: value.range,
    });
  }

  #readablePath(text: string, where: string): string | undefined {
    const parsed = parseExpression(text);
    if (text.includes("${") || !parsed.ok || parsed.value.kind !== "path" || parsed.value.steps.length === 0)
      return undefined;
    const sound = references(parsed.value).every(
      (reference) => reference.root !== "secrets" && this.#problemOf({ reference, where }, undefined) === undefined,
    );
    return sound ? text.trim() : undefined;
  }

  #expectType(type: StaticType, wanted: readonly StaticType[], rule: string, fix: string, range: Range): void {
    if (type === "any" || wanted.includes(type)) return;
    this.#report({
      code: "wrong-type",
      level: "error",
      message: `${rule}, this gives ${typeWords[type]}.`,
      fix,
      range,
    });
  }

  #typeOfText({ template }: TextTemplate, block: BlockDefinition): StaticType {
    const [first] = template.parts;
    return isWholeExpression(template) && typeof first === "object"
      ? inferType(first.expression, this.#pathTypes(block))
      : "string";
  }

  #pathTypes(block: BlockDefinition | undefined): PathTypes {
    return (reference) => {
      const { root, keys, complete } = reference;
      if (!complete) return "any";
      if (root === "inputs" && keys.length === 1) return typeOfInput(this.#definition.inputs.get(String(keys[0])));
      if (root === "metadata") return keys[0] === "attempt" ? "number" : "string";
      if (root === "run") return typeOfRun(keys[0]);
      if (root === "each" || root === "this") return typeOfOwn(reference, block, this.#find);
      const walked = root === "blocks" ? this.#walk(keys) : undefined;
      return walked?.ok ? walked.type : "any";
    };
  }

  #pathTexts(block: BlockDefinition | undefined): PathTexts {
    return ({ root, keys, complete }) => {
      if (!complete) return undefined;
      if (root === "inputs" && keys.length === 1) return textsOfInput(this.#definition.inputs.get(String(keys[0])));
      if (root === "run" && keys[0] === "status") return { texts: runStatuses };
      const walked = root === "blocks" ? this.#walk(keys) : walkOwn(root, keys, block, this.#find);
      if (!walked?.ok || walked.texts === undefined) return undefined;
      const record = writePath(root, keys.slice(0, keys.at(-2) === "metadata" ? -2 : -1));
      return { texts: walked.texts, instead: (text) => stateMeant(text, record) };
    };
  }

  /** Where the keys after `blocks` lead, if they start with a block of this workflow. */
  #walk([id, ...keys]: readonly (string | number | null)[]): Walked | undefined {
    const index = this.#indexOf.get(String(id));
    return index === undefined ? undefined : walkShape(this.#builder.shape(index), keys, `blocks.${id}`, this.#find);
  }

  #problemOf(
    { reference, where }: Omit<PlacedReference, "text">,
    block: BlockDefinition | undefined,
  ): ReferenceProblem | undefined {
    switch (reference.root) {
      case "inputs":
        return this.#inputProblem(reference);
      case "metadata":
        // Where a var that reads it may stand is told by what reads the var.
        if (where.startsWith("vars.") && reference.keys[0] === "attempt") return undefined;
        return metadataProblem(reference, where, block);
      case "each":
        return eachProblem(reference, where, block, this.#find);
      case "this":
        return thisProblem(reference, where, block, this.#find);
      case "run":
        return runProblem(reference, block);
      case "secrets":
        // Which there are is known where the workflow runs; where they may stand is checked by itself.
        return undefined;
      case "blocks":
        return this.#blockProblem(reference, where, block);
    }
  }

  #inputProblem(reference: Reference): ReferenceProblem | undefined {
    const { inputs } = this.#definition;
    const [name, ...rest] = reference.keys;
    if (name === undefined) return undefined;
    const type = typeOfData(inputs.get(String(name))?.type);
    const [step] = rest;
    if (type === "list" && typeof step === "string") {
      const { ok: _, ...problem } = fieldOfList(`inputs.${name}`, step, reference.steps.slice(1));
      return problem;
    }
    if (rest.length > 0 && (type === "string" || type === "number" || type === "boolean")) {
      const message = `There is nothing inside inputs.${name}: it is ${typeWords[type]}.`;
      return { code: "nothing-inside", message, fix: `Write inputs.${name} alone, or declare it as an object.` };
    }
    if (inputs.has(String(name))) return undefined;
    return {
      code: "unknown-input",
      message: `The workflow has no input '${name}'.`,
      fix: inputs.size === 0 ? `Declare it under \`inputs:\`.` : suggestName(String(name), inputs.keys(), "input"),
    };
  }

  #blockProblem(reference: Reference, where: string, block: BlockDefinition | undefined): ReferenceProblem | undefined {
    // The parser lets no path through that does not name its block.
    const id = String(reference.keys[0]);
    const index = this.#indexOf.get(id);
    if (index === undefined) {
      if (this.#definition.unreadable.has(id)) return undefined;
      return {
        code: "unknown-block",
        message: `There is no block '${id}'.`,
        fix: suggestName(id, this.#indexOf.keys(), "block"),
      };
    }
    if (block !== undefined && this.#definition.blocks[index] === block) {
      return {
        code: "self-reference",
        message: `block '${id}' reads itself.`,
        fix: canReadThis(where)
          ? `Write ${writePath("this", reference.keys.slice(1))}.`
          : "A block can only read blocks that ended before it.",
      };
    }
    if (this.#definition.blocks[index]?.isFinally && !block?.isFinally)
      return { code: "reads-finally", ...readsFinally(id) };
    const walked = this.#walk(reference.steps);
    return walked === undefined || walked.ok ? undefined : walked;
  }
}

/** `{{ inputs.x }}` and `$inputs.x`. */
const foreignReference = /(?:\{\{\s*|\$)((?:inputs|blocks|metadata)(?:\.\w+)+)/;

const typeWords: Record<StaticType, string> = {
  any: "anything",
  null: "nothing",
  boolean: describeDataType("boolean"),
  number: describeDataType("number"),
  string: describeDataType("string"),
  list: describeDataType("array"),
  map: describeDataType("object"),
};

function typeOfInput(input: InputDeclaration | undefined): StaticType {
  if (input === undefined) return "any";
  const mayBeNull = !input.required && (input.default?.kind !== "literal" || input.default.value === null);
  return mayBeNull ? "any" : typeOfData(input.type);
}

function textsOfInput(input: InputDeclaration | undefined): KnownTexts | undefined {
  const texts = input?.enum?.filter((choice) => typeof choice === "string");
  return texts === undefined || texts.length < (input?.enum?.length ?? 0) ? undefined : { texts };
}

/** What is meant by a word for how a block went that is no value of its status or outcome. */
function stateMeant(text: string, block: string): string | undefined {
  if (/^(ok|done|passed|success|successful|succeeded)$/i.test(text)) return `${block}.succeeded`;
  if (/^(error|fail|failed|failure|crashed)$/i.test(text)) return `${block}.failed`;
  return undefined;
}
