import { Option } from "commander";
import { problem } from "../diagnostic/problem.ts";
import { readEnvFiles } from "../library/read-env-files.ts";
import type { CliContext } from "./context.ts";
import { refuse } from "./print-diagnostics.ts";

export interface DotenvOptions {
  readonly dotenv?: readonly string[];
  readonly envFile?: string;
}

/**
 * Not called --env-file: Node 20 and 22 look for that among the arguments of every script, end with an error of their own where there is
 * no such file, and obey NODE_OPTIONS in it.
 */
export function dotenvOption(): Option {
  return new Option(
    "--dotenv <file>",
    "file of NAME=value lines: variables for commands, and secrets; the environment wins over it; may be repeated",
  ).argParser((file: string, files: readonly string[] = []) => [...files, file]);
}

/** Whoever writes it all the same is told, if Node lets us. */
export function envFileOption(): Option {
  return new Option("--env-file <file>").hideHelp();
}

/** Takes the variables of the files, or gives the exit code of a refusal, before anything is done. */
export function takeDotenv(
  { dotenv = [], envFile }: DotenvOptions,
  json: boolean,
  context: CliContext,
): number | undefined {
  if (envFile !== undefined) {
    const message = "--env-file is an option of Node, which takes it for itself.";
    return refuse([problem("usage", message, "Write --dotenv instead.")], json, context.terminal);
  }
  const read = readEnvFiles(dotenv, context.platform);
  if (!read.ok) return refuse(read.error, json, context.terminal);
  context.addVariables(read.value);
  return undefined;
}
