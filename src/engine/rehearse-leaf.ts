import type { Browsers } from "../block/browsers.ts";
import { BlockCannotRun, type BlockContext, type BlockType, type LeafBehaviour } from "../block/define-block.ts";
import type { Http, Processes, Scratch } from "../block/ports.ts";
import type { OverlayFiles } from "../changes/overlay-files.ts";
import { KeyedLocks } from "../util/keyed-locks.ts";
import { err } from "../util/result.ts";
import { crashed, type Ending, type Stop } from "./execution.ts";
import { judgeExpectation } from "./expectation.ts";
import { idempotencyKey } from "./ids.ts";
import { JournaledFiles } from "./journaled-files.ts";
import type { BlockCall } from "./prepare-block.ts";
import { redactResult } from "./redact-result.ts";
import { crashMessage, type LeafResult, runLeaf } from "./run-leaf.ts";
import { addressWithin, type RunNode, type WorkflowInside } from "./run-node.ts";
import type { EnginePlatform } from "./runner-options.ts";

/** Whether all that blocks of a type do can be done on files that are not real. */
export function canRehearse({ capabilities }: BlockType): boolean {
  return !capabilities.includes("commands") && !capabilities.includes("network");
}

export interface Rehearsal {
  readonly runId: string;
  readonly platform: EnginePlatform;
  readonly stateDirectory: string;
  readonly files: OverlayFiles;
  readonly signal: AbortSignal;
}

/** Calls a block's own code with files that are not real, and nothing else of the outside. Throws `UnknownRead` as expressions do. */
export async function rehearseLeaf(
  node: RunNode,
  behaviour: LeafBehaviour,
  call: BlockCall,
  outputs: BlockCall["input"],
  rehearsal: Rehearsal,
): Promise<LeafResult> {
  const type = node.block?.definition.type as BlockType;
  const { platform, runId } = rehearsal;
  const leaf = { type, behaviour, ...call, how: { kind: "run" }, defaults: outputs } as const;
  const result = await untilCancelled(rehearsal.signal, (cancelled) =>
    runLeaf(leaf, (signal) => begin(node, call, signal, rehearsal), cancelled),
  );
  const redacted = redactResult(result, platform.secrets.redactor);
  return redacted.kind === "ended" ? rehearseExpectation(node, redacted, runId, rehearsal) : redacted;
}

/** A signal of its own for each: whoever listens to the one for all would listen until the end of all. */
async function untilCancelled<T>(signal: AbortSignal, action: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  const cancel = (): void => own.abort({ cause: "cancelled", message: "cancelled" } satisfies Stop);
  signal.addEventListener("abort", cancel);
  try {
    return await action(own.signal);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** What is expected of a block, judged on the same files. */
export async function rehearseExpectation<
  Ended extends { readonly ending: Ending; readonly outputs?: BlockCall["input"] },
>(node: RunNode, result: Ended, runId: string, rehearsal: Rehearsal): Promise<Ended> {
  if (node.block?.definition.expect === undefined) return result;
  const files = filesOf(node, rehearsal.signal, rehearsal);
  return judgeExpectation(node, { ...result, outputs: result.outputs ?? {} }, runId, async (path) => {
    const found = await files.look(files.locate(path, false));
    if ("message" in found) throw new BlockCannotRun(found.message);
    return found.kind === "file";
  }).catch((error: unknown) => {
    if (!(error instanceof BlockCannotRun)) throw error;
    return { ...result, ending: crashed(`expect: ${crashMessage(error)}`) };
  });
}

/** The files as the blocks of a workflow reach them. */
export function filesOf(node: RunNode, signal: AbortSignal, rehearsal: Rehearsal): JournaledFiles {
  const { runId, platform, stateDirectory, files: fileSystem } = rehearsal;
  const { workspace } = node.workflow.inside as WorkflowInside;
  return new JournaledFiles({
    runId,
    fileSystem,
    signal,
    locks: new KeyedLocks(),
    workspace,
    stateDirectory,
    holdsSecret: (bytes) => platform.secrets.redactor.isIn(bytes),
    keep: async () => undefined,
    promisesUndo: false,
    recall: (sha256) => platform.blobs.get(sha256),
    announce: async ({ changes }) => void changes(0),
    confirmHeld: async () => {},
  });
}

function begin(
  node: RunNode,
  call: BlockCall,
  signal: AbortSignal,
  rehearsal: Rehearsal,
): ReturnType<Parameters<typeof runLeaf>[1]> {
  const { runId, platform } = rehearsal;
  const { workspace } = node.workflow.inside as WorkflowInside;
  const files = filesOf(node, signal, rehearsal);
  const context: BlockContext = {
    runId,
    path: node.path,
    attempt: 1,
    idempotencyKey: idempotencyKey(runId, addressWithin(node)),
    workspace,
    signal,
    processes: noProcesses,
    files,
    http: noHttp,
    browsers: noBrowsers,
    clock: platform.clock,
    environment: platform.environment,
    scratch: noScratch,
    fileOutputs: call.fileOutputs,
    compiled: (name) => call.compiled.get(name),
    isLiteral: (name) => call.literals.has(name),
    log: () => {},
    prices: platform.prices,
    spend: () => {},
  };
  return { context, settled: () => files.settled().then(() => files.progress) };
}

const notHere = "Nothing outside is reached in a dry run.";

const noProcesses: Processes = {
  run: async () => ({ started: false, message: notHere }),
  inspect: async () => undefined,
  endBackground: async () => {},
  endLeftovers: async () => {},
  endStrays: async () => {},
  close: async () => {},
};

const noHttp: Http = { request: async () => err({ kind: "refused", message: notHere }) };

const noBrowsers: Browsers = {
  perform: async () => err({ kind: "refused", message: notHere }),
  end: async () => {},
};

const noScratch: Scratch = {
  path: () => Promise.reject(new BlockCannotRun(notHere)),
  take: async () => undefined,
  write: () => Promise.reject(new BlockCannotRun(notHere)),
  remove: async () => {},
  removeIfEmpty: async () => {},
};
