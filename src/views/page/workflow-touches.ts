import type { Written } from "../../block/define-block.ts";
import { writtenInputs } from "../../definition/load-block-inputs.ts";
import type { BlockDefinition, WorkflowDefinition } from "../../definition/workflow-definition.ts";
import type { Secrets } from "../../engine/secrets.ts";
import { capabilitiesOf } from "../../library/capabilities.ts";
import { secretsOf } from "../../library/needed-secrets.ts";
import { type FindWorkflow, knownChild } from "../../plan/block-shape.ts";
import type { WorkflowTouches } from "./workflow-records.ts";

/** What a workflow can touch, as far as its text, and that of those it calls, tells before a run. */
export function* describeTouches(
  root: WorkflowDefinition,
  find: FindWorkflow,
  secrets: Pick<Secrets, "find">,
): Generator<void, WorkflowTouches> {
  const writes = new Set<string>();
  const hosts = new Set<string>();
  const asks: string[] = [];
  let [writesOthers, callsOthers] = [false, false];
  let [commands, sandboxed, models] = [0, 0, 0];
  for (const { block, address, isSandboxed } of reachedBlocks(root, find)) {
    yield;
    const { type } = block;
    const can = (capability: (typeof type.capabilities)[number]): boolean => type.capabilities.includes(capability);
    if (can("prompts")) asks.push(address);
    if (type.estimate !== undefined) models++;
    if (can("commands")) {
      commands++;
      if (isSandboxed) sandboxed++;
    }
    const files = filesOf(block);
    for (const file of files ?? []) writes.add(file);
    if (files === undefined) writesOthers = true;
    if (!can("network") || can("commands")) continue;
    const host = hostOf(writtenInputs(block.inputs).url);
    if (host === undefined) callsOthers = true;
    else hosts.add(host);
  }
  const found = capabilitiesOf(root, find);
  return {
    writes: [...writes].sort(),
    writes_others: writesOthers,
    commands,
    sandbox: sandboxed === 0 ? "none" : sandboxed === commands ? "all" : "some",
    hosts: [...hosts].sort(),
    calls_others: callsOthers,
    secrets: secretsOf(root, find).map((name) => ({ name, is_set: secrets.find(name).ok })),
    models,
    asks,
    takes_commands: found.includes("takes commands"),
    unknown: found.includes("unknown"),
  };
}

interface ReachedBlock {
  readonly block: BlockDefinition;
  readonly address: string;
  readonly isSandboxed: boolean;
}

/** The blocks of a workflow and of those that it calls, of each workflow once. */
function* reachedBlocks(root: WorkflowDefinition, find: FindWorkflow): Generator<ReachedBlock> {
  const seen = new Set<WorkflowDefinition>();
  const open = [{ definition: root, before: "", isSandboxed: root.sandbox !== undefined }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next.definition)) continue;
    seen.add(next.definition);
    for (const reached of blocksIn(next.definition.blocks, next.before, next.isSandboxed)) {
      yield reached;
      const definition = knownChild(reached.block, find);
      if (definition === undefined) continue;
      const isSandboxed = reached.isSandboxed || definition.sandbox !== undefined;
      open.push({ definition, before: `${reached.address}/`, isSandboxed });
    }
  }
}

function* blocksIn(
  blocks: readonly BlockDefinition[],
  before: string,
  isAroundSandboxed: boolean,
): Generator<ReachedBlock> {
  for (const block of blocks) {
    const isSandboxed = isAroundSandboxed || block.sandbox !== undefined;
    const address = before + block.id;
    yield { block, address, isSandboxed };
    if (block.group !== undefined) yield* blocksIn(block.group.blocks, `${address}/`, isSandboxed);
  }
}

/** The files that a block writes, as they are written; nothing where that is only known in a run. */
function filesOf({ type, inputs, writes }: BlockDefinition): readonly string[] | undefined {
  if (!type.capabilities.includes("writes files")) return [];
  if (type.writes === undefined) return writes;
  const path = writtenInputs(inputs)[type.writes.path];
  if (path === undefined) return [];
  return path.known ? [String(path.value)] : undefined;
}

/** The host of an address whose beginning is written out. */
function hostOf(url: Written | undefined): string | undefined {
  if (url === undefined) return undefined;
  const [first = ""] = url.known ? [url.value] : (url.pieces ?? []);
  // Whatever follows must not belong to the host.
  const [, host] = /^https?:\/\/([^/?#@\s]+)/i.exec(String(first)) ?? [];
  const isWhole = url.known || /^https?:\/\/[^/?#]+[/?#]/i.test(String(first));
  return isWhole ? host?.toLowerCase() : undefined;
}
