import { endOfOutput } from "../../views/failures.ts";
import { withElement } from "../../views/pass-names.ts";
import { type LiveRun, lookAt, type ShownRun } from "../../views/shown-run.ts";
import type { CliContext } from "../context.ts";
import { nextSteps } from "../next-steps.ts";
import type { RunView } from "../run-view.ts";
import type { GitHubCommands } from "./github-commands.ts";
import { describeSummary } from "./step-summary.ts";

/** GitHub shows ten of each kind for a step. */
const mostAnnotations = 10;

/** The same view; at the end the CI is told what it can show beside the output. */
export function reportingToCi(view: RunView, json: boolean, { terminal, addSummary }: CliContext): RunView {
  const { github } = terminal;
  if (github === undefined && addSummary === undefined) return view;
  let run: LiveRun | undefined;
  const tell = (shown: ShownRun): void => {
    if (!json && github !== undefined) annotateRun(shown, github);
    addSummary?.(describeSummary(shown));
  };
  return {
    begin(begun, hint) {
      run = begun;
      view.begin(begun, hint);
    },
    onPastEvents: (events) => view.onPastEvents?.(events),
    onEvents: (events) => view.onEvents(events),
    onOutput: (path, stream, chunk) => view.onOutput(path, stream, chunk),
    say: (message, style) => view.say(message, style),
    watch: (watcher) => view.watch(watcher),
    show: (panel) => view.show(panel),
    async end() {
      await view.end();
      // A run that could not be recorded to its end has nothing that may be shown.
      if (run !== undefined) await lookAt(run, tell).catch(() => {});
    },
    isInSight: (block) => view.isInSight?.(block) === true,
  };
}

/** What failed is an error; what failed and was dealt with, or waits for somebody, a warning. */
function annotateRun(shown: ShownRun, github: GitHubCommands): void {
  const {
    failed_blocks: failed = [],
    handled_failures: handled = [],
    pending = [],
    output_errors: nulls = {},
  } = shown.describe({ format: "minimal", nextSteps });
  const name = (block: string): string => withElement(block, shown.elementOf(block));
  for (const one of failed.slice(0, mostAnnotations)) {
    const { block, message } = one;
    const tail = endOfOutput(one);
    const text = tail === "" ? message : `${message}\n${tail}`;
    github.annotate({
      level: "error",
      title: `${name(block)}: failed`,
      message: text,
      ...placeOf(block, shown, github),
    });
  }
  const warnings = [
    ...handled.map(({ block, handled_by: by, message }) => {
      const how = by.length === 0 ? "failed, as it may" : `failed, and was handled by ${by.join(", ")}`;
      return { block, title: `${name(block)}: ${how}`, message };
    }),
    ...pending.map((question) => {
      const message = `${question.prompt.trim()}\n${nextSteps.answer([question])}`;
      return { block: question.block, title: `${name(question.block)}: waits for an answer`, message };
    }),
    ...Object.entries(nulls).map(([name, message]) => ({ block: "", title: `output ${name}: is null`, message })),
  ];
  for (const { block, title, message } of warnings.slice(0, mostAnnotations)) {
    github.annotate({ level: "warning", title, message, ...placeOf(block, shown, github) });
  }
}

/** The block itself, or what called it, if its own text is no file of the repository. */
function placeOf(path: string, shown: ShownRun, github: GitHubCommands): { file?: string; line?: number } {
  for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const found = shown.locate(at);
    if (found !== undefined && github.holds(found.file)) return found;
  }
  return {};
}
