import { childNodes, questionOf, type RunNode } from "../../engine/run-node.ts";
import type { RunState } from "../../engine/state.ts";
import { defined } from "../../util/defined.ts";
import { formOf } from "./answer-form.ts";
import { cutMessage, describeSpend } from "./block-card.ts";
import { cutValues } from "./cut-values.ts";
import { findFailures } from "./find-failures.ts";
import type { PageQuestion, PageStanding, RunHead } from "./page-records.ts";
import { nameSome } from "./panel-rows.ts";
import { plainMessage } from "./plain-message.ts";
import { describeActions } from "./run-actions.ts";
import type { RunPicture } from "./run-picture.ts";
import { sayRun } from "./say-run.ts";

const mostFailures = 20;

/** What stands above every view of a run. */
export function describeHead(picture: RunPicture): RunHead {
  const { state, surroundings } = picture;
  const { root, started, finished } = state;
  const standing = standingOfRun(picture);
  const failures = findFailures(picture);
  return {
    run_id: started.runId,
    workflow: started.workflow,
    ...defined({ label: surroundings.label }),
    standing,
    sentence: sayRun(picture, standing, failures),
    started_at: started.at,
    finished_at: finished?.at ?? null,
    duration_ms: durationOf(picture, standing),
    workspace: started.workspace,
    ...defined({
      started_by: started.startedBy,
      spend: describeSpend(root),
      wake_at: finished === undefined ? state.wakeAt : undefined,
      rerun_of: started.rerunOf,
      undo_of: started.undoOf?.runId,
      undone_by: surroundings.undoneBy,
      outputs: describeOutputs(state),
    }),
    questions: listQuestions(picture),
    failures: failures.slice(0, mostFailures).map(({ path, record }) => ({
      address: path,
      message: cutMessage(record.metadata.message) ?? "failed",
    })),
    actions: describeActions(picture, standing),
    sequence: state.sequence,
  };
}

/** What nobody drives has stood still since it was last heard of. */
function durationOf({ state: { root, started, finished, latest } }: RunPicture, standing: PageStanding): number | null {
  if (finished !== undefined) return Math.round(root.record.metadata.execution_time_ms);
  return standing === "interrupted" ? Date.parse(latest) - Date.parse(started.at) : null;
}

function standingOfRun(picture: RunPicture): PageStanding {
  const { state, surroundings } = picture;
  if (state.finished === undefined) {
    if (surroundings.waitsFor !== undefined) return "to_come";
    const standing = picture.standing(state.root);
    // Of a run that rests, its own words count: what sleeps in it may be woken by anybody.
    return state.paused && standing === "running" ? "sleeping" : standing;
  }
  if (surroundings.undoneBy !== undefined) return "undone";
  if (state.finished.outcome === "success") return "done";
  return state.cancelRequested ? "cancelled" : "failed";
}

/** Those that wait for an answer, oldest first. */
function listQuestions(picture: RunPicture): PageQuestion[] {
  return [...picture.state.questions.values()].flatMap((node) => {
    const question = describeQuestion(picture, node);
    return question === undefined ? [] : [question];
  });
}

export function describeQuestion({ spans }: RunPicture, node: RunNode): PageQuestion | undefined {
  const asked = questionOf(node);
  if (asked === undefined) return undefined;
  const { text, audience, schema, choices } = asked.question;
  const held = listHeldUp(node);
  const prompt = plainMessage(text);
  const question = {
    id: asked.id,
    block: node.path,
    prompt,
    audience,
    about: asked.about,
    asked_at: spans.of(node.path).at(-1)?.from ?? null,
    ...defined({ schema, choices, default: asked.question.default, holds_up: held, waiting: sayWaiting(held ?? []) }),
  };
  const [title = "", ...rest] = prompt.trim().split("\n");
  return {
    ...question,
    title,
    more: rest.join("\n").trim(),
    asks: sayAsker(asked.about, audience),
    form: formOf(question),
  };
}

function sayAsker(about: PageQuestion["about"], audience: PageQuestion["audience"]): string {
  if (about === "budget") return "has used up a budget";
  if (about === "interruption") return "was interrupted";
  return audience === "human" ? "asks a person" : "asks the model; a person can answer, too";
}

function sayWaiting(held: readonly string[]): string | undefined {
  if (held.length === 0) return undefined;
  return `${nameSome(held)} ${held.length === 1 ? "waits" : "wait"} for the answer.`;
}

const mostHeldUp = 20;

/** What waits for a block, nearest first: beside it, and beside whatever holds it. */
export function listHeldUp(node: RunNode, most: number = mostHeldUp): readonly string[] | undefined {
  const held: string[] = [];
  for (let at: RunNode | undefined = node; at?.parent !== undefined && held.length < most; at = at.parent) {
    const siblings = childNodes(at.parent);
    if (at.element !== undefined) continue;
    const seen = new Set<number>();
    const queue = [...(at.block?.dependents ?? [])];
    for (let next = queue.shift(); next !== undefined && held.length < most; next = queue.shift()) {
      if (seen.has(next)) continue;
      seen.add(next);
      const sibling = siblings[next];
      if (sibling === undefined || sibling.ended) continue;
      if (sibling.record.metadata.status === "pending") held.push(sibling.path);
      queue.push(...(sibling.block?.dependents ?? []));
    }
  }
  return held.length === 0 ? undefined : held;
}

function describeOutputs({ root, finished }: RunState): RunHead["outputs"] {
  const isDeclared = root.inside.kind === "workflow" && root.inside.plan.definition.outputs.size > 0;
  return finished === undefined || !isDeclared ? undefined : cutValues(root.record.outputs);
}
