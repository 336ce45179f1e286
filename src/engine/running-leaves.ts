import { BlockCannotRun, type BlockContext, type LeafBehaviour, type WrittenSoFar } from "../block/define-block.ts";
import type { Http, Processes, ProcessIdentity, ProcessRequest } from "../block/ports.ts";
import { tighterOf } from "../block/sandbox.ts";
import { addCost, type Spend } from "../block/spend.ts";
import type { ValueMap } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { ok, type Result } from "../util/result.ts";
import { chargeFor } from "./charge.ts";
import { crashed } from "./execution.ts";
import { judgeExpectation, succeedsByCode } from "./expectation.ts";
import { idempotencyKey } from "./ids.ts";
import { interrupted } from "./interruption.ts";
import { isolateLeaf } from "./isolate-leaf.ts";
import { type AnnouncedChanges, JournaledFiles } from "./journaled-files.ts";
import { LeafOutput } from "./leaf-output.ts";
import type { Observations } from "./observations.ts";
import { type BlockCall, resolveCall } from "./prepare-block.ts";
import { redactResult } from "./redact-result.ts";
import type { AttemptResult } from "./retry.ts";
import { crashMessage, type HowToCall, type LeafAttempt, type LeafResult, runLeaf } from "./run-leaf.ts";
import { addressWithin, cancelReason, isWithin, type RunNode, type WorkflowInside } from "./run-node.ts";
import type { RunnerOptions } from "./runner-options.ts";
import { WorkflowScope } from "./scope.ts";
import { readSpendText, spendFileVariable } from "./spend-file.ts";
import { startTimer } from "./timer.ts";
import { promisesUndo } from "./undo-wish.ts";

/** What a running block has to say before it ends. */
export interface LeafReports {
  /** Hears of commands that have been running for a moment. */
  onProcess(node: RunNode, process: ProcessIdentity): void;
  /** Resolves when the changes of files are announced durably. */
  announce(node: RunNode, announced: AnnouncedChanges): Promise<void>;
}

/** Of a file in which costs are told. */
const mostProblems = 5;

/** A command that ends sooner is ended by the supervisor if we die; one that lives longer is worth an event. */
const worthTellingMs = 100;

interface RunningLeaf {
  files?: JournaledFiles;
  spent?: Spend;
  /** A part of what it told of its costs can't be read. */
  hasToldNonsense?: true;
  readonly abort: AbortController;
  readonly timers: (() => void)[];
  readonly output: LeafOutput;
}

/**
 * The blocks whose own code runs now: calls it with what it may reach, and can tell it to stop. This is the only place where
 * secrets have values: they are looked up for the call, and taken out of everything that comes back from it.
 */
export class RunningLeaves {
  readonly #runId: string;
  readonly #options: RunnerOptions;
  readonly #reports: LeafReports;
  readonly #observations: Observations;
  readonly #running = new Map<RunNode, RunningLeaf>();
  #onIdle: () => void = () => {};

  constructor(runId: string, options: RunnerOptions, reports: LeafReports, observations: Observations) {
    this.#runId = runId;
    this.#options = options;
    this.#reports = reports;
    this.#observations = observations;
  }

