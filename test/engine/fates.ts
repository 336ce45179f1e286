import type { RunEvent } from "../../src/engine/events.ts";
import { addressWithin, questionOf, type RunNode } from "../../src/engine/run-node.ts";
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

/** How often a block has asked something of its own, as opposed to having been asked about, since it was last tried again. */
function countQuestions(events: readonly RunEvent[], path: string): number {
  let count = 0;
  for (const event of events) {
    if (event.type === "attempt-ended" && `${path}/`.startsWith(`${event.path}/`)) count = 0;
    if (event.type === "block-paused" && event.about === "block" && event.path === path) count++;
  }
  return count;
}

/**
 * Ends a step the way it is bound to end: that depends on which block it is, in which of the attempts around it, and how many
 * questions it has asked, and neither on the order of things nor on how often it was interrupted. A block that is tried again fails
 * up to a certain attempt, or in each of them: interruptions, which count as attempts, then make no difference to its end.
 */
export function meetFate(steps: Steps, node: RunNode, events: readonly RunEvent[], fate: number): void {
  const { path, record } = node;
  const asked = countQuestions(events, path);
  const address = addressWithin(node);
  const lot = hash(`${asked} ${address}`, fate);
  const limit = attemptLimit(node);
  const succeedsFrom = 1 + (hash(`from ${address}`, fate) % (limit + 1));
  const fails = limit > 1 && (succeedsFrom > limit || record.metadata.attempts < succeedsFrom);
  if (fails) return steps.fail(path);
  const kind = lot % 10;
  if (kind < 4) steps.succeed(path, lot % 1000);
  else if (kind < 6) steps.fail(path);
  else if (kind < 7 || asked === mostQuestions) steps.crash(path);
  else steps.pause(path);
}

/** How often a block may be tried, apart from interruptions. Of a loop each pass is tried for itself. */
export function attemptLimit({ block, inside }: RunNode): number {
  const attempts = block?.definition.retry?.attempts;
  return attempts?.kind !== "literal" || inside.kind === "loop" ? 1 : Number(attempts.value);
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
