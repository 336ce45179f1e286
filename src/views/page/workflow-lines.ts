import type { WordAdvice } from "../../diagnostic/advice.ts";
import type { Diagnostic } from "../../diagnostic/diagnostic.ts";
import { toData, type WordedDiagnostic, wordDiagnostic } from "../../diagnostic/diagnostic.ts";
import { howItStands } from "../../library/describe-trust.ts";
import { listWorkflows } from "../../library/describe-workflow.ts";
import type { Standing } from "../../library/library.ts";
import { projectOf } from "../../library/project-trust.ts";
import type { Workflows } from "../../library/workflows.ts";
import { defined } from "../../util/defined.ts";
import { pathBelow } from "../../util/path-below.ts";
import { withFrames } from "./code-frames.ts";
import { sayWorkflows } from "./say-workflows.ts";
import type {
  BrokenFile,
  PageDiagnostic,
  PageTrust,
  WorkflowLine,
  WorkflowLines,
  WorkflowSource,
  WorkflowSourceLine,
} from "./workflow-records.ts";

/** How the page words what it can't do itself. */
export interface PageWords {
  readonly advice: WordAdvice;
  /** What a person types who has looked at a project's files. */
  trustCommand(project: string): string;
}

/** Every workflow of the library as its files are now, and the files that are broken; as work that can be interrupted. */
export function* describeLines(
  workflows: Workflows,
  workspace: string,
  words: PageWords,
): Generator<void, WorkflowLines> {
  // Read one by one, so that nothing below takes long.
  for (const entry of workflows.library.entries()) {
    if (entry.head() === undefined) entry.load();
    yield;
  }
  const lines = listWorkflows(workflows).map((workflow) => {
    const { name, description, tags, source, file, standing, replaces_built_in } = workflow;
    const trust = describeTrust(file, standing ?? "trusted", words);
    const target = trust.trusted ? name : (pathBelow(workspace, file) ?? name);
    return {
      name,
      target,
      description: description.trim(),
      tags,
      source,
      file,
      trust,
      ...defined({ replaces_built_in }),
    };
  });
  const listed = { workflows: lines, sources: describeSources(lines), broken: describeBroken(workflows, words) };
  return { ...listed, says: sayWorkflows(listed), warnings: workflows.library.warnings() };
}

export function describeTrust(file: string, standing: Standing, { trustCommand }: PageWords): PageTrust {
  if (standing === "trusted") return { trusted: true };
  const why = `It ${howItStands[standing]}.`;
  return { trusted: false, why, command: trustCommand(projectOf(file) ?? file) };
}

const titles: readonly (readonly [WorkflowSource, string])[] = [
  ["project", "This project"],
  ["user", "Yours"],
  ["template-path", "Shared directories"],
  ["built-in", "Built in"],
];

function describeSources(lines: readonly WorkflowLine[]): readonly WorkflowSourceLine[] {
  return titles.map(([source, title]) => {
    const own = lines.filter((line) => line.source === source);
    // One command trusts all files of a project.
    const untrusted = new Map(own.flatMap(({ trust }) => (trust.trusted ? [] : [[trust.command, trust.why]])));
    return {
      source,
      title,
      untrusted: [...untrusted].map(([command, why]) => {
        const reason = untrusted.size === 1 ? why.replace(/^It comes/, "What is not trusted comes") : why;
        return { command, says: `${reason} It can't be run before a person has looked at the files and typed` };
      }),
    };
  });
}

function describeBroken({ library }: Workflows, words: PageWords): BrokenFile[] {
  return library.broken().map(({ file, source, text, diagnostics }) => ({
    file,
    source,
    problems: withFrames(describeProblems(diagnostics, text, words.advice), text),
    text,
  }));
}

/** What is wrong with a text, as the page shows it: what stands in another text has no line here. */
export function describeProblems(
  diagnostics: readonly Diagnostic[],
  text: string,
  advice: WordAdvice,
): PageDiagnostic[] {
  return diagnostics.map((found) => {
    const { range, ...rest } = found;
    const isOwn = range?.source.text === text;
    return describeProblem(wordDiagnostic(isOwn ? found : rest, advice));
  });
}

function describeProblem(worded: WordedDiagnostic): PageDiagnostic {
  const { level, code, message, why, fix, block, line, column, end_line, end_column } = toData(worded);
  return { level, code, message, ...defined({ why, fix, block, line, column, end_line, end_column }) };
}
