import { resolve } from "node:path";
import { BlockCannotRun, type LeafBehaviour, type NestedBehaviour } from "../block/define-block.ts";
import type { RootedPath } from "../block/ports.ts";
import type { ForeseenChange } from "../changes/foreseen-changes.ts";
import type { BlockDefinition } from "../definition/workflow-definition.ts";
import { isUnknown, UnknownRead, unknownValue, whenKnown } from "../expression/unknown-value.ts";
import type { ValueMap } from "../expression/value.ts";
import { ok } from "../util/result.ts";
import { isSliceOver, nextSlice } from "../util/time-slice.ts";
import { type Conclusion, concludeFinally, concludeLoop, concludeRepeat, concludeWorkflow } from "./conclude.ts";
import { defaultOutputs } from "./default-outputs.ts";
import { enterChild } from "./enter-child.ts";
import type { Inside, RunEvent, RunStarted, SkipReason } from "./events.ts";
import { crashed, type Ending, emptyMap, succeeded } from "./execution.ts";
import { type Foreseen, ForeseenBlocks } from "./foreseen-blocks.ts";
import { type ForeseenInputs, foreseeInputs, wholeArguments } from "./foreseen-inputs.ts";
import { dependenciesOf, failuresBehind } from "./judge.ts";
import { type RunLimits, refuseNodes } from "./limits.ts";
import { loopOutputs } from "./loop-outputs.ts";
import { judgeBlock, resolveCall, resolveElements } from "./prepare-block.ts";
import { canRehearse, filesOf, type Rehearsal, rehearseExpectation, rehearseLeaf } from "./rehearse-leaf.ts";
import type { Reuse } from "./reuse.ts";
import { crashMessage } from "./run-leaf.ts";
import {
  childNodes,
  isInFinally,
  isLeaf,
  isLoop,
  type LoopInside,
  type RunNode,
  type WorkflowInside,
} from "./run-node.ts";
import type { EnginePlatform, RunnerOptions } from "./runner-options.ts";
import { Scheduler } from "./scheduler.ts";
import { WorkflowScope } from "./scope.ts";
import { applyEvent, createState, frozenDefinition, type PlanSource, type RunState } from "./state.ts";
import type { Step } from "./step.ts";

/**
 * What a run would do, found out without doing it. The real scheduler and the real judgements decide over a state made of events
 * that nobody records. Blocks that only change files run for real, on an overlay; those that reach further are not run, and are
 * taken to succeed with outputs that are not known. What depends on something that is not known may run or not.
 */

export interface DryRunOptions {
  readonly platform: EnginePlatform;
  /** Where Frond keeps its own data; a real path. */
  readonly stateDirectory: string;
  readonly limits: RunLimits;
  readonly findLate: RunnerOptions["findLate"];
  readonly signal: AbortSignal;
  /** What the run could take over from another one. */
  readonly reuse?: (state: RunState) => Promise<Pick<Reuse, "decide">>;
}

export interface DryRun {
  readonly state: RunState;
  readonly foreseen: ReadonlyMap<RunNode, Foreseen>;
  /** Files that would be different for certain. */
  readonly files: readonly ForeseenChange[];
}

export async function dryRun(started: RunStarted, plans: PlanSource, options: DryRunOptions): Promise<DryRun> {
  return new DryRunner(started, plans, options).run();
}

class DryRunner {
  readonly #options: DryRunOptions;
  readonly #runId: string;
  readonly #at: string;
  readonly #state: RunState;
  readonly #scheduler: Scheduler;
  readonly #assumed = new Set<RunNode>();
  readonly #found: ForeseenBlocks;
  #reuse: Pick<Reuse, "decide"> | undefined;

  constructor(started: RunStarted, plans: PlanSource, options: DryRunOptions) {
    this.#options = options;
    this.#runId = started.runId;
    this.#at = started.at;
    this.#state = createState(started, plans, this.#assumed);
    this.#scheduler = new Scheduler(this.#state);
    this.#found = new ForeseenBlocks(this.#state.root, options.platform.files, options.platform.secrets.redactor);
  }