  /** Never rejects. */
  async run(
    node: RunNode,
    behaviour: LeafBehaviour,
    call: BlockCall,
    defaults: ValueMap,
    how: HowToCall,
  ): Promise<LeafResult> {
    const { type, effects, expect } = node.block?.definition ?? {};
    if (type === undefined) throw new Error("The root of a run is not a block.");
    const { onOutput, platform } = this.#options;
    const { logs, secrets, isolation } = platform;
    // What stands in for it in a test does not do what it does.
    const isIsolated = effects === "isolated" && how.kind === "run" && behaviour === type.behaviour;
    const output = new LeafOutput(
      secrets.redactor,
      () => logs.open(this.#runId, this.#logKey(node)),
      (stream, chunk) => onOutput(node.path, stream, chunk),
    );
    const leaf: RunningLeaf = { abort: new AbortController(), timers: [], output };
    const reason = cancelReason(node);
    if (reason !== undefined) leaf.abort.abort(reason);
    this.#running.set(node, leaf);
    if (how.kind !== "run") await logs.shared?.fetch(this.#runId, this.#logKey(node));
    const revealed = how.kind === "adopt" ? ok(call) : this.#revealSecrets(node, call);
    // What has happened already, or is only played, is not looked at.
    const isReal = how.kind !== "adopt" && behaviour === type.behaviour;
    const observed = revealed.ok && isReal ? await this.#observations.begin(node, leaf.abort.signal) : ok(undefined);
    const begun = observed.ok ? revealed : observed;
    const result: LeafResult = begun.ok
      ? await runLeaf(
          {
            type,
            behaviour: isIsolated
              ? isolateLeaf(behaviour, isolation, (ended) => succeedsByCode(expect, ended))
              : behaviour,
            ...begun.value,
            how,
            defaults,
          },
          (signal) => this.#begin(node, leaf, begun.value, signal),
          leaf.abort.signal,
        )
      : { kind: "ended", ending: crashed(begun.error), outputs: defaults };
    if (observed.ok) await observed.value?.(result.kind === "ended" && result.ending.outcome === "success");
    for (const stopTimer of leaf.timers) stopTimer();
    if (type.capabilities.includes("commands")) await this.#takeSpend(node, leaf);
    output.close();
    const redacted = redactResult(result, secrets.redactor);
    const judged = redacted.kind === "ended" ? await this.judge(node, redacted) : redacted;
    this.#running.delete(node);
    if (this.#running.size === 0) this.#onIdle();
    // Of a command nobody knows what else it has seen.
    const runsCommands = type.capabilities.includes("commands");
    const seen = (leaf.files?.seen ?? []).filter(({ made }) => made === true || !runsCommands);
    const told = leaf.spent;
    if (judged.kind !== "ended") return { ...judged, ...defined({ spend: told }) };
    const charged = {
      ...{ told, before: node.attemptSpend, declared: call.cost, hasRun: leaf.files !== undefined },
      mayBeMore: leaf.hasToldNonsense === true || judged.ending.status === "failed",
    };
    return { ...judged, ...(seen.length > 0 ? { seen } : {}), ...defined({ spend: chargeFor(charged) }) };
  }

  /** How an attempt ended by what is expected of it. Never rejects. */
  async judge<Ended extends AttemptResult>(node: RunNode, result: Ended): Promise<Ended> {
    if (node.block?.definition.expect === undefined) return result;
    const { workspace } = node.workflow.inside as WorkflowInside;
    const files = this.#files(node, workspace, new AbortController().signal);
    const findFile = async (path: string): Promise<boolean> => {
      const found = await files.look(files.locate(path, false));
      if ("message" in found) throw new BlockCannotRun(found.message);
      return found.kind === "file";
    };
    return judgeExpectation(node, result, this.#runId, findFile).catch((error: unknown) => ({
      ...result,
      ending: crashed(`expect: ${crashMessage(error)}`),
    }));
  }

  /** The call with the values of the secrets in it: never kept, never recorded. */
  #revealSecrets(node: RunNode, call: BlockCall): Result<BlockCall, string> {
    const { block } = node;
    if (!block?.readsSecrets) return ok(call);
    const { secrets } = this.#options.platform;
    const scope = WorkflowScope.revealing(node, this.#runId, (name) => secrets.find(name));
    return resolveCall(block.definition, scope);
  }

  /** Tells everything at and below the node to stop. */
  stopWithin(node: RunNode): void {
    for (const [leaf, { abort }] of this.#running) {
      const reason = isWithin(leaf, node) ? cancelReason(leaf) : undefined;
      if (reason !== undefined) abort.abort(reason);
    }
  }

  /** Tells everything to stop; resolves when it has, and nothing is left of what blocks had opened. */
  async stopAll(): Promise<void> {
    if (this.#running.size > 0) await this.#stopRunning();
    await this.#options.platform.browsers.end(this.#runId);
  }

  async #stopRunning(): Promise<void> {
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    for (const { abort } of this.#running.values()) abort.abort(interrupted);
    await idle;
  }

  /** What the latest attempt of a block wrote. */
  async written(node: RunNode): Promise<WrittenSoFar> {
    const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
    const texts = { stdout: "", stderr: "" };
    const { chunks } = await this.#options.platform.logs.read(this.#runId, this.#logKey(node));
    for (const { stream, bytes } of chunks) {
      texts[stream] += decoders[stream].decode(bytes, { stream: true });
    }
    return texts;
  }

  #logKey(node: RunNode): { readonly block: string; readonly attempt: number } {
    return { block: idempotencyKey(this.#runId, addressWithin(node)), attempt: node.record.metadata.attempts };
  }

  #begin(node: RunNode, leaf: RunningLeaf, call: BlockCall, signal: AbortSignal): LeafAttempt {
    const { platform, scratch } = this.#options;
    const { sandbox: around } = node.workflow.inside as WorkflowInside;
    const workspace = this.#workspaceOf(node);
    const sandbox = tighterOf(around, node.block?.definition.sandbox);
    const key = this.#logKey(node);
    const files = this.#files(node, workspace, signal);
    leaf.files = files;
    const context: BlockContext = {
      runId: this.#runId,
      path: node.path,
      attempt: key.attempt,
      idempotencyKey: key.block,
      workspace,
      signal,
      // Of every command, whatever block runs it: git runs what a repository tells it to.
      processes: this.#processes(node, leaf, sandbox === undefined ? {} : { sandbox: { ...sandbox, workspace } }),
      files,
      http: this.#http(),
      browsers: platform.browsers,
      clock: platform.clock,
      environment: platform.environment,
      scratch,
      ...(sandbox === undefined ? {} : { sandbox }),
      fileOutputs: call.fileOutputs,
      compiled: (name) => call.compiled.get(name),
      isLiteral: (name) => call.literals.has(name),
      log: (stream, chunk) => leaf.output.write(stream, chunk),
      prices: platform.prices,
      spend: (cost) => {
        leaf.spent = addCost(leaf.spent, cost);
      },
    };
    return { context, settled: () => files.settled().then(() => files.progress) };
  }

  /** Where there can be no scratch directory, commands can't tell what they cost. */
  async #spendVariable(node: RunNode): Promise<Record<string, string>> {
    const directory = await this.#options.scratch.path().catch(() => undefined);
    return directory === undefined ? {} : { [spendFileVariable]: `${directory}/${this.#spendFile(node)}` };
  }

  #spendFile(node: RunNode): string {
    const { block, attempt } = this.#logKey(node);
    return `.spend-${block}-${attempt}`;
  }

