import type { TrustAdvice } from "../diagnostic/advice.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { type ProjectSurvey, surveyProject, trustFiles } from "../library/project-trust.ts";
import { pathBelow } from "../util/path-below.ts";
import type { CliContext } from "./context.ts";
import { drawDiffs } from "./drawing/draw-changes.ts";
import { countOf, explainForTerminal, printDiagnostics, refuse } from "./print-diagnostics.ts";
import { askWhether } from "./prompts.ts";
import { lineWidth } from "./text/lay-out-table.ts";
import { cleanLine } from "./text/visible-text.ts";
import { wrapMessage } from "./text/wrap-message.ts";

/** `not asked`: nobody could be, or what they said could not be kept. */
export type TrustAnswer = "trusted" | "declined" | "not asked";

/**
 * Shows a person the files that a command needs and nobody has looked at yet, and asks whether to trust them. What is trusted is
 * what was shown, even if the files change meanwhile, and no other file. Never asks where there is no terminal. Who hears that they are trusted
 * looks again: a workflow that can be read now may call others.
 */
export async function askForTrust(problems: readonly Diagnostic[], context: CliContext): Promise<TrustAnswer> {
  const { terminal, platform } = context;
  const wanted = problems.flatMap(({ level, advice }) =>
    level === "error" && advice?.kind === "trust-project" ? [advice] : [],
  );
  if (!terminal.canAsk || wanted.length === 0) return "not asked";
  const shown = [...new Set(wanted.map(({ project }) => project))].map((project) => {
    const survey = surveyProject(project, platform);
    return { survey, files: textsOf(wanted, survey) };
  });
  // Only `frond trust` has the option that allows it.
  const isForeign = ({ survey }: (typeof shown)[number]): boolean => survey.foreign.length > 0 || survey.hasOtherOwner;
  if (shown.some((one) => isForeign(one) || one.files.size === 0)) return "not asked";
  for (const { survey, files } of shown) {
    terminal.write(`${drawDiffs(survey, platform, terminal.colour, (path) => files.has(path)).join("\n")}\n`);
  }
  for (const { message } of problems.filter(({ advice }) => advice?.kind === "trust-project")) {
    terminal.write(`${wrapMessage(cleanLine(message), lineWidth(terminal)).join("\n")}\n`);
  }
  const paths = shown.flatMap(({ files }) => [...files.keys()]);
  const what = paths.length === 1 ? cleanLine(paths.join("")) : `these ${countOf(paths.length, "file")}`;
  if (!(await askWhether(`Trust ${what} as shown above?`, context))) return "declined";
  const isTrusted = shown.every(({ survey, files }) => {
    const saved = trustFiles(survey.project, files, platform);
    if (!saved.ok) printDiagnostics([{ code: "state-not-written", level: "error", message: saved.error }], terminal);
    return saved.ok && saved.value;
  });
  return isTrusted ? "trusted" : "not asked";
}

/** Says why nothing was done. What a person has read above the question is not told again, only what else can be done. */
export function refuseUntrusted(
  problems: readonly Diagnostic[],
  answer: TrustAnswer,
  json: boolean,
  { terminal }: CliContext,
): number {
  if (answer !== "declined") return refuse(problems, json, terminal);
  const isTold = ({ advice }: Diagnostic): boolean => advice?.kind === "trust-project";
  const fixes = new Set(problems.filter(isTold).map((one) => cleanLine(explainForTerminal(one).fix ?? "")));
  for (const said of ["Nothing was started: it is not trusted.", ...fixes]) {
    terminal.writeError(`${wrapMessage(said, lineWidth(terminal)).join("\n")}\n`);
  }
  return refuse(
    problems.filter((one) => !isTold(one)),
    json,
    terminal,
  );
}

/** As they were read for the survey, by their paths below the project. */
function textsOf(wanted: readonly TrustAdvice[], { project, files }: ProjectSurvey): ReadonlyMap<string, string> {
  return new Map(
    wanted.flatMap(({ file }) => {
      const path = pathBelow(project, file);
      const text = path === undefined ? undefined : files.get(path);
      return path === undefined || text === undefined ? [] : [[path, text] as const];
    }),
  );
}
