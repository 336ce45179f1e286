import { pick, type Random } from "../crash/random.ts";
import type { AreaModel } from "./area-model.ts";
import { input, quote, randomCommandStep, randomFileStep, type Step } from "./random-steps.ts";

export type CaseBlock = Record<string, unknown> & { readonly id: string };

export interface CaseWorkflow {
  blocks: CaseBlock[];
  [key: string]: unknown;
}

export interface Maker {
  readonly random: Random;
  readonly library: Record<string, CaseWorkflow>;
  /** What commands say of their effects; nothing where no command is used. */
  readonly effects: readonly ("observe" | "isolated")[];
  /** Whether blocks and nested workflows may take back what they did by themselves. */
  readonly mayRestore: boolean;
  lastId: number;
}

/** Blocks in a row, or beside each other where each has areas of its own: what comes of them does not depend on which is faster. */
export function writeBlocks(maker: Maker, areas: readonly AreaModel[], depth: number, isAlone: boolean): CaseBlock[] {
  const { random } = maker;
  if (areas.length > 1 && random(3) === 0) {
    return areas.flatMap((area) => writeRow(maker, [area], depth, false));
  }
  return writeRow(maker, areas, depth, isAlone);
}

function writeRow(maker: Maker, areas: readonly AreaModel[], depth: number, isAlone: boolean): CaseBlock[] {
  const { random } = maker;
  const blocks: CaseBlock[] = [];
  const count = depth === 0 ? 2 + random(4) : 1 + random(3);
  for (let index = 0; index < count; index++) {
    for (const block of writePart(maker, areas, depth, isAlone)) {
      const before = blocks.at(-1);
      const after = before === undefined ? {} : { depends_on: [{ block: before.id, required: !maySurvive(before) }] };
      blocks.push({ ...block, ...after });
    }
  }
  return blocks;
}

/** What comes after one that fails on purpose, and takes back what it did, runs all the same. */
function maySurvive(block: CaseBlock): boolean {
  return block.on_failure === "rollback_block";
}

/** Mostly one block; a few with those around it that look at what it does. */
function writePart(maker: Maker, areas: readonly AreaModel[], depth: number, isAlone: boolean): CaseBlock[] {
  const { random } = maker;
  const choice = random(depth >= 3 ? 8 : 16);
  if (choice < 6) return [writeLeaf(maker, pick(random, areas))];
  if (choice < 7) return [writeLoop(maker, pick(random, areas))];
  if (choice < 8) return [writeRepeat(maker, pick(random, areas))];
  if (choice < 10) return [{ id: nextId(maker), blocks: writeBlocks(maker, areas, depth + 1, isAlone) }];
  if (choice < 12) return [writeCall(maker, areas, depth, isAlone)];
  if (choice < 13) return [writeRetried(maker, areas, depth, isAlone)];
  if (choice < 14) return [writeLoopedGroup(maker, pick(random, areas))];
  return maker.mayRestore && isAlone ? writeTakenBack(maker, areas, depth) : [writeLeaf(maker, pick(random, areas))];
}

export function nextId(maker: Maker): string {
  maker.lastId++;
  return `b${maker.lastId}`;
}

function writeLeaf(maker: Maker, area: AreaModel): CaseBlock {
  const { random, effects } = maker;
  if (effects.length === 0 || !area.forCommands || random(5) < 3) {
    return { id: nextId(maker), ...randomFileStep(random, area) };
  }
  return { id: nextId(maker), ...withEffects(maker, randomCommandStep(random, area)) };
}

function withEffects({ random, effects }: Maker, step: Step): Step & { effects?: string } {
  return step.type === "Shell" ? { ...step, effects: pick(random, effects) } : step;
}

/** Every element has a file of its own. */
function writeLoop(maker: Maker, area: AreaModel): CaseBlock {
  const { random } = maker;
  const known = area.free(random);
  area.put(known, { kind: "directory" });
  const path = input(known);
  const each = `${path}/\${each.index}`;
  const inputs = pick(random, [
    { type: "CreateFile", inputs: { path: `${each}/file`, content: "${each.value}" } },
    { type: "MergeJSONState", inputs: { path: `${path}/state`, updates: { last: "${each.value}" } } },
    { type: "MakeDir", inputs: { path: each } },
  ]);
  // Which of those that merge into one file is last is not known.
  const isSequential = inputs.type === "MergeJSONState" || random(2) === 0;
  return {
    id: nextId(maker),
    ...inputs,
    for_each: Array.from({ length: random(4) }, (_, index) => `value ${index}`),
    for_each_mode: isSequential ? "sequential" : "parallel",
  };
}

function writeRepeat(maker: Maker, area: AreaModel): CaseBlock {
  const { random } = maker;
  const path = area.free(random);
  area.put(path, { kind: "file" });
  const written = { type: "CreateFile", inputs: { path: input(path), content: "pass ${each.index}" } };
  return { id: nextId(maker), ...written, repeat: { max: 1 + random(3), delay: 0 } };
}