  async run(): Promise<DryRun> {
    const { root } = this.#state;
    this.#reuse = await this.#options.reuse?.(this.#state);
    for (let step = this.#scheduler.next(); step !== undefined; step = this.#scheduler.next()) {
      if (isSliceOver()) await nextSlice();
      this.#options.signal.throwIfAborted();
      await this.#attempt(step);
    }
    if (this.#state.finished === undefined) throw new Error("The dry run can't go on.");
    const files = await this.#found.changesIn(this.#found.filesFor(root));
    return { state: this.#state, foreseen: this.#found.blocks, files };
  }

  /** Whatever throws is a fault of the block, as in a run. */
  async #attempt(step: Step): Promise<void> {
    const { node } = step;
    try {
      await this.#perform(step);
    } catch (error) {
      if (node.ended || node.parent === undefined) throw error;
      if (error instanceof UnknownRead) {
        this.#found.remark(node, `It depends on ${error.about}.`);
        return this.#assume(node);
      }
      return this.#fail(node, crashed(crashMessage(error)));
    }
  }

  async #perform(step: Step): Promise<void> {
    const { node } = step;
    switch (step.kind) {
      case "consider":
        return this.#consider(node);
      case "start":
        return this.#start(node);
      case "skip":
        return this.#skip(node, step.reason);
      case "conclude":
        return this.#conclude(node);
      default:
        throw new Error(`Nothing waits in a dry run, but ${node.path} does.`);
    }
  }

