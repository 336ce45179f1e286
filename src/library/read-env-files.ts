import { parseEnv } from "node:util";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { err, ok, type Result } from "../util/result.ts";
import { explainUnreadable } from "./explain-unreadable.ts";
import type { WorkflowFiles } from "./workflow-files.ts";

/**
 * Variables from files, as Node reads them; the last file wins. Node passes over what it can't read, or takes it for a part of the
 * next line, so every line is looked at first. No message quotes one: it may hold a secret.
 */
export function readEnvFiles(
  paths: readonly string[],
  files: Pick<WorkflowFiles, "readWorkflowText">,
): Result<ReadonlyMap<string, string>, readonly Problem[]> {
  const variables = new Map<string, string>();
  const problems: Problem[] = [];
  for (const path of paths) {
    const read = files.readWorkflowText(path);
    if ("problem" in read) {
      const { message } = explainUnreadable(path, read);
      problems.push(problem("bad-env-file", message, "Name a file with lines such as NAME=value."));
      continue;
    }
    const text = read.text.replace(/^\ufeff/, "");
    const found = findProblems(text).map(({ line, what, fix }) =>
      problem("bad-env-file", `'${path}', line ${line}: ${what}`, fix),
    );
    problems.push(...found);
    if (found.length > 0) continue;
    for (const [name, value] of Object.entries(parseEnv(text))) if (value !== undefined) variables.set(name, value);
  }
  return problems.length === 0 ? ok(variables) : err(problems);
}

interface LineProblem {
  readonly line: number;
  readonly what: string;
  readonly fix: string;
}

const beginning = /^\s*(?:export )?\s*([^=\s]*)\s*=[ \t]*/;

function findProblems(text: string): LineProblem[] {
  const lines = text.split("\n");
  const problems: LineProblem[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const report = (what: string, fix: string): unknown => problems.push({ line: at + 1, what, fix });
    if (/^\s*(?:#|$)/.test(line)) continue;
    if (line.includes("\0")) {
      report("no variable can hold a NUL character.", "Remove it.");
      continue;
    }
    const begun = beginning.exec(line);
    if (begun === null) {
      report("this is not NAME=value.", "Write NAME=value, or # before a comment.");
      continue;
    }
    if (!/^[A-Za-z_]\w*$/.test(begun[1] ?? "")) {
      report("what stands before the = can't be the name of a variable.", "Use letters, digits and _ only.");
      continue;
    }
    const value = line.slice(begun[0].length);
    const quote = /^["'`]/.exec(value)?.[0];
    if (quote === undefined) continue;
    // A value in quotes may have several lines.
    const end = lines.findIndex((one, index) =>
      (index === at ? value.slice(1) : index > at ? one : "").includes(quote),
    );
    if (end === -1) {
      report("the quote before the value is never closed.", `End the value with ${quote}, or remove the quote.`);
      continue;
    }
    const last = end === at ? value.slice(1) : (lines[end] ?? "");
    const rest = last.slice(last.indexOf(quote) + 1);
    if (!/^\s*(?:#|$)/.test(rest)) {
      problems.push({
        line: end + 1,
        what: "something follows the quote that ends the value.",
        fix: "Put the value into another kind of quotes: a quote can't be escaped.",
      });
    }
    at = end;
  }
  return problems;
}
