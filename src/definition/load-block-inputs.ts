import type * as z from "zod";
import type { BlockType, InputProblem, Written, WrittenInputs } from "../block/define-block.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { nearestName, suggestName } from "../diagnostic/did-you-mean.ts";
import { explainIssue, issuePath } from "../diagnostic/explain-issues.ts";
import type { Range } from "../diagnostic/source.ts";
import type { Value } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { findDataType, suggestSpelling } from "./data-type.ts";
import { otherName, timeLimitWithUnit } from "./foreign-keys.ts";
import { joinEnv } from "./load-env.ts";
import type { KeyReader, MapReader } from "./map-reader.ts";
import {
  compileInLanguage,
  compileValue,
  type FileReport,
  type LiteralTemplate,
  type ValueTemplate,
  writtenForm,
} from "./value-template.ts";
import type { BlockInput } from "./workflow-definition.ts";
import { describeNode, type YamlEntry, type YamlNode } from "./yaml-node.ts";

/** Reads a block's inputs by the schema of its type; what holds expressions is checked again when it is resolved. */
export function loadBlockInputs(at: KeyReader, type: BlockType, isLoop: boolean): Map<string, BlockInput> {
  const { map: block, report } = at;
  const inputs = new Map<string, BlockInput>();
  const isStored = report.isStored === true;
  const hints: Diagnostic[] = [];
  const holdHints: FileReport = Object.assign(
    (diagnostic: Diagnostic) => {
      if (diagnostic.level === "hint") hints.push(diagnostic);
      else report(diagnostic);
    },
    defined({ vars: report.vars }),
  );
  /** Inputs that unknown ones most likely stand for: they are not missing as well. */
  const meant = new Set<string>();
  for (const entry of at.mapAt()?.entries ?? []) {
    if (entry.key === type.timeoutInput?.name) continue;
    if (!checkKnown(entry, block.what, type, report)) {
      const name = otherName(entry.key, type) ?? nearestName(entry.key, Object.keys(type.inputs().shape));
      if (name !== undefined) meant.add(name);
      continue;
    }
    const value = compileInput(entry, type, holdHints);
    inputs.set(entry.key, { name: entry.key, nameRange: entry.keyRange, value });
    if (isStored) continue;
    const listInput = entry.value.kind === "list" ? suggestListInput(entry.key, type) : undefined;
    if (listInput !== undefined) {
      const message = `${block.what}: input '${entry.key}' must be a text, not a list.`;
      report({ code: "wrong-type", level: "error", message, fix: listInput, range: entry.value.range });
    } else if (value.kind === "literal") checkLiteral(entry, value, block.what, type, report);
  }
  if (type.envInput !== undefined && report.env !== undefined) {
    joinEnv(inputs, type.envInput, report.env, block.what, report);
  }
  if (isStored) return inputs;
  const settled = type.settledHints?.(writtenInputs(inputs)) ?? [];
  for (const hint of hints) if (!settled.includes(hint.code)) report(hint);
  if (block.meant.has("inputs")) return inputs;
  reportMissing(inputs, meant, block, type, report);
  checkTogether(inputs, meant, block, type, isLoop, report);
  return inputs;
}

function checkKnown(entry: YamlEntry, what: string, type: BlockType, report: Report): boolean {
  const known = Object.keys(type.inputs().shape);
  if (known.includes(entry.key)) return true;
  const dropped = type.droppedInputs;
  const isDropped = dropped !== undefined && Object.hasOwn(dropped, entry.key);
  report({
    code: isDropped ? "dropped-input" : "unknown-input",
    level: "error",
    message: `${what}: ${type.type} has no input '${entry.key}'${isDropped ? " any more" : ""}.`,
    fix: (isDropped ? dropped[entry.key] : undefined) ?? explainInput(entry, type, known),
    range: entry.keyRange,
  });
  return false;
}

/** A time limit is a key of the block, whatever other systems call it. */
function explainInput(entry: YamlEntry, type: BlockType, known: readonly string[]): string {
  const other = otherName(entry.key, type);
  if (other !== undefined) return `Write \`${other}:\`.`;
  const limit = timeLimitWithUnit(entry);
  return limit === undefined ? suggestName(entry.key, known, "input") : `${limit.fix} It belongs beside \`inputs:\`.`;
}

function compileInput(entry: YamlEntry, type: BlockType, report: FileReport): ValueTemplate {
  const language = type.languages?.[entry.key];
  const { value } = entry;
  if (language !== undefined && value.kind === "scalar" && value.value !== null)
    return compileInLanguage(value, language, report);
  return compileValue(value, report);
}

/** A list where a text in a language of its own belongs is most likely meant for the input that takes words. */
function suggestListInput(key: string, type: BlockType): string | undefined {
  if (type.languages?.[key] === undefined) return undefined;
  const other = Object.entries(type.inputs().shape).find(([, schema]) => schema.safeParse(["word"]).success);
  return other === undefined ? undefined : `Use \`${other[0]}:\` for a list of words.`;
}