/** What an element makes it also changes, moves and removes. */
function writeLoopedGroup(maker: Maker, area: AreaModel): CaseBlock {
  const { random, effects } = maker;
  const path = area.free(random);
  area.put(path, { kind: "directory" });
  const own = `${input(path)}/\${each.index}`;
  const [make, edit, move, remove] = [nextId(maker), nextId(maker), nextId(maker), nextId(maker)];
  const after = (block: string): object => ({ depends_on: [block] });
  const blocks: CaseBlock[] = [
    { id: make, type: "CreateFile", inputs: { path: `${own}/a`, content: "${each.value}\n", mode: "600" } },
    { id: edit, type: "EditFile", inputs: { path: `${own}/a`, content: "edited" }, ...after(make) },
    { id: move, type: "MoveFile", inputs: { from: `${own}/a`, to: `${own}/b/c` }, ...after(edit) },
    { id: remove, type: "DeleteFile", inputs: { path: own, recursive: true }, ...after(move) },
  ];
  if (effects.length > 0 && area.forCommands && random(2) === 0) {
    const command = `mkdir -p ${quote(path)}/by-command-"\${each.index}"`;
    blocks.push({ id: nextId(maker), ...withEffects(maker, { type: "Shell", inputs: { command } }) });
  }
  return {
    id: nextId(maker),
    blocks: blocks.slice(0, 1 + random(blocks.length)),
    for_each: Array.from({ length: 1 + random(3) }, (_, index) => `value ${index}`),
    for_each_mode: pick(random, ["sequential", "parallel"]),
  };
}

function writeCall(maker: Maker, areas: readonly AreaModel[], depth: number, isAlone: boolean): CaseBlock {
  const { library } = maker;
  const name = `child-${Object.keys(library).length}`;
  // Taken before it is filled, because its own children take theirs meanwhile.
  library[name] = { blocks: [] };
  library[name] = { blocks: writeBlocks(maker, areas, depth + 1, isAlone) };
  return { id: nextId(maker), type: "ExecuteWorkflow", inputs: { workflow: name } };
}

/** It fails first. Unless that is taken back, only what can be done twice is in it. */
function writeRetried(maker: Maker, areas: readonly AreaModel[], depth: number, isAlone: boolean): CaseBlock {
  const { random } = maker;
  const attempts = 2 + random(2);
  // It does not stand for the group, which is tried again.
  const falter = (): CaseBlock => ({
    id: nextId(maker),
    type: "Falter",
    inputs: { tag: `f${maker.lastId}`, times: 1 + random(attempts - 1) },
    ...(maker.mayRestore ? { on_failure: "continue" } : {}),
  });
  if (maker.mayRestore && isAlone && random(3) > 0) {
    const first = writeWitness(maker);
    const inner = writeRow(maker, areas, depth + 1, isAlone);
    const last = inner.at(-1) as CaseBlock;
    const blocks = [first, ...chain(first, inner), { ...falter(), depends_on: [{ block: last.id, required: false }] }];
    return { id: nextId(maker), blocks, retry: { attempts, delay: 0, restore: true } };
  }
  const area = pick(random, areas);
  const path = area.free(random);
  area.put(path, { kind: "file" });
  const twice: CaseBlock = {
    id: nextId(maker),
    type: "CreateFile",
    inputs: { path: input(path), content: `${random(100)}` },
  };
  return {
    id: nextId(maker),
    blocks: [twice, { ...falter(), depends_on: [twice.id] }],
    retry: { attempts, delay: 0 },
  };
}

function chain(first: CaseBlock, blocks: readonly CaseBlock[]): CaseBlock[] {
  return blocks.map((block) => (block.depends_on === undefined ? { ...block, depends_on: [first.id] } : block));
}

/** Sees the tree; whenever one of its name sees it, it must be the same. */
function writeWitness(maker: Maker, name = `w${maker.lastId}`): CaseBlock {
  return { id: nextId(maker), type: "Witness", inputs: { name } };
}

/** A group that fails and takes back what it did, between two that look. */
function writeTakenBack(maker: Maker, areas: readonly AreaModel[], depth: number): CaseBlock[] {
  const known = areas.map((area) => area.copy());
  const before = writeWitness(maker);
  const inner = writeRow(maker, areas, depth + 1, true);
  const last = inner.at(-1) as CaseBlock;
  const failing = { ...writeFailure(maker), on_failure: "continue", depends_on: [{ block: last.id, required: false }] };
  const group = { id: nextId(maker), blocks: [...inner, failing], on_failure: "rollback_block" };
  for (const [index, area] of areas.entries()) area.become(known[index] as AreaModel);
  return [before, group, writeWitness(maker, String((before.inputs as { name: string }).name))];
}

/** Some do something before they fail. */
export function writeFailure(maker: Maker, area?: AreaModel): CaseBlock {
  const { random } = maker;
  const id = nextId(maker);
  const path = area?.free(random);
  const choices: Omit<CaseBlock, "id">[] = [
    { type: "DeleteFile", inputs: { path: "there is nothing of this name" } },
    { type: "Falter", inputs: { tag: id, times: 99 } },
    { type: "Falter", inputs: { tag: id, times: 99, how: "crash" } },
  ];
  if (area?.forCommands && maker.effects.length > 0 && path !== undefined) {
    const effects = pick(random, maker.effects);
    area.put(path, { kind: "file" });
    choices.push(
      { type: "Shell", inputs: { command: `printf half > ${quote(path)}; exit 1` }, effects },
      { type: "Shell", inputs: { command: `printf half > ${quote(path)}; sleep 30` }, effects, timeout: "50ms" },
    );
  }
  return { id, ...pick(random, choices) };
}
