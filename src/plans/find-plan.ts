import { plainValue } from "../definition/plain-value.ts";
import { readYaml } from "../definition/read-yaml.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { isSameValue, toValue, type Value } from "../expression/value.ts";
import { readJsoncAt } from "../util/read-jsonc.ts";
import { err, ok, type Result } from "../util/result.ts";
import { textInPlan, unwrapPlan } from "./unwrap-plan.ts";

/** Longer ones could not become a workflow. */
const longestText = 4_000_000;
/** Places where a value may begin; a text with more of them is no plan with a few words around it. */
const mostTries = 1000;

/** What to write, for whoever wrote something else. */
export const planShape =
  'Give {"steps": [{"action_type": "run_command", "command": "npm test"}]}, alone or in a ```json block.';

/** What was given as a plan, as data: the value itself, or a text that has it in it. */
export function findPlan(given: unknown): Result<Value, Problem> {
  if (typeof given === "string") return findInText(given, 0);
  const value = toValue(given);
  if (!value.ok) return err(problem("bad-plan", `The plan can't be read. ${value.error}`));
  return readInner(value.value, 0);
}

/** A plan that was turned into a text twice, or is a text in a map. */
function readInner(value: Value, depth: number): Result<Value, Problem> {
  const text = typeof value === "string" ? value : unwrapPlan(value) === undefined ? textInPlan(value) : undefined;
  return text === undefined || depth > 2 ? ok(value) : findInText(text, depth + 1);
}

function findInText(text: string, depth: number): Result<Value, Problem> {
  if (text.length > longestText) return err(problem("bad-plan", "The plan is longer than 4 MB.", "Split it."));
  if (text.trim() === "") return err(problem("bad-plan", "The plan is empty.", planShape));
  const found = [...valuesIn(text)];
  const values = found.flatMap((one) => (one.ok ? [one.value] : []));
  const plans = distinct(values.filter((value) => unwrapPlan(value) !== undefined));
  const [plan, other] = plans;
  if (plan !== undefined && other === undefined) return ok(plan);
  if (other !== undefined) {
    const message = `There are ${plans.length} plans in the text.`;
    return err(problem("several-plans", message, "Give one of them."));
  }
  const yaml = readYamlPlan(text);
  if (yaml !== undefined) return ok(yaml);
  const [first] = values;
  const failed = found.find((one) => !one.ok);
  if (failed !== undefined && !failed.ok) {
    return err(problem("bad-plan", `The plan can't be read: ${failed.error}.`, planShape));
  }
  if (first === undefined) return err(problem("bad-plan", "There is no plan in the text.", planShape));
  return readInner(first, depth);
}

/** The values of a text: all of it, or else what stands in its fenced blocks, or else whatever begins a line. */
function* valuesIn(text: string): Generator<Result<Value, string>> {
  const whole = readWhole(text);
  if (whole !== undefined) {
    yield whole;
    return;
  }
  const fences = [...text.matchAll(/^[ \t]*(?:```|~~~)[^\n]*\n\s*(?=[{["])/gm)];
  const starts = fences.length > 0 ? fences : [...text.matchAll(/^[ \t]*(?=[{[])/gm)];
  const inline = starts.length > 0 ? starts : [...text.matchAll(/(?=[{[])/g)];
  let end = 0;
  for (const { index, 0: before } of inline.slice(0, mostTries)) {
    const at = index + before.length;
    if (at < end) continue;
    const read = readJsoncAt(text, at);
    if (read.ok) end = read.value.end;
    // In prose a bracket is most often just that.
    else if (inline !== starts) continue;
    yield read.ok ? toValue(read.value.value) : err(read.error.message);
  }
}

function readWhole(text: string): Result<Value, string> | undefined {
  const body = text.replace(/^\uFEFF/, "").trim();
  if (!/^[{["]/.test(body)) return undefined;
  try {
    return toValue(JSON.parse(body));
  } catch {
    const read = readJsoncAt(body, 0);
    if (!read.ok) return undefined;
    const isAll = body.slice(read.value.end).trim() === "";
    return isAll ? toValue(read.value.value) : undefined;
  }
}

function readYamlPlan(text: string): Value | undefined {
  const [, fenced] = /^[ \t]*(?:```|~~~)ya?ml[^\n]*\n([\s\S]*?)^[ \t]*(?:```|~~~)/m.exec(text) ?? [];
  const read = readYaml({ name: "plan", text: fenced ?? text });
  if (!read.ok) return undefined;
  const value = plainValue(read.value);
  return unwrapPlan(value) === undefined ? undefined : value;
}

function distinct(values: readonly Value[]): readonly Value[] {
  return values.filter((value, index) => values.findIndex((other) => isSameValue(value, other)) === index);
}
