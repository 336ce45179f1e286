import type { OnInterrupted, Question } from "../block/define-block.ts";
import { shownPath } from "../block/rooted-path.ts";
import type { ChangesFound } from "../changes/compare-changes.ts";
import { effectsOf } from "../changes/effects.ts";
import type { RecordedChange } from "../changes/recorded-change.ts";
import type { BlockInterrupted } from "./events.ts";
import type { Stop } from "./execution.ts";
import { decisions, isInFinally, type RunNode } from "./run-node.ts";

export const interrupted: Stop = {
  cause: "interrupted",
  message: "Frond ended while it ran, so it is not known how far it got",
};

export interface InterruptionOptions {
  /** By address: how the files of interrupted blocks were found that had announced changes. */
  readonly changesFound: ReadonlyMap<string, ChangesFound>;
  /** Decides for every block that was interrupted, whatever the block says. */
  readonly onInterrupted?: OnInterrupted;
}

/** What becomes of an interrupted block. In `finally` nobody is asked. */
export function actionFor(node: RunNode, options: InterruptionOptions): BlockInterrupted["action"] {
  const action = chooseAction(node, options);
  return action === "ask" && isInFinally(node) ? "rerun" : action;
}

/** What is found of changes it announced tells more than any rule. */
function chooseAction(node: RunNode, options: InterruptionOptions): BlockInterrupted["action"] {
  switch (options.changesFound.get(node.path)) {
    case "made":
      return node.fileChange?.rerun === "always" ? "rerun" : "done";
    case "unmade":
      return "rerun";
    case "unclear":
      return options.onInterrupted ?? (node.fileChange?.rerun === undefined ? "ask" : "rerun");
    default:
      return options.onInterrupted ?? ruleFor(node);
  }
}

/** What the block itself, or else its type, says. */
export function ruleFor({ block, record }: RunNode): OnInterrupted {
  const { definition } = block ?? {};
  if (definition === undefined) throw new Error("The root of a run is not a block.");
  if (definition.onInterrupted !== undefined) return definition.onInterrupted;
  const { onInterrupted } = definition.type;
  return typeof onInterrupted === "function" ? onInterrupted(record.inputs) : onInterrupted;
}

export function askAboutInterruption(node: RunNode): Question {
  return {
    text: [...explainInterruption(node), "What should happen to it?"].join("\n"),
    audience: "llm",
    choices: decisions,
  };
}

function explainInterruption({ path, fileChange }: RunNode): readonly string[] {
  if (fileChange === undefined) {
    return [
      `'${path}' was running when Frond ended, so it is not known how far it got.`,
      "rerun: run it once more. done: take it as a success, with what it has written so far. fail: let it fail.",
    ];
  }
  return [
    `'${path}' was changing ${namePlaces(fileChange.changes)} when Frond ended. What is there now is neither the state ` +
      "before it nor after it: another program may have changed it.",
    "rerun: run it once more, on what is there now. done: take it as a success, with what is there now. fail: let it fail.",
  ];
}

const mostNamed = 3;

function namePlaces(changes: readonly RecordedChange[]): string {
  const names = changes.flatMap(effectsOf).map(({ at }) => `'${shownPath(at)}'`);
  const more = names.length - mostNamed;
  return `${names.slice(-mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
