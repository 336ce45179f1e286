import type { BlockContext, LeafBehaviour } from "../block/define-block.ts";
import type { OutputStream, Ports, Scratch } from "../block/ports.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { idempotencyKey } from "./ids.ts";
import { cancelReason, isWithin, type Node, type WorkflowInside } from "./node.ts";
import type { BlockCall } from "./prepare-block.ts";
import { type LeafResult, runLeaf } from "./run-leaf.ts";

export interface LeafSurroundings {
  readonly ports: Ports;
  readonly scratch: Scratch;
  onOutput(path: string, stream: OutputStream, chunk: Uint8Array): void;
}

/** The blocks whose own code runs now: calls it with what it may reach, and can tell it to stop. */
export class RunningLeaves {
  readonly #runId: string;
  readonly #surroundings: LeafSurroundings;
  readonly #aborts = new Map<Node, AbortController>();

  constructor(runId: string, surroundings: LeafSurroundings) {
    this.#runId = runId;
    this.#surroundings = surroundings;
  }

  /** Never rejects. */
  async run(
    node: Node,
    behaviour: LeafBehaviour,
    call: BlockCall,
    defaults: ValueMap,
    answer: { readonly value: Value } | undefined,
  ): Promise<LeafResult> {
    const { type } = node.block?.definition ?? {};
    if (type === undefined) throw new Error("The root of a run is not a block.");
    const abort = new AbortController();
    const reason = cancelReason(node);
    if (reason !== undefined) abort.abort(reason);
    this.#aborts.set(node, abort);
    const leafCall = { type, behaviour, ...call, answer, defaults };
    const result = await runLeaf(leafCall, (signal) => this.#context(node, call, signal), abort.signal);
    this.#aborts.delete(node);
    return result;
  }

  /** Tells everything at and below the node to stop. */
  stopWithin(node: Node): void {
    for (const [leaf, abort] of this.#aborts) if (isWithin(leaf, node)) abort.abort(cancelReason(leaf));
  }

  #context(node: Node, call: BlockCall, signal: AbortSignal): BlockContext {
    const { ports, scratch, onOutput } = this.#surroundings;
    return {
      runId: this.#runId,
      path: node.path,
      attempt: node.record.metadata.attempts,
      idempotencyKey: idempotencyKey(this.#runId, node.path),
      workspace: (node.workflow.inside as WorkflowInside).workspace,
      signal,
      processes: ports.processes,
      files: ports.files,
      clock: ports.clock,
      environment: ports.environment,
      scratch,
      fileOutputs: call.fileOutputs,
      compiled: (name) => call.compiled.get(name),
      log: (stream, chunk) => onOutput(node.path, stream, chunk),
    };
  }
}
