import type { OnInterrupted, PromptRequest } from "../block/define-block.ts";
import { decisions, type Node } from "./node.ts";

export const interruptedMessage = "interrupted: Frond ended while it ran, so it is not known how far it got";

/** What the block itself, or else its type, says is to become of it. */
export function ruleFor({ block }: Node): OnInterrupted {
  const { definition } = block ?? {};
  if (definition === undefined) throw new Error("The root of a run is not a block.");
  return definition.onInterrupted ?? definition.type.onInterrupted;
}

export function askAboutInterruption({ path }: Node): PromptRequest {
  return {
    text: [
      `'${path}' was running when Frond ended, so it is not known how far it got.`,
      "rerun: run it once more. done: take it as a success, with what it has written so far. fail: let it fail.",
      "What is to become of it?",
    ].join("\n"),
    audience: "llm",
    choices: decisions,
  };
}
