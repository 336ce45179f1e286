import type { Result } from "../util/result.ts";
import type { Completer } from "./complete.ts";
import type { ServerContext } from "./server-context.ts";

/** A prompt is one object: its name, its documentation, what it takes and the text it makes. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** What the model is to read, or why there is nothing to say. All arguments are there. */
  write(args: Readonly<Record<string, string>>, context: ServerContext): Result<string, string>;
}

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly complete?: Completer;
}
