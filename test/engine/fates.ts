import type { RunEvent } from "../../src/engine/events.ts";
import { questionOf, type RunNode } from "../../src/engine/run-node.ts";
import type { Steps } from "../rig/steps.ts";
import { must } from "./invariants.ts";

/** Numbers from a seed: the same seed gives the same course of a run. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const mostQuestions = 3;

/** How often a block has asked something of its own, as opposed to having been asked about. */
export function countQuestions(events: readonly RunEvent[], path: string): number {
  return events.filter((event) => event.type === "block-paused" && event.about === "block" && event.path === path)
    .length;
}

/**
 * Ends a step the way it is bound to end: that depends on which block it is and how many questions it has asked, and neither on
 * the order of things nor on how often it was interrupted.
 */
export function meetFate(steps: Steps, path: string, asked: number, fate: number): void {
  const lot = hash(`${asked} ${path}`, fate);
  const kind = lot % 10;
  if (kind < 4) steps.succeed(path, lot % 1000);
  else if (kind < 6) steps.fail(path);
  else if (kind < 7 || asked === mostQuestions) steps.crash(path);
  else steps.pause(path);
}

/** Whatever is asked, the block goes on as it would have. Each of its own questions has an answer of its own. */
export function answerFor(node: RunNode, events: readonly RunEvent[]): string {
  if (questionOf(node)?.about === "interruption") return "rerun";
  return expectedAnswer(countQuestions(events, node.path)) ?? "";
}

/** What a step that runs has been told: the answer to its latest question. */
export function checkAnswers(steps: Steps, events: readonly RunEvent[]): void {
  for (const path of steps.running) {
    const expected = expectedAnswer(countQuestions(events, path));
    must(steps.answer(path) === expected, `${path} goes on with ${steps.answer(path)} instead of ${expected}`);
  }
}

function expectedAnswer(question: number): string | undefined {
  return question === 0 ? undefined : `answer ${question}`;
}

function hash(text: string, seed: number): number {
  let value = seed | 0;
  for (const character of text) value = Math.imul(value ^ character.charCodeAt(0), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}