  /** What its commands have written down of their costs. */
  async #takeSpend(node: RunNode, leaf: RunningLeaf): Promise<void> {
    const text = await this.#options.scratch.take(this.#spendFile(node));
    if (text === undefined) return;
    const { costs, problems } = text.ok ? readSpendText(text.value) : { costs: [], problems: [text.error] };
    for (const cost of costs) leaf.spent = addCost(leaf.spent, cost);
    if (problems.length > 0) leaf.hasToldNonsense = true;
    for (const problem of problems.slice(0, mostProblems)) {
      leaf.output.write("stderr", Buffer.from(`frond: not counted, ${spendFileVariable}: ${problem}\n`));
    }
  }

  /** What takes back what a block did works where that one did. */
  #workspaceOf({ block, workflow }: RunNode): string {
    const { workspace } = workflow.inside as WorkflowInside;
    const elsewhere = block?.definition.undoes?.workspace;
    if (elsewhere === undefined) return workspace;
    const found = this.#options.platform.directoryInside(workspace, elsewhere);
    if (!found.ok) throw new BlockCannotRun(found.error);
    return found.value;
  }

  #processes(node: RunNode, leaf: RunningLeaf, enclosed: Pick<ProcessRequest, "sandbox">): Processes {
    const { processes, secrets } = this.#options.platform;
    const added = {
      onStarted: (process: ProcessIdentity): void => {
        leaf.timers.push(startTimer(worthTellingMs, () => this.#reports.onProcess(node, process)));
      },
      // Before the middle of long output is left out, for a secret that is cut there would not be found any more.
      filterOutput: () => secrets.redactor.stream(),
    };
    return {
      ...processes,
      run: async (request) => {
        const told = this.#options.variablesOf?.(this.#logKey(node));
        const env = { ...told, ...request.env, ...(await this.#spendVariable(node)) };
        return processes.run({ ...enclosed, ...request, env, ...added });
      },
    };
  }

  /** Values tell which headers hold a secret, so no block has to keep track of that. */
  #http(): Http {
    const { http, secrets } = this.#options.platform;
    const holdsSecret = ([, value]: readonly [string, string]): boolean => secrets.redactor.isIn(Buffer.from(value));
    return {
      request(request) {
        const held = Object.entries(request.headers).filter(holdsSecret);
        return http.request({ ...request, secretHeaders: new Set(held.map(([name]) => name)) });
      },
    };
  }

  #files(node: RunNode, workspace: string, signal: AbortSignal): JournaledFiles {
    const { stateDirectory, platform } = this.#options;
    const { blobs, locks, secrets } = platform;
    const { redactor } = secrets;
    return new JournaledFiles({
      runId: this.#runId,
      fileSystem: platform.files,
      signal,
      locks,
      workspace,
      stateDirectory,
      holdsSecret: (bytes) => redactor.isIn(bytes),
      keep: async (bytes, lasting) => {
        const kept = await blobs.put(this.#runId, bytes, { lasting });
        return kept.ok ? undefined : kept.error;
      },
      promisesUndo: promisesUndo(node),
      recall: (sha256) => blobs.get(sha256),
      announce: (announced) => this.#reports.announce(node, { ...announced, outputs: redactor.map(announced.outputs) }),
      confirmHeld: () => this.#options.confirmHeld(),
      whileUnseen: (change) => this.#observations.whileUnseen(change),
    });
  }
}
