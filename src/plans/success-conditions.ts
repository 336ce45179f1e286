import { isList, isMap, type Value } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Form } from "./field.ts";
import { fieldName } from "./field-name.ts";

/** What has to hold when a step has ended. */
export interface SuccessConditions {
  readonly exitCodes: readonly number[];
  readonly files: readonly string[];
  /** Expressions over the step's own record. */
  readonly conditions: readonly string[];
  /** Texts that no engine can judge. */
  readonly unchecked: readonly string[];
}

type Part = Partial<SuccessConditions>;
type Check = (value: Value) => Part | undefined;

/** Outputs in which a text can be looked for, by what conditions call them. */
const searched: Readonly<Record<string, string>> = {
  ...{ stdout: "stdout", output: "stdout", stderr: "stderr", content: "content", body: "body" },
  ...{ url: "current_url", current_url: "current_url", title: "title", extracted: "extracted", text: "extracted" },
};

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...["exit_code", "exitcode", "return_code", "exit_codes"].map((name) => [name, exitCode] as const),
  ...["file_exists", "exists", "file", "creates"].map((name) => [name, fileExists] as const),
  ["status_code", (value) => (isNumber(value) ? { conditions: [`this.status_code == ${Number(value)}`] } : undefined)],
  ...Object.entries(searched).map(([name, output]): readonly [string, Check] => [
    `${name}_contains`,
    (value) => (typeof value === "string" ? { conditions: [`contains(this.${output}, ${quote(value)})`] } : undefined),
  ]),
]);

/** One condition or a list of them: a map, a pair of `type` and `value`, or a text such as `exit_code == 0`. */
export const successConditions: Form<SuccessConditions> = (value) => {
  const parts: Part[] = [];
  for (const one of isList(value) ? value : [value]) {
    const read = readCondition(one);
    if (!read.ok) return read;
    parts.push(...read.value);
  }
  const files = parts.flatMap((part) => part.files ?? []);
  if (files.length > 1) return err("name more than one file that has to exist: a step can look for one");
  return ok({
    exitCodes: parts.flatMap((part) => part.exitCodes ?? []),
    files,
    conditions: parts.flatMap((part) => part.conditions ?? []),
    unchecked: parts.flatMap((part) => part.unchecked ?? []),
  });
};

function readCondition(condition: Value): Result<readonly Part[], string> {
  if (typeof condition === "string") return ok([readText(condition)]);
  if (!isMap(condition)) return err('must be texts or maps, such as {"exit_code": 0}');
  const { type, value, path, expected, text } = condition;
  const pair = typeof type === "string" ? [[type, value ?? expected ?? path ?? text ?? null] as const] : undefined;
  const parts: Part[] = [];
  for (const [name, wanted] of pair ?? Object.entries(condition)) {
    const part = checks.get(fieldName(name))?.(wanted);
    if (part === undefined)
      return err(`hold '${name}', which can't be checked. Known: ${[...checks.keys()].join(", ")}`);
    parts.push(part);
  }
  return ok(parts);
}

/** A text that names a check is that check; any other is kept for people. */
function readText(condition: string): Part {
  const text = condition.trim();
  const [, file] = /^file\s+['"`]?(\S+?)['"`]?\s+exists[.]?$/i.exec(text) ?? [];
  if (file !== undefined) return { files: [file] };
  const [, searchedIn, wanted] = /^(\w+)\s+contains:?\s+(.+)$/i.exec(text) ?? [];
  const output = searchedIn === undefined ? undefined : checks.get(`${fieldName(searchedIn)}_contains`);
  if (output !== undefined) return output(unquote(wanted ?? "")) ?? {};
  const [, name, value] = /^(\w+(?: \w+)?)\s*(?:===?|=|:|\bis\b|\bequals\b|\s)\s*(\S.*)$/i.exec(text) ?? [];
  const check = name === undefined ? undefined : checks.get(fieldName(name));
  return check?.(unquote(value ?? "")) ?? { unchecked: text === "" ? [] : [text] };
}

function unquote(text: string): string {
  return /^(['"`])(.*)\1$/.exec(text)?.[2] ?? text;
}

function exitCode(value: Value): Part | undefined {
  const codes = isList(value) ? value : [value];
  return codes.length > 0 && codes.every(isNumber) ? { exitCodes: codes.map(Number) } : undefined;
}

function isNumber(value: Value): boolean {
  return typeof value === "number" ? Number.isInteger(value) : typeof value === "string" && /^\d{1,6}$/.test(value);
}

function fileExists(value: Value): Part | undefined {
  return typeof value === "string" && value.trim() !== "" ? { files: [value] } : undefined;
}

/** A text as an expression has it, in which nothing is an expression. */
function quote(text: string): string {
  const escaped = text
    .replaceAll(/[\\']/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t");
  return `'${escaped.replaceAll("${", () => "$${")}'`;
}
