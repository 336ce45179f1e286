import { describeDataType } from "../definition/data-type.ts";
import type { TextTemplate, ValueTemplate } from "../definition/value-template.ts";
import type {
  BlockDefinition,
  InputDeclaration,
  PlacedExpression,
  WorkflowDefinition,
} from "../definition/workflow-definition.ts";
import { type Report, reportIn } from "../diagnostic/collect-diagnostics.ts";
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
  type Place,
  type ReferenceProblem,
  runProblem,
  runStatuses,
  thisProblem,
  typeOfOwn,
  typeOfRun,
  walkOwn,
} from "./check-own-references.ts";
import { undoneProblem } from "./check-undo-references.ts";
import {
  blockExpressions,
  givenExpressions,
  type PlacedUse,
  referencesOf,
  reportReference,
  within,
} from "./collect-references.ts";
import { fixReference } from "./explain-unknown.ts";
import { fieldOfList, type Walked, walkShape } from "./walk-shape.ts";

/** Every name an expression uses must exist, and every operation must be one that can succeed. Yields for every block. */
export function* checkReferences(
  builder: EdgeBuilder,
  find: FindWorkflow,
  report: Report,
  holders: readonly BlockDefinition[] = [],
): Generator<void> {
  const { definition } = builder;
  const checker = new ReferenceChecker(builder, find, report, holders);
  if (holders.length === 0) checker.checkVars();
  for (const [index, block] of definition.blocks.entries()) {
    yield;
    new ReferenceChecker(builder, find, reportIn(block.id, report), holders).checkBlock(block);
    const inside = builder.inside(index);
    if (inside !== undefined) yield* checkReferences(inside, find, report, [block, ...holders]);
  }
  const [holder, ...around] = holders;
  for (const use of givenExpressions(definition)) {
    checker.checkUse(use, { where: use.where, block: holder, holders: around });
  }
  for (const { name, value, condition } of definition.outputs.values()) {
    if (condition === undefined) checker.checkText(value, { where: `outputs.${name}`, block: holder, holders: around });
  }
}

class ReferenceChecker {
  readonly #builder: EdgeBuilder;
  readonly #definition: WorkflowDefinition;
  readonly #find: FindWorkflow;
  readonly #report: Report;
  readonly #holders: readonly BlockDefinition[];

  constructor(builder: EdgeBuilder, find: FindWorkflow, report: Report, holders: readonly BlockDefinition[]) {
    this.#builder = builder;
    this.#definition = builder.definition;
    this.#find = find;
    this.#report = report;
    this.#holders = holders;
  }

  checkVars(): void {
    for (const { name, value, condition } of this.#definition.vars.definitions.values()) {
      const place = placeInVars(name);
      const uses = condition === undefined ? within(value, place.where) : [{ ...condition, where: place.where }];
      for (const use of uses) this.checkUse(use, place);
      if (condition === undefined) this.checkText(value, place);
    }
  }

