import type { OutputStream } from "../block/ports.ts";
import type { WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { ValueMap } from "../expression/value.ts";
import { childName } from "../plan/block-shape.ts";
import type { Plan } from "../plan/plan.ts";
import { bindInputs, type InputProblem } from "../run/bind-inputs.ts";
import type { FrozenDefinition, RunEvent, RunStarted } from "../run/events.ts";
import { newRunId } from "../run/ids.ts";
import { createPlanSource } from "../run/plan-source.ts";
import { Runner } from "../run/runner.ts";
import { startMetadata } from "../run/start-metadata.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Outside } from "./outside.ts";
import type { Workflows } from "./workflows.ts";

export interface Engine {
  readonly workflows: Workflows;
  readonly outside: Outside;
  readonly maxDepth: number;
}

export interface StartOptions {
  readonly inputs: ValueMap;
  /** A real path. */
  readonly workspace: string;
  readonly maxParallel?: number;
  onEvents(events: readonly RunEvent[]): void;
  onOutput(path: string, stream: OutputStream, chunk: Uint8Array): void;
}

const defaultMaxParallel = 64;

/** Binds the inputs and makes a run that is ready to be driven; nothing has happened when this fails. */
export function startRun(engine: Engine, plan: Plan, options: StartOptions): Result<Runner, readonly InputProblem[]> {
  const { outside, workflows } = engine;
  const { definition } = plan;
  const now = outside.ports.clock.now();
  const runId = newRunId(now);
  const at = now.toISOString();
  const bound = bindInputs(definition, options.inputs, startMetadata(definition.name, runId, at));
  if (!bound.ok) return bound;
  const definitions = freeze(definition, (name) => workflows.callable(name));
  const started: RunStarted = {
    type: "run-started",
    at,
    runId,
    workflow: definition.name,
    definitions,
    inputs: bound.value,
    workspace: options.workspace,
    maxParallel: options.maxParallel ?? definition.maxParallel ?? defaultMaxParallel,
  };
  const plans = createPlanSource(definitions, workflows.catalog, [plan]);
  return ok(
    new Runner(started, plans, {
      ports: outside.ports,
      scratch: outside.createScratch(options.workspace, runId),
      processSlots: outside.processSlots,
      children: {
        maxDepth: engine.maxDepth,
        findLate: (name) => findLate(workflows, name),
        directoryInside: outside.directoryInside,
      },
      onEvents: options.onEvents,
      onOutput: options.onOutput,
      warn: outside.warn,
    }),
  );
}

/** The texts of a workflow and of everything it is known to call, so that the run means the same to its end. */
function freeze(
  root: WorkflowDefinition,
  find: (name: string) => WorkflowDefinition | undefined,
): Record<string, FrozenDefinition> {
  const frozen: Record<string, FrozenDefinition> = {};
  const open = [root];
  for (let definition = open.pop(); definition !== undefined; definition = open.pop()) {
    if (Object.hasOwn(frozen, definition.name)) continue;
    frozen[definition.name] = { file: definition.source.name, text: definition.source.text };
    for (const block of definition.blocks) {
      const name = childName(block);
      const child = name === undefined ? undefined : find(name);
      if (child !== undefined) open.push(child);
    }
  }
  return frozen;
}

function findLate(workflows: Workflows, name: string): Result<FrozenDefinition, string> {
  const checked = workflows.findByName(name);
  if (checked.plan !== undefined) {
    const { source } = checked.plan.definition;
    return ok({ file: source.name, text: source.text });
  }
  const [first] = checked.diagnostics;
  return err(
    first === undefined ? `There is no workflow '${name}'.` : [first.message, first.fix].filter(Boolean).join(" "),
  );
}
