import { Option } from "commander";
import { readEnvFiles } from "../../library/read-env-files.ts";
import type { CliContext } from "../context.ts";
import { refuse } from "../print-diagnostics.ts";

export interface DotenvOptions {
  readonly dotenv?: readonly string[];
}

/**
 * By its usual name, and by one of our own: Node 20 and 22 look for --env-file among the arguments of every script, end with an error
 * of their own where there is no such file, and obey NODE_OPTIONS in it.
 */
export function dotenvOption(): Option {
  return new Option(
    "--env-file, --dotenv <file>",
    "file of NAME=value lines: variables for commands, and secrets; the environment wins over it; may be repeated",
  ).argParser((file: string, files: readonly string[] = []) => [...files, file]);
}

/** Takes the variables of the files, or gives the exit code of a refusal, before anything is done. */
export function takeDotenv({ dotenv = [] }: DotenvOptions, json: boolean, context: CliContext): number | undefined {
  const read = readEnvFiles(dotenv, context.platform);
  if (!read.ok) return refuse(read.error, json, context.terminal);
  context.addVariables(read.value);
  return undefined;
}