  async #consider(node: RunNode): Promise<void> {
    this.#inheritDoubt(node);
    const verdict = whenKnown(() => judgeBlock(node, this.#runId));
    if (verdict instanceof UnknownRead) this.#found.doubt(node, `Its condition depends on ${verdict.about}.`);
    else if (verdict.kind === "skip") return this.#skip(node, verdict.reason);
    else if (verdict.kind === "crash") return this.#fail(node, crashed(verdict.message));
    return this.#runOrReuse(node);
  }

  async #runOrReuse(node: RunNode): Promise<void> {
    const decision = isLeaf(node) ? whenKnown(() => this.#reuse?.decide(node)) : undefined;
    if (decision === undefined) return this.#scheduler.approve(node);
    if (decision instanceof UnknownRead || decision.kind === "run") {
      const why = decision instanceof UnknownRead ? `It depends on ${decision.about}.` : decision.why;
      this.#found.note(node, { notReused: why });
      return this.#scheduler.approve(node);
    }
    if (this.#found.mayBeSkipped(node)) {
      this.#found.remark(node, "Its result would be reused.");
      return this.#assume(node);
    }
    this.#found.note(node, { verdict: "reuse" });
    const becauseOf = this.#failuresBehind(node);
    this.#append({ type: "block-reused", at: this.#at, path: node.path, ...decision.result, becauseOf });
  }

  /** What may be skipped takes along what requires it, and what is inside it. */
  #inheritDoubt(node: RunNode): void {
    const { parent } = node;
    if (parent !== undefined && this.#found.mayBeSkipped(parent)) this.#found.doubtWith(node, parent);
    if (node.element !== undefined) return;
    for (const { dependency, required, conditionDecides } of dependenciesOf(node)) {
      if (conditionDecides || !required || !this.#found.mayBeSkipped(dependency)) continue;
      return this.#found.doubt(node, `'${dependency.path}' may be skipped.`);
    }
  }

  #rehearsal(node: RunNode): Rehearsal {
    const { platform, stateDirectory, signal } = this.#options;
    return { runId: this.#runId, platform, stateDirectory, files: this.#found.filesFor(node), signal };
  }

  async #start(node: RunNode): Promise<void> {
    const definition = blockOf(node);
    this.#found.note(node, {});
    if (isLoop(node)) return this.#startLoop(node, definition);
    const { behaviour } = definition.type;
    if (behaviour.kind === "group") return this.#begin(node, { kind: "group" }, emptyMap);
    const scope = WorkflowScope.ofBlock(node, this.#runId);
    const inputs = foreseeInputs(definition, scope);
    if (!inputs.ok) return this.#fail(node, crashed(inputs.error));
    this.#found.note(node, { inputs: inputs.value.shown });
    return behaviour.kind === "nested"
      ? this.#startNested(node, behaviour, inputs.value)
      : this.#startLeaf(node, behaviour, inputs.value);
  }

  async #startLoop(node: RunNode, definition: BlockDefinition): Promise<void> {
    const elements = whenKnown(() => resolveElements(definition, WorkflowScope.ofBlock(node, this.#runId)));
    if (elements instanceof UnknownRead) {
      this.#found.remark(node, `Its elements depend on ${elements.about}.`);
      return this.#assume(node);
    }
    if (!elements.ok) return this.#fail(node, crashed(elements.error));
    this.#begin(node, { kind: "loop", elements: elements.value }, emptyMap);
  }

  async #startNested(node: RunNode, behaviour: NestedBehaviour, inputs: ForeseenInputs): Promise<void> {
    const { unknown, values } = inputs;
    const { nameInput, argumentsInput, workspaceInput = nameInput } = behaviour;
    const given = (values[argumentsInput] ?? emptyMap) as ValueMap;
    const missing = [nameInput, workspaceInput, ...(isUnknown(given) ? [argumentsInput] : [])];
    const about = missing.map((name) => unknown.get(name)).find((one) => one !== undefined);
    if (about !== undefined) {
      this.#found.remark(node, `What it does depends on ${about}.`);
      return this.#assume(node);
    }
    const { inputs: _, ...child } = behaviour.child({ ...values, [argumentsInput]: emptyMap });
    const sources = { findLate: this.#options.findLate, platform: await this.#workspaces(node, child.workspace) };
    const inside = enterChild(node, { ...child, inputs: wholeArguments(given) }, this.#state, this.#at, sources);
    if (!inside.ok) return this.#fail(node, crashed(inside.error));
    this.#begin(node, inside.value, values);
  }

  /** A directory that would have been made by then is as good as one that is there. */
  async #workspaces(node: RunNode, wanted: string | undefined): Promise<Pick<EnginePlatform, "directoryInside">> {
    const { platform } = this.#options;
    if (wanted === undefined) return platform;
    const { workspace } = node.workflow.inside as WorkflowInside;
    const at: RootedPath = filesOf(node, this.#options.signal, this.#rehearsal(node)).locate(wanted, false);
    const found = await this.#found.filesFor(node).look(at);
    const isThere = found.kind === "directory" && !("message" in found);
    return isThere ? { directoryInside: () => ok(resolve(workspace, wanted)) } : platform;
  }

  async #startLeaf(node: RunNode, behaviour: LeafBehaviour, inputs: ForeseenInputs): Promise<void> {
    const definition = blockOf(node);
    const call = whenKnown(() => resolveCall(definition, WorkflowScope.ofBlock(node, this.#runId)));
    if (call instanceof UnknownRead) {
      this.#begin(node, { kind: "leaf" }, inputs.values);
      return this.#leaveOut(node, inputs);
    }
    if (!call.ok) return this.#fail(node, crashed(call.error));
    this.#begin(node, { kind: "leaf" }, call.value.input);
    if (!canRehearse(definition.type)) {
      this.#found.note(node, { notRun: true });
      return this.#assume(node);
    }
    const rehearsal = this.#rehearsal(node);
    const { missed } = rehearsal.files;
    missed.about = undefined;
    const result = await rehearseLeaf(node, behaviour, call.value, this.#defaults(node), rehearsal);
    if (missed.about !== undefined) throw new UnknownRead(missed.about);
    if (result.kind !== "ended") return this.#waits(node);
    if (result.ending.outcome !== "success") return this.#fail(node, result.ending, result.outputs);
    return this.#finish(node, result.ending, result.outputs);
  }

  /** Of a block whose inputs are not all known. What it would write is not known either. */
  async #leaveOut(node: RunNode, { unknown, values }: ForeseenInputs): Promise<void> {
    const { type } = blockOf(node);
    const { writes } = type;
    const path = writes === undefined || unknown.has(writes.path) ? undefined : values[writes.path];
    if (canRehearse(type)) {
      const [about = "what is not known"] = unknown.values();
      this.#found.remark(node, `What it does depends on ${about}.`);
    } else this.#found.note(node, { notRun: true });
    if (typeof path === "string") {
      const rehearsal = this.#rehearsal(node);
      const at = filesOf(node, this.#options.signal, rehearsal).locateForChange(path, values.unsafe === true);
      rehearsal.files.forget(at, `what '${node.path}' writes`);
    }
    return this.#assume(node);
  }

  /** It would end well once it is answered, or when its time has come. */
  async #waits(node: RunNode): Promise<void> {
    if (isInFinally(node)) return this.#fail(node, crashed("It waits, and nothing under `finally` may wait."));
    return this.#finish(node, succeeded, unknownOutputs(node));
  }

  async #conclude(node: RunNode): Promise<void> {
    const { inside } = node;
    if (inside.kind === "leaf") throw new Error(`${node.path} has nothing inside to conclude.`);
    if (inside.kind === "loop") return this.#concludeLoop(node, inside);
    const conclusion = concludeWorkflow(node, inside, WorkflowScope.inside(node, this.#runId));
    const { plan, closing } = inside;
    if (closing === undefined && plan.mainBlocks < plan.blocks.length) {
      return this.#append({ type: "finally-started", at: this.#at, path: node.path, ...conclusion.ending });
    }
    const ended = closing === undefined ? conclusion : concludeFinally(inside, closing.ending, conclusion);
    if (node.parent !== undefined) return this.#endHolder(node, ended);
    const { ending, outputs, remarks } = ended;
    this.#append({ type: "run-finished", at: this.#at, durationMs: 0, ...ending, outputs, remarks });
  }

  async #concludeLoop(node: RunNode, inside: LoopInside): Promise<void> {
    const { repeat } = blockOf(node);
    const outputs = this.#loopOutputs(node, inside);
    if (repeat === undefined) return this.#endHolder(node, { ending: concludeLoop(node, inside), outputs });
    const conclusion = whenKnown(() => concludeRepeat(node, inside, repeat, this.#runId));
    if (!(conclusion instanceof UnknownRead) && "ending" in conclusion) {
      return this.#endHolder(node, { ending: conclusion.ending, outputs });
    }
    const depends =
      conclusion instanceof UnknownRead
        ? `Whether it goes on after this pass depends on ${conclusion.about}.`
        : "It goes on after this pass; what later passes do is not known.";
    this.#found.remark(node, depends);
    return this.#assume(node);
  }

  #loopOutputs(node: RunNode, inside: LoopInside): ValueMap {
    const outputs = loopOutputs(node);
    if (inside.passes.every((pass) => !this.#assumed.has(pass))) return outputs;
    const unknown = unknownValue(() => `how the passes of '${node.path}' end`);
    const judged = ["failed_keys", "failed_elements"].filter((name) => outputs[name] !== undefined);
    return { ...outputs, ...Object.fromEntries(judged.map((name) => [name, unknown])) };
  }

  /** Of what holds blocks: how it ends is known only if that is known of all in it, or if it fails in any case. */
  async #endHolder(node: RunNode, ended: Pick<Conclusion, "ending" | "outputs"> & Partial<Conclusion>): Promise<void> {
    const judged = await rehearseExpectation(node, ended, this.#runId, this.#rehearsal(node));
    if (judged.ending.outcome !== "success") return this.#fail(node, judged.ending, judged.outputs, judged.remarks);
    if (childNodes(node).some((child) => this.#assumed.has(child))) this.#assumed.add(node);
    return this.#finish(node, judged.ending, judged.outputs, judged.remarks);
  }

  async #skip(node: RunNode, reason: SkipReason): Promise<void> {
    this.#found.note(node, { verdict: "skip", why: reason.message });
    this.#found.dismiss(node);
    this.#append({ type: "block-skipped", at: this.#at, path: node.path, reason });
  }

  /** What may not run at all does not fail for certain. */
  async #fail(
    node: RunNode,
    ending: Ending,
    outputs: ValueMap = this.#defaults(node),
    remarks?: Conclusion["remarks"],
  ): Promise<void> {
    if (this.#found.mayBeSkipped(node)) {
      this.#found.remark(node, `It would fail: ${ending.message}`);
      return this.#finish(node, succeeded, emptyMap, remarks);
    }
    this.#found.note(node, { verdict: "fail", ...(ending.message === null ? {} : { why: ending.message }) });
    return this.#finish(node, ending, outputs, remarks);
  }

  /** It is taken to succeed, and nothing is known of what it gives. */
  async #assume(node: RunNode): Promise<void> {
    this.#assumed.add(node);
    return this.#finish(node, succeeded, unknownOutputs(node));
  }

  async #finish(node: RunNode, ending: Ending, outputs: ValueMap, remarks?: Conclusion["remarks"]): Promise<void> {
    const isSure = !this.#found.mayBeSkipped(node);
    if (!isSure) {
      this.#assumed.add(node);
      await this.#found.setAsideFiles(node);
    }
    this.#append({
      type: "block-finished",
      at: this.#at,
      path: node.path,
      durationMs: 0,
      ...(isSure ? { ...ending, outputs } : { ...succeeded, outputs: unknownOutputs(node) }),
      ...(remarks === undefined ? {} : { remarks }),
    });
  }

  /** Throws `BlockCannotRun` when the run would become too large. */
  #begin(node: RunNode, inside: Inside, inputs: ValueMap): void {
    const refused = refuseNodes(this.#state, this.#nodesIn(inside, node), this.#options.limits);
    if (refused !== undefined) throw new BlockCannotRun(refused);
    const told = { path: node.path, attempt: 1, inputs, idempotencyKey: "", inside };
    this.#append({ type: "block-started", at: this.#at, ...told, becauseOf: this.#failuresBehind(node) });
  }

  #failuresBehind(node: RunNode): readonly string[] {
    const failures = whenKnown(() => failuresBehind(node, this.#runId));
    return failures instanceof UnknownRead ? [] : failures;
  }

  #nodesIn(inside: Inside, { block }: RunNode): number {
    if (inside.kind === "loop") return inside.elements.length;
    if (inside.kind === "group") return block?.group?.blocks.length ?? 0;
    if (inside.kind === "leaf") return 0;
    const plan = this.#state.plans(inside.workflow, inside.definition);
    return plan.ok ? plan.value.blocks.length : 0;
  }

  #append(event: RunEvent): void {
    applyEvent(this.#state, event);
    this.#scheduler.observe(event);
  }

  #defaults(node: RunNode): ValueMap {
    return defaultOutputs(node, (name) => frozenDefinition(this.#state, name));
  }
}

function blockOf(node: RunNode): BlockDefinition {
  if (node.block === undefined) throw new Error("The root of a run is not a block.");
  return node.block.definition;
}

function unknownOutputs({ path }: RunNode): ValueMap {
  return unknownValue((keys) => `${keys.length === 0 ? "the outputs" : keys.join(".")} of '${path}'`);
}
