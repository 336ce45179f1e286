import type { CliContext } from "../context.ts";
import type { GivenWords } from "./asked-word.ts";

/** What is to be found out of a value that is being typed. */
export interface Question {
  /** The value as far as it is typed. */
  readonly text: string;
  readonly given: GivenWords;
  readonly context: CliContext;
}

/** The directory that the command is told to work in. */
export function workspaceOf({ given, context }: Question): string {
  const named = given.get("--workspace")?.at(-1) ?? ".";
  const real = context.platform.realDirectory(named);
  return real.ok ? real.value : named;
}
