import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UndoOptions, UndoPlan } from "../../src/runs/undo-plan.ts";
import { undoRun } from "../../src/runs/undo-run.ts";
import type { TestEngine } from "../rig/engine.ts";

/** Blocks that change files, and how these are looked at and taken back. */

export function create(id: string, path: string, content: string, more: object = {}): object {
  return { id, type: "CreateFile", inputs: { path, content, overwrite: true, create_parents: true }, ...more };
}

export function shell(id: string, command: string): object {
  return { id, type: "Shell", inputs: { command } };
}

export function read({ workspace }: TestEngine, path: string): string | undefined {
  const file = join(workspace, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

export function write({ workspace }: TestEngine, path: string, text: string): void {
  writeFileSync(join(workspace, path), text);
}

/** The id of the run that did it is empty where there was nothing to do. */
export async function undo(
  { engine }: TestEngine,
  runId: string | undefined,
  options: UndoOptions = {},
): Promise<{ readonly runId: string; readonly plan: UndoPlan }> {
  if (runId === undefined) throw new Error("There is no run.");
  const undone = await undoRun(engine, runId, { onEvents() {}, onOutput() {}, ...options });
  if (!undone.ok) throw new Error(JSON.stringify(undone.error));
  const { run, plan } = undone.value;
  await run?.settled();
  return { runId: run?.runId ?? "", plan };
}
