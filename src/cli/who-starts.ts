import { InvalidArgumentError } from "commander";
import type { CliContext } from "./context.ts";
import { cleanLine } from "./text/visible-text.ts";

/** Whether a person sees it begin is what those who look at runs want to know first. */
export function whoStarts(named: string | undefined, { terminal, platform }: CliContext): string {
  if (named !== undefined) return named;
  if (platform.environment.variables.GITHUB_ACTIONS === "true") return "github actions";
  return terminal.canAsk ? "terminal" : "command line";
}

/** Who started a run, where that was not somebody who typed a command. */
export function starterToShow(startedBy: string | null | undefined): string | undefined {
  const isTyped = startedBy === "terminal" || startedBy === "command line";
  return startedBy === null || startedBy === undefined || isTyped ? undefined : cleanLine(startedBy);
}

/** The value of --started-by. */
export function parseStarter(text: string): string {
  const name = text.trim();
  if (name === "") throw new InvalidArgumentError("Say who starts it, such as 'release script'.");
  return name;
}
