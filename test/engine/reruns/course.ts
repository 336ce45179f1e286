import type { RunEvent } from "../../../src/engine/events.ts";
import { isLeaf, type RunNode } from "../../../src/engine/run-node.ts";
import type { RunState } from "../../../src/engine/state.ts";
import { answerQuestion } from "../../../src/runs/answer-question.ts";
import type { DrivenRun, RunListener } from "../../../src/runs/driven-run.ts";
import { readRun } from "../../../src/runs/read-run.ts";
import type { Runtime } from "../../../src/runs/runtime.ts";
import { startRun } from "../../../src/runs/start-run.ts";
import { takeOver } from "../../../src/runs/take-over.ts";
import { digestOf } from "../../crash/digest.ts";
import { openTestEngine, type TestEngine } from "../../rig/engine.ts";
import type { TestMachine } from "../../rig/machine.ts";
import { rerunHere } from "../../rig/rerun-here.ts";
import type { Case } from "./make-case.ts";
import { createWorkType, type World } from "./work.ts";

/** What happens to a run on its way. */
export interface Disturbance {
  readonly kind: "none" | "cancel" | "die" | "die-and-go-on" | "leave-paused";
  /** Which of its events it happens at. */
  readonly at: number;
  readonly broken: ReadonlySet<string>;
}

export const undisturbed: Disturbance = { kind: "none", at: 0, broken: new Set() };

/** A run where it was left, at its end or not. */
export interface Left {
  readonly runId: string;
  readonly state: RunState;
}

export interface CaseEngine {
  isAccepted(): boolean;
  run(disturbance: Disturbance): Promise<Left>;
  rerun(before: string, disturbance: Disturbance, from?: string): Promise<Left>;
  close(): Promise<void>;
}

/** An engine whose library is that of a case. */
export function openCase({ root, library, inputs }: Case, machine: TestMachine): CaseEngine {
  let world: World = { broken: new Set() };
  const work = createWorkType({
    get broken() {
      return world.broken;
    },
  });
  const opened: TestEngine[] = [];
  const boot = (): TestEngine => {
    const engine = openTestEngine({ workflows: library, types: [work], machine });
    opened.push(engine);
    return engine;
  };

  async function follow(
    begin: (engine: TestEngine, listener: RunListener) => Promise<DrivenRun>,
    how: Disturbance,
  ): Promise<Left> {
    world = how;
    const engine = boot();
    let count = 0;
    let run: DrivenRun | undefined;
    const dies = how.kind === "die" || how.kind === "die-and-go-on";
    let bury = (): void => {};
    const death = new Promise<"dead">((resolve) => {
      bury = () => {
        engine.process.die();
        resolve("dead");
      };
    });
    const listener: RunListener = {
      onEvents(events: readonly RunEvent[]) {
        const before = count;
        count += events.length;
        if (before > how.at || count <= how.at) return;
        if (dies) bury();
        if (how.kind === "cancel") void run?.cancel("cancelled").catch(() => {});
      },
      onOutput() {},
    };
    const begun = begin(engine, listener);
    const first = await Promise.race([begun, death]);
    if (first !== "dead") run = first;
    const runId = run?.runId ?? "";
    const ended = run === undefined ? "dead" : await Promise.race([toEnd(engine.engine, run, listener, how), death]);
    if (ended !== "dead") return { runId, state: ended };
    const other = boot();
    const id = runId === "" ? await lastRun(machine) : runId;
    if (how.kind === "die") return { runId: id, state: await look(other, id) };
    world = { broken: new Set() };
    const taken = await takeOver(other.engine, id, silent);
    if (!taken.ok) return { runId: id, state: await look(other, id) };
    return { runId: id, state: await toEnd(other.engine, taken.value, silent, undisturbed) };
  }

  const text = { name: "root.yaml", text: JSON.stringify({ name: "root", description: "Made by a test", ...root }) };

  return {
    isAccepted() {
      const { plan, diagnostics } = boot().engine.workflows.checkText(text);
      return plan !== undefined && diagnostics.every(({ level }) => level !== "error");
    },
    run: (how) =>
      follow(async ({ engine, workspace }, listener) => {
        const { plan } = engine.workflows.checkText(text);
        if (plan === undefined) throw new Error("The workflow is refused.");
        const begun = await startRun(engine, plan, { inputs, workspace, ...listener });
        if (!begun.ok) throw new Error(JSON.stringify(begun.error));
        return begun.value;
      }, how),
    rerun: (before, how, from) =>
      follow(async ({ engine }, listener) => {
        const workflow = engine.workflows.checkText(text);
        const given = () => ({ ok: true, value: inputs }) as const;
        const trust = "any-file" as const;
        const more = from === undefined ? {} : { from };
        const begun = await rerunHere(engine, before, { workflow, inputs: given, trust, ...more, ...listener });
        if (!begun.ok) throw new Error(JSON.stringify(begun.error));
        return begun.value.run;
      }, how),
    async close() {
      for (const engine of opened) await engine.close();
    },
  };
}

const silent: RunListener = { onEvents() {}, onOutput() {} };

async function lastRun({ journal }: TestMachine): Promise<string> {
  const [last] = await journal.list({ limit: 1 });
  return last?.runId ?? "";
}

async function look({ engine }: TestEngine, runId: string): Promise<RunState> {
  const read = await readRun(engine.platform, engine.workflows.catalog, runId);
  if (!read.ok) throw new Error(read.error.message);
  return read.value.state;
}

/** Whoever is asked answers by what is asked. */
async function toEnd(runtime: Runtime, begun: DrivenRun, listener: RunListener, how: Disturbance): Promise<RunState> {
  for (let run = begun; ; ) {
    const settled = await run.settled();
    const state = await run.inspect((now) => now);
    const [waiting] = state.questions;
    if (settled === "finished" || (settled === "paused" && how.kind === "leave-paused") || waiting === undefined)
      return state;
    const [id, { stage }] = waiting;
    const text = stage.kind === "asking" ? stage.question.text : "";
    const answer = { value: digestOf(["answer", text]), by: "test", isHuman: true };
    const answered = await answerQuestion(runtime, id, answer, listener);
    if (!answered.ok || answered.value.kind !== "driven") throw new Error("The answer was not taken.");
    run = answered.value.run;
  }
}

/** What two runs came to that is not the same, without what tells when and by whom. */
export function differences(one: RunState, other: RunState): string[] {
  const [first, second] = [one, other].map(resultOf) as [ReadonlyMap<string, string>, ReadonlyMap<string, string>];
  const paths = new Set([...first.keys(), ...second.keys()]);
  return [...paths]
    .filter((path) => first.get(path) !== second.get(path))
    .map((path) => `'${path}' came to ${first.get(path)} and not to ${second.get(path)}`);
}

function resultOf({ nodes }: RunState): ReadonlyMap<string, string> {
  return new Map([...nodes].map(([path, node]) => [path, JSON.stringify(told(node))]));
}

/** How often it was tried is left out: an attempt that was interrupted counts. */
function told({ record: { metadata, inputs, outputs } }: RunNode): unknown {
  const { status, outcome, message } = metadata;
  return { status, outcome, message, inputs, outputs };
}

/** Blocks that did something in this run, and those whose result came from another, each by address. */
export function whoRan({ nodes }: RunState): { readonly ran: readonly RunNode[]; readonly reused: readonly RunNode[] } {
  const leaves = [...nodes.values()].filter((node) => node.block !== undefined && isLeaf(node));
  return {
    ran: leaves.filter((node) => node.origin === undefined && node.record.metadata.attempts > 0),
    reused: leaves.filter((node) => node.origin !== undefined),
  };
}
