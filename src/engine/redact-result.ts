import type { PromptRequest } from "../block/define-block.ts";
import type { RecordedChange, StoredState } from "./events.ts";
import type { Redactor } from "./redactor.ts";
import type { LeafResult } from "./run-leaf.ts";

/** What came of a block, without secrets. */
export function redactResult(result: LeafResult, redactor: Redactor): LeafResult {
  if (result.kind === "paused") return { kind: "paused", prompt: redactPrompt(result.prompt, redactor) };
  const { ending } = result;
  return {
    kind: "ended",
    ending: ending.message === null ? ending : { ...ending, message: redactor.text(ending.message) },
    outputs: redactor.map(result.outputs),
  };
}

function redactPrompt(
  { text, audience, schema, choices, default: fallback }: PromptRequest,
  redactor: Redactor,
): PromptRequest {
  return {
    text: redactor.text(text),
    audience,
    ...(schema === undefined ? {} : { schema: redactor.map(schema) }),
    ...(choices === undefined ? {} : { choices: choices.map((choice) => redactor.text(choice)) }),
    ...(fallback === undefined ? {} : { default: redactor.value(fallback) }),
  };
}

/** A file that holds a secret is changed like any other, but its old content is not kept: it can't be put back. */
export function withoutSecretContent(change: RecordedChange, redactor: Redactor): RecordedChange {
  switch (change.kind) {
    case "write":
    case "remove":
      return { ...change, before: withoutContent(change.before, redactor) };
    case "rename":
      return { ...change, replaced: withoutContent(change.replaced, redactor) };
    case "make-directory":
      return change;
  }
}

function withoutContent(state: StoredState, redactor: Redactor): StoredState {
  if (state.kind !== "file" || state.content === undefined) return state;
  if (!redactor.isIn(Buffer.from(state.content, "base64"))) return state;
  const { content: _, ...rest } = state;
  return rest;
}
