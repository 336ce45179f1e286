import type { ValueMap } from "../../expression/value.ts";

/** What a thread is asked to render. */
export interface RenderRequest {
  readonly source: string;
  readonly variables: ValueMap;
  /** Whether a variable that is not defined is an error. */
  readonly strict: boolean;
  /** Whether a newline at the end of the template is a part of it. */
  readonly keepsLastNewline: boolean;
  /** Only whether it can be read, as it stands. */
  readonly onlyParse?: boolean;
}

export type RenderAnswer =
  | { readonly kind: "rendered"; readonly content: string }
  | { readonly kind: "refused"; readonly message: string; readonly line: number }
  /** More memory than there is, or nested too deeply. */
  | { readonly kind: "exhausted" };

export interface ThreadAnswer {
  readonly answer: RenderAnswer;
  /** Whether the thread is as good as new. */
  readonly isReusable: boolean;
}

export const mostMemoryMb = 256;

/** Why a template does not render, in one line, with its line in the template. */
export function explainRefusal(answer: Exclude<RenderAnswer, { readonly kind: "rendered" }>): string {
  if (answer.kind === "exhausted") return `it needs more than ${mostMemoryMb} MB, or is nested too deeply`;
  return `${answer.message} (line ${answer.line})`;
}