  checkBlock(block: BlockDefinition): void {
    for (const use of blockExpressions(block)) this.checkUse(use, this.#placeIn(block, use.where));
    const { condition, forEach, cost, retry, expect, repeat } = block;
    this.#expectCondition(condition, "condition", block);
    this.#expectCondition(expect?.condition, "expect.condition", block);
    this.#expectCondition(repeat?.until, "repeat.until", block);
    const list = "Give it a list, e.g. with split(...).";
    this.#expectValue(forEach?.items, ["list", "map"], "for_each", "must give a list or a map", list, block);
    const number = "Convert it with int(...).";
    this.#expectValue(retry?.attempts, ["number"], "retry.attempts", "must give a number", number, block);
    this.#expectValue(cost?.usd, ["number"], "cost.usd", "must give a number", number, block);
    this.#expectValue(cost?.tokens, ["number"], "cost.tokens", "must give a number", number, block);
    this.#expectValue(repeat?.max, ["number"], "repeat.max", "must give a number", number, block);
    const path = "Give it the path of a file.";
    this.#expectValue(expect?.fileExists, ["string"], "expect.file_exists", "must give a text", path, block);
    const delays = { "retry.delay": retry?.delay, "retry.max_delay": retry?.maxDelay, "repeat.delay": repeat?.delay };
    for (const [where, delay] of Object.entries(delays)) {
      const fix = "Give it seconds, or a text like 30s.";
      this.#expectValue(delay, ["number", "string"], where, "must give a number or a text", fix, block);
    }
    this.#checkArguments(block);
  }

  #placeIn(block: BlockDefinition, where: string): Place {
    return { where, block, holders: this.#holders };
  }

  #expectCondition(condition: PlacedExpression | undefined, where: string, block: BlockDefinition): void {
    if (condition === undefined) return;
    const type = inferType(condition.expression, this.#pathTypes(this.#placeIn(block, where)));
    const { start, end } = condition.expression;
    const fix = "Compare it with something, e.g. `== 'x'`.";
    this.#expectType(type, ["boolean"], `${where} must give true or false`, fix, condition.text.rangeOf(start, end));
  }

  #expectValue(
    value: ValueTemplate | undefined,
    wanted: readonly StaticType[],
    where: string,
    rule: string,
    fix: string,
    block: BlockDefinition,
  ): void {
    if (value?.kind !== "text") return;
    const type = this.#typeOfText(value, this.#placeIn(block, where));
    this.#expectType(type, wanted, `${where} ${rule}`, fix, value.range);
  }

  /** What a call hands over as an expression, held to what the child declares; null stands for "not given". */
  #checkArguments(block: BlockDefinition): void {
    const { behaviour } = block.type;
    const child = knownChild(block, this.#find);
    if (child === undefined || behaviour.kind !== "nested") return;
    const { argumentsInput } = behaviour;
    const given = block.inputs.get(argumentsInput)?.value;
    if (given?.kind !== "map") return;
    for (const { key, value } of given.entries) {
      const declared = child.inputs.get(key);
      const wanted = typeOfData(declared?.type);
      if (declared === undefined || wanted === "any" || value.kind !== "text") continue;
      const rule = `Input '${key}' of '${child.name}' must be ${describeDataType(declared.type)}`;
      const fix = "Convert it: string(...), int(...), float(...), bool(...), from_json(...).";
      const type = this.#typeOfText(value, this.#placeIn(block, `inputs.${argumentsInput}`));
      this.#expectType(type, [wanted, "null"], rule, fix, value.range);
    }
  }

