import { resolve } from "node:path";
import type { AllowCommandsAdvice, TrustAdvice } from "../diagnostic/advice.ts";
import { quoteWord } from "../util/quote-word.ts";

/**
 * What no tool can do, because it is for a person to decide: a model can only pass it on. A person who is told to type something is
 * told all of it, with the directory to type it in, and the state directory where the server has been given one: the person's terminal
 * need not have it. Nothing else that a tool says names a command of the command line.
 */
export const forPerson = {
  /** Only a person may answer. */
  answer: (checkpointId: string, workspace: string): string =>
    `tell them to run \`cd ${quote(workspace)} && ${frond()} resume ${checkpointId}\` in a terminal.`,
  trustProject: ({ project }: Pick<TrustAdvice, "project">): string =>
    `A person has to look at it with \`${frond()} trust --diff ${quote(project)}\` and then run \`${frond()} trust ${quote(project)}\`. Tell them.`,
  /** A file that is none of the project's own workflows. */
  adoptFile: (project: string): string =>
    `a person has to put it into .frond/workflows and run \`${frond()} trust ${quote(project)}\`.`,
  trustFile: (project: string): string =>
    `a person has to look at it and run \`${frond()} trust ${quote(project)}\` before it can be run.`,
  allowCommands: ({ workflow, workspace }: AllowCommandsAdvice): string =>
    `Or ask a person to add ${inConfiguration(`--allow ${workflow}${workspace === undefined ? "" : ` or --root ${quote(workspace)}`}`)}.`,
  allowUnsafe: `Or ask a person to take \`--no-unsafe\` out of the arguments of this server in the client's configuration.`,
  /** The server may work in these directories only. */
  allowRoots: (roots: readonly string[]): string =>
    `A person can allow it: ask them to add ${inConfiguration(`--root ${roots.map(quote).join(" ")}`)}.`,
} as const;

/** What a person types who has looked at a project's files. */
export function trustCommand(project: string): string {
  return `${frond()} trust ${quote(project)}`;
}

/** Clients start the server, with the arguments that their configuration names. */
function inConfiguration(options: string): string {
  return `\`${options}\` to the arguments of this server in the client's configuration`;
}

/** The command itself. In the shells of Windows a variable is not set in front of one. */
function frond(): string {
  const { FROND_STATE_DIR: state } = process.env;
  const isUsual = state === undefined || state === "" || process.platform === "win32";
  return isUsual ? "frond" : `FROND_STATE_DIR=${quote(resolve(state))} frond`;
}

function quote(word: string): string {
  return quoteWord(word, process.platform);
}
