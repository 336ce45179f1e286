import { mostMemory, mostSteps, type RenderAnswer } from "./template-engine.ts";

type NoContent = Exclude<RenderAnswer, { readonly kind: "rendered" }>;

/** Why a template does not render, in one line, with its line in the template. */
export function explainRefusal(answer: NoContent): string {
  if (answer.kind === "exhausted") return `it needs more than ${millions(mostMemory)} MB, or is nested too deeply`;
  const [, reason = answer.message, line] = /^(.*?) \(in <string>:(\d+)\)/s.exec(answer.message) ?? [];
  return `${rephrase(reason, answer.message)}${line === undefined ? "" : ` (line ${line})`}`;
}

function rephrase(reason: string, report: string): string {
  if (reason === "engine ran out of fuel") return `it takes more than ${millions(mostSteps)} million steps`;
  if (reason.startsWith("template not found")) return "a template can't include, import or extend another one";
  if (reason !== "undefined value") return reason;
  const variable = markedText(report);
  return variable === undefined ? "a variable is not defined" : `'${variable}' is not defined`;
}

function millions(number: number): number {
  return number / 1_000_000;
}

const markedLine = /\n *\d+ > (?<line>.*)\n {5}i (?<blanks> *)(?<marks>\^+)/;

/** The variable that the engine's report points at: where one is guarded, at `x or x`; in `x.y.z`, only at `.y.z`. */
function markedText(report: string): string | undefined {
  const { line = "", blanks = "", marks = "" } = markedLine.exec(report)?.groups ?? {};
  const characters = [...line];
  const marked = characters.slice(blanks.length, blanks.length + marks.length).join("");
  const before = characters.slice(0, blanks.length).join("");
  const owner = /^[.[]/.test(marked) ? (/[\p{L}_][\p{L}\p{N}_.]*$/u.exec(before)?.[0] ?? "") : "";
  const variable = /^(.+) or \1$/.exec(marked)?.[1] ?? `${owner}${marked}`;
  return /^[\p{L}_][\p{L}\p{N}_]*(\.\w+|\[[^\]]*\])*$/u.test(variable) ? variable : undefined;
}
