import type { BlockContext, LeafBehaviour, WrittenSoFar } from "../block/define-block.ts";
import type { OutputStream, Ports, ProcessIdentity, RunLog, RunLogs, Scratch } from "../block/ports.ts";
import type { ValueMap } from "../expression/value.ts";
import { idempotencyKey } from "./ids.ts";
import { cancelReason, isWithin, type Node, type WorkflowInside } from "./node.ts";
import type { BlockCall } from "./prepare-block.ts";
import { type HowToCall, type LeafResult, runLeaf } from "./run-leaf.ts";
import { startTimer } from "./timer.ts";

export interface LeafSurroundings {
  readonly ports: Ports;
  readonly logs: RunLogs;
  readonly scratch: Scratch;
  onOutput(path: string, stream: OutputStream, chunk: Uint8Array): void;
}

/** A command that ends sooner is ended by the supervisor if we die; one that lives longer is worth an event. */
const worthTellingMs = 100;

interface RunningLeaf {
  readonly abort: AbortController;
  readonly timers: (() => void)[];
  log: RunLog | undefined;
}

/** The blocks whose own code runs now: calls it with what it may reach, and can tell it to stop. */
export class RunningLeaves {
  readonly #runId: string;
  readonly #surroundings: LeafSurroundings;
  readonly #onProcess: (node: Node, process: ProcessIdentity) => void;
  readonly #running = new Map<Node, RunningLeaf>();
  #onIdle: () => void = () => {};

  /** `onProcess` hears of commands that have been running for a moment. */
  constructor(
    runId: string,
    surroundings: LeafSurroundings,
    onProcess: (node: Node, process: ProcessIdentity) => void,
  ) {
    this.#runId = runId;
    this.#surroundings = surroundings;
    this.#onProcess = onProcess;
  }

  /** Never rejects. */
  async run(
    node: Node,
    behaviour: LeafBehaviour,
    call: BlockCall,
    defaults: ValueMap,
    how: HowToCall,
  ): Promise<LeafResult> {
    const { type } = node.block?.definition ?? {};
    if (type === undefined) throw new Error("The root of a run is not a block.");
    const leaf: RunningLeaf = { abort: new AbortController(), timers: [], log: undefined };
    const reason = cancelReason(node);
    if (reason !== undefined) leaf.abort.abort(reason);
    this.#running.set(node, leaf);
    const leafCall = { type, behaviour, ...call, how, defaults };
    const result = await runLeaf(leafCall, (signal) => this.#context(node, leaf, call, signal), leaf.abort.signal);
    for (const stopTimer of leaf.timers) stopTimer();
    leaf.log?.close();
    this.#running.delete(node);
    if (this.#running.size === 0) this.#onIdle();
    return result;
  }

  /** Tells everything at and below the node to stop. */
  stopWithin(node: Node): void {
    for (const [leaf, { abort }] of this.#running) if (isWithin(leaf, node)) abort.abort(cancelReason(leaf));
  }

  /** Tells everything to stop; resolves when it has. */
  async stopAll(reason: string): Promise<void> {
    if (this.#running.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    for (const { abort } of this.#running.values()) abort.abort(reason);
    await idle;
  }

  /** What the latest attempt of a block wrote. */
  written(node: Node): WrittenSoFar {
    const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
    const texts = { stdout: "", stderr: "" };
    for (const { stream, bytes } of this.#surroundings.logs.read(this.#runId, this.#logKey(node)).chunks) {
      texts[stream] += decoders[stream].decode(bytes, { stream: true });
    }
    return texts;
  }

  #logKey(node: Node): { readonly block: string; readonly attempt: number } {
    return { block: idempotencyKey(this.#runId, node.path), attempt: node.record.metadata.attempts };
  }

  #context(node: Node, leaf: RunningLeaf, call: BlockCall, signal: AbortSignal): BlockContext {
    const { ports, logs, scratch, onOutput } = this.#surroundings;
    const key = this.#logKey(node);
    const { processes } = ports;
    const onStarted = (process: ProcessIdentity): void => {
      leaf.timers.push(startTimer(worthTellingMs, () => this.#onProcess(node, process)));
    };
    return {
      runId: this.#runId,
      path: node.path,
      attempt: key.attempt,
      idempotencyKey: key.block,
      workspace: (node.workflow.inside as WorkflowInside).workspace,
      signal,
      processes: { ...processes, run: (request) => processes.run({ ...request, onStarted }) },
      files: ports.files,
      clock: ports.clock,
      environment: ports.environment,
      scratch,
      fileOutputs: call.fileOutputs,
      compiled: (name) => call.compiled.get(name),
      log: (stream, chunk) => {
        leaf.log ??= logs.open(this.#runId, key);
        leaf.log.write(stream, chunk);
        onOutput(node.path, stream, chunk);
      },
    };
  }
}
