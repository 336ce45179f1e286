import type { AllowCommandsAdvice, TrustAdvice } from "../diagnostic/advice.ts";
import { quoteWord } from "../util/quote-word.ts";

/**
 * What no tool can do, because it is for a person to decide: a model can only pass it on. Nothing else that a tool says names a
 * command of the command line.
 */
export const forPerson = {
  /** Only a person may answer. */
  answer: (checkpointId: string): string => `tell them to run \`frond resume ${checkpointId}\` in a terminal.`,
  trustProject: ({ project }: Pick<TrustAdvice, "project">): string =>
    `A person has to look at it with \`frond trust --diff ${quoteWord(project, "posix")}\` and then run \`frond trust ${quoteWord(project, "posix")}\`. Tell them.`,
  /** A file that is none of the project's own workflows. */
  adoptFile: (project: string): string =>
    `a person has to put it into .frond/workflows and run \`frond trust ${quoteWord(project, "posix")}\`.`,
  trustFile: (project: string): string =>
    `a person has to look at it and run \`frond trust ${quoteWord(project, "posix")}\` before it can be run.`,
  allowCommands: ({ workflow, workspace }: AllowCommandsAdvice): string =>
    `Or ask a person to restart the server with --allow ${workflow}${workspace === undefined ? "" : ` or --root ${workspace}`}.`,
  allowUnsafe: "Or ask a person to start the server without --no-unsafe.",
  /** The server may work in these directories only. */
  allowRoots: (roots: readonly string[]): string =>
    `Whoever configures the server can allow it with \`frond serve --root ${roots.join(" ")}\`.`,
} as const;
