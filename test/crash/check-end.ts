import { BlockCannotRun, type BlockResult } from "../../src/block/define-block.ts";
import { interrupted } from "../../src/engine/interruption.ts";
import type { RunNode } from "../../src/engine/run-node.ts";
import type { RunState } from "../../src/engine/state.ts";
import type { Course } from "./course.ts";
import { digestOf } from "./digest.ts";
import { adopted } from "./effect.ts";
import type { Family } from "./make-workflows.ts";
import type { CaseWorkflows } from "./protocol.ts";
import { runUndisturbed } from "./undisturbed.ts";
import type { Violation } from "./violation.ts";

const endings = ["completed success", "completed failure", "failed n/a", "skipped n/a"];

/** Compares the end of a disturbed run with that of one in which the same blocks ended as was decided for them. */
export async function checkEnd(
  state: RunState,
  course: Course,
  family: Family,
  workflows: CaseWorkflows,
  workspace: string,
): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  for (const { path, record, ended } of state.nodes.values()) {
    const ending = `${record.metadata.status} ${record.metadata.outcome}`;
    if (ended && endings.includes(ending)) continue;
    violations.push({ promised: "same end", detail: `the run has ended, but '${path}' is ${ending}` });
  }
  if (family === "loose") return violations;
  if (family === "repeat" && course.decided.size > 0) {
    violations.push({ promised: "same end", detail: `${[...course.decided.keys()]} should have run again` });
  }
  const undisturbed = await runUndisturbed(workflows, workspace, decidedResults(course));
  return [...violations, ...compareNodes(state, undisturbed)];
}

function decidedResults({ decided }: Course): Map<string, BlockResult | Error> {
  const results = new Map<string, BlockResult | Error>();
  for (const [path, decision] of decided) {
    results.set(path, decision === "done" ? adopted : new BlockCannotRun(interrupted.message));
  }
  return results;
}

function compareNodes(state: RunState, undisturbed: RunState): Violation[] {
  const violations: Violation[] = [];
  for (const path of new Set([...state.nodes.keys(), ...undisturbed.nodes.keys()])) {
    const [one, other] = [state.nodes.get(path), undisturbed.nodes.get(path)].map(endOf);
    if (digestOf(one ?? null) === digestOf(other ?? null)) continue;
    const detail = `'${path}' ended as ${JSON.stringify(one)}, undisturbed as ${JSON.stringify(other)}`;
    violations.push({ promised: "same end", detail });
  }
  return violations;
}

/** What is independent of when and how often things happened. */
function endOf(node: RunNode | undefined): unknown {
  if (node === undefined) return null;
  const { inputs, outputs, metadata } = node.record;
  const { status, outcome, message, error } = metadata;
  const remarks = node.inside.kind === "workflow" ? (node.inside.remarks ?? null) : null;
  // How long it waited depends on how busy the machine was.
  const { waited_ms: _, ...rest } = outputs;
  return { inputs, outputs: rest, status, outcome, message: alike(message), error: alike(error), remarks };
}

/** Undisturbed, a block that somebody gave up on crashes, because nothing interrupts it. */
function alike(message: string | null): string | null {
  return message?.replaceAll("was interrupted", "could not run") ?? null;
}