function checkLiteral(
  entry: YamlEntry,
  template: LiteralTemplate,
  what: string,
  type: BlockType,
  report: Report,
): void {
  const schema = type.inputs().shape[entry.key];
  const checked = schema?.safeParse(template.value);
  if (checked === undefined || checked.success) return;
  for (const issue of checked.error.issues) {
    const place = `'${entry.key}${issuePath(issue.path)}'`;
    const got = issue.code === "invalid_type" && issue.path.length === 0 ? `, not ${describeNode(entry.value)}` : "";
    const part = partAt(template, issue.path);
    const missing = part.isMissing ? "is missing: it " : "";
    report({
      code: "wrong-type",
      level: "error",
      message: `${what}: input ${place} ${missing}${explainIssue(issue)}${got}.`,
      ...(part.isMissing ? {} : suggestValue(issue, part.template.value, entry.value)),
      range: part.template.range,
    });
  }
}

function suggestValue(issue: z.core.$ZodIssue, given: Value, node: YamlNode): { readonly fix?: string } {
  if (issue.code === "invalid_value" && typeof given === "string") {
    return { fix: suggestName(given, issue.values.map(String), "value") };
  }
  if (issue.code !== "invalid_type" || issue.path.length > 0 || node.kind !== "scalar") return {};
  const type = findDataType(issue.expected);
  const fix = type === undefined ? undefined : suggestSpelling(given, type, node.written);
  return fix === undefined ? {} : { fix };
}

interface Part {
  readonly template: LiteralTemplate;
  /** The template is then what the part would belong to. */
  readonly isMissing: boolean;
}

/** The part of a value that an issue is about. */
function partAt(template: LiteralTemplate, [key, ...rest]: readonly PropertyKey[]): Part {
  if (key === undefined) return { template, isMissing: false };
  const part =
    typeof key === "number" ? template.items?.[key] : template.entries?.find((entry) => entry.key === key)?.value;
  return part?.kind === "literal" ? partAt(part, rest) : { template, isMissing: true };
}

function reportMissing(
  inputs: ReadonlyMap<string, BlockInput>,
  meant: ReadonlySet<string>,
  block: MapReader,
  type: BlockType,
  report: Report,
): void {
  for (const [name, schema] of Object.entries(type.inputs().shape)) {
    if (inputs.has(name) || meant.has(name) || schema.safeParse(undefined).success) continue;
    // A key that is there but could not be read has been reported already.
    const inputsNode = block.node("inputs");
    if (inputsNode?.kind === "map" && inputsNode.entries.some((entry) => entry.key === name)) continue;
    report({
      code: "missing-input",
      level: "error",
      message: `${block.what}: ${type.type} needs the input '${name}'.`,
      fix: `Add \`${name}:\` under inputs.`,
      range: block.entry("type")?.value.range ?? block.map.range,
    });
  }
}

function checkTogether(
  inputs: ReadonlyMap<string, BlockInput>,
  meant: ReadonlySet<string>,
  block: MapReader,
  type: BlockType,
  isLoop: boolean,
  report: Report,
): void {
  const range = block.node("id")?.range ?? block.map.range;
  const written = writtenInputs(inputs);
  const problems = type.check?.(written, { isLoop }) ?? [];
  // What is wrong only because of an input that is there under a wrong name is an echo of that.
  const named = [...meant].filter((name) => !inputs.has(name)).map((name) => [name, { known: false }] as const);
  const withMeant =
    named.length === 0 ? problems : (type.check?.({ ...written, ...Object.fromEntries(named) }, { isLoop }) ?? []);
  for (const problem of problems) {
    if (withMeant.some(({ code, message }) => code === problem.code && message === problem.message))
      reportInputProblem(problem, block.what, inputs, range, report);
  }
}

export function writtenInputs(inputs: ReadonlyMap<string, BlockInput>): WrittenInputs {
  const written: Record<string, Written> = {};
  for (const [name, input] of inputs) written[name] = writtenForm(input.value);
  return written;
}

/** Points at the text of an input that a problem names, or at the input, or at the block. */
export function reportInputProblem(
  { input, start, end, ...problem }: InputProblem,
  what: string,
  inputs: ReadonlyMap<string, BlockInput>,
  otherwise: Range,
  report: Report,
): void {
  const named = input === undefined ? undefined : inputs.get(input);
  const text = named?.value.kind === "compiled" ? named.value.text : undefined;
  if (text !== undefined && start !== undefined && end !== undefined) {
    report({ ...problem, range: text.rangeOf(start, end) });
    return;
  }
  const range = named?.nameRange ?? otherwise;
  report({ ...problem, message: `${what}: ${problem.message}`, range });
}