  checkUse(use: PlacedUse, place: Place): void {
    let sound = true;
    for (const placed of referencesOf([use])) {
      const problem = this.#problemOf(placed.reference, place);
      if (problem === undefined) continue;
      sound = false;
      const { reference } = placed;
      const isOfVar = reference.origin !== undefined && this.#problemOf(reference, placeInVars(""));
      if (!isOfVar) reportReference(problem, placed, place.block, this.#report);
    }
    if (!sound) return;
    for (const { start, end, ...problem } of typeProblems(
      use.expression,
      this.#pathTypes(place),
      this.#pathTexts(place),
    )) {
      this.#report({ ...problem, range: use.text.rangeOf(start, end) });
    }
  }

  /** An output or var that spells a reference the way another system does, and so is only text. */
  checkText(value: ValueTemplate, place: Place): void {
    if (value.kind !== "literal" || typeof value.value !== "string") return;
    const path = this.#readablePath(value.value, place) ?? foreignReference.exec(value.value)?.[1];
    if (path === undefined) return;
    this.#report({
      code: "text-not-value",
      level: "warning",
      message: `This is the text ${quoteText(value.value)}.`,
      fix: `For the value write \${${path}}.`,
      range: value.range,
    });
  }

  #readablePath(text: string, place: Place): string | undefined {
    const parsed = parseExpression(text);
    if (text.includes("${") || !parsed.ok || parsed.value.kind !== "path" || parsed.value.steps.length === 0)
      return undefined;
    const sound = references(parsed.value).every(
      (reference) => reference.root !== "secrets" && this.#problemOf(reference, place) === undefined,
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

  #typeOfText({ template }: TextTemplate, place: Place): StaticType {
    const [first] = template.parts;
    return isWholeExpression(template) && typeof first === "object"
      ? inferType(first.expression, this.#pathTypes(place))
      : "string";
  }

  #pathTypes(place: Place): PathTypes {
    return (reference) => {
      const { root, keys, complete } = reference;
      if (!complete) return "any";
      if (root === "inputs" && keys.length === 1) return typeOfInput(this.#definition.inputs.get(String(keys[0])));
      if (root === "metadata") return keys[0] === "attempt" ? "number" : "string";
      if (root === "run") return typeOfRun(keys[0]);
      if (root === "each" || root === "this") return typeOfOwn(reference, place, this.#find);
      const walked = root === "blocks" ? this.#walk(keys) : undefined;
      return walked?.ok ? walked.type : "any";
    };
  }

  #pathTexts(place: Place): PathTexts {
    return ({ root, keys, complete }) => {
      if (!complete) return undefined;
      if (root === "inputs" && keys.length === 1) return textsOfInput(this.#definition.inputs.get(String(keys[0])));
      if (root === "run" && keys[0] === "status") return { texts: runStatuses };
      const walked = root === "blocks" ? this.#walk(keys) : walkOwn(root, keys, place, this.#find);
      if (!walked?.ok || walked.texts === undefined) return undefined;
      const record = writePath(root, keys.slice(0, keys.at(-2) === "metadata" ? -2 : -1));
      return { texts: walked.texts, instead: (text) => stateMeant(text, record) };
    };
  }

  /** Where the keys after `blocks` lead, if they start with a block that can be read here. */
  #walk([id, ...keys]: readonly (string | number | null)[]): Walked | undefined {
    const target = this.#builder.locate(String(id));
    if (target === undefined) return undefined;
    return walkShape(target.builder.shape(target.index), keys, `blocks.${id}`, this.#find);
  }

  #problemOf(reference: Reference, place: Place): ReferenceProblem | undefined {
    switch (reference.root) {
      case "inputs":
        return this.#inputProblem(reference);
      case "metadata":
        // Where a var that reads it may stand is told by what reads the var.
        if (place.where.startsWith("vars.") && reference.keys[0] === "attempt") return undefined;
        return metadataProblem(reference, place);
      case "each":
        return eachProblem(reference, place, this.#find);
      case "this":
        return thisProblem(reference, place, this.#find);
      case "run":
        return runProblem(reference, place);
      case "block":
        return undoneProblem(reference);
      case "secrets":
        // Which there are is known where the workflow runs; where they may stand is checked by itself.
        return undefined;
      case "blocks":
        return this.#blockProblem(reference, place);
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

  #blockProblem(reference: Reference, place: Place): ReferenceProblem | undefined {
    // The parser lets no path through that does not name its block.
    const id = String(reference.keys[0]);
    const target = this.#builder.locate(id);
    if (target === undefined) {
      if (this.#builder.isUnreadable(id)) return undefined;
      const fix = fixReference(id, this.#builder);
      return { code: "unknown-block", message: `There is no block '${id}'.`, fix };
    }
    const meant = target.builder.definition.blocks[target.index] as BlockDefinition;
    if (meant === place.block) {
      return {
        code: "self-reference",
        message: `block '${id}' reads itself.`,
        fix: canReadThis(place) ? `Write ${writePath("this", reference.keys.slice(1))}.` : endedBefore,
      };
    }
    if (place.holders.includes(meant)) {
      const message = `block '${place.block?.id}' reads '${id}', which holds it.`;
      return { code: "self-reference", message, fix: endedBefore };
    }
    const isUnderFinally = [place.block, ...place.holders].some((at) => at?.isFinally);
    if (meant.isFinally && !isUnderFinally) return { code: "reads-finally", ...readsFinally(id) };
    const walked = this.#walk(reference.steps);
    return walked === undefined || walked.ok ? undefined : walked;
  }
}

const endedBefore = "A block can only read blocks that ended before it.";

function placeInVars(name: string): Place {
  return { where: `vars.${name}`, block: undefined, holders: [] };
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
