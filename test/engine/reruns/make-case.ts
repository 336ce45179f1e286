import type { Value, ValueMap } from "../../../src/expression/value.ts";
import { createRandom, pick, type Random } from "../../crash/random.ts";

/** A workflow with those that it calls and what it is given, as data that can be edited. */
export interface Case {
  readonly root: CaseWorkflow;
  readonly library: Record<string, CaseWorkflow>;
  inputs: Record<string, Value>;
}

export interface CaseWorkflow {
  readonly inputs: Record<string, Record<string, unknown>>;
  vars: Record<string, unknown>;
  env: Record<string, string>;
  blocks: CaseBlock[];
  finally?: CaseBlock[];
  outputs: Record<string, unknown>;
  [key: string]: unknown;
}

export interface Body {
  /** Absent for one that holds blocks. */
  type?: string;
  inputs?: Record<string, unknown>;
  blocks?: CaseBlock[];
  depends_on?: (string | { block: string; required: boolean })[];
  for_each?: unknown;
  [key: string]: unknown;
}

/** Its id is found nowhere else in the case. */
export interface CaseBlock extends Body {
  id: string;
}

/**
 * `handling`: failures may be allowed or stood in for. `plain`: none is, so that one which comes from outside, and is gone in the next
 * run, leaves nothing behind.
 */
export type Family = "handling" | "plain";

export interface Maker {
  readonly random: Random;
  readonly family: Family;
  readonly library: Record<string, CaseWorkflow>;
  lastId: number;
}

export function makeCase(seed: number, family: Family): { readonly made: Case; readonly maker: Maker } {
  const library: Record<string, CaseWorkflow> = {};
  const maker: Maker = { random: createRandom(seed), family, library, lastId: 0 };
  const root = writeWorkflow(maker, 3);
  const inputs: Record<string, Value> = {};
  if (maker.random(2) === 0) inputs.given = writeValue(maker.random);
  if (maker.random(3) === 0) inputs.chosen = writeValue(maker.random);
  return { made: { root, library, inputs }, maker };
}

export function writeValue(random: Random): Value {
  return pick<() => Value>(random, [
    () => random(5),
    () => `text ${random(5)}`,
    () => [random(3), "x"],
    (): ValueMap => ({ a: random(3), b: [random(2)] }),
    () => null,
  ])();
}

/** What blocks find around them. */
interface Surroundings {
  readonly take: readonly string[];
  /** Blocks around that can be read. */
  readonly outer: readonly string[];
}

function writeWorkflow(maker: Maker, depth: number): CaseWorkflow {
  const { random } = maker;
  const defaulted = pick(random, [writeValue(random), "of ${metadata.workflow_name}"]);
  const take = ["${inputs.given}", "${inputs.chosen}", "${vars.first}"];
  const written = writeBlocks(maker, depth, { take, outer: [] });
  const first = written.blocks[0] as CaseBlock;
  const last = written.blocks.at(-1) as CaseBlock;
  const readsState = first !== last && last.type === "Work" && random(2) === 0;
  if (readsState && Array.isArray(last.inputs?.take)) last.inputs.take.push("${vars.state}");
  return {
    inputs: {
      given: { type: "json", description: "What the caller hands over", default: null },
      chosen: { type: "json", description: "What the caller may hand over", default: defaulted },
    },
    vars: {
      first: pick(random, ["${inputs.given}", `fixed ${random(5)}`, "${inputs.chosen}"]),
      ...(readsState ? { state: `\${blocks.${first.id}.status}` } : {}),
    },
    env: random(3) === 0 ? { LEVEL: String(random(3)) } : {},
    ...(random(4) === 0 ? { max_parallel: 1 + random(3) } : {}),
    ...written,
    ...writeFinally(maker, depth, take.slice(0, 2), first.id),
  };
}

function writeFinally(
  maker: Maker,
  depth: number,
  around: readonly string[],
  first: string,
): { finally?: CaseBlock[] } {
  const { random } = maker;
  if (random(3) > 0) return {};
  const take = pick(random, [around, ["${run.status}", "${run.failed_blocks}"], [`\${blocks.${first}.status}`]]);
  const work: CaseBlock = { id: nextId(maker), ...writeWork(maker, take) };
  delete work.inputs?.asks;
  if (depth === 0 || random(2) === 0) return { finally: [work] };
  const inner: CaseBlock = { id: nextId(maker), ...writeWork(maker, take) };
  delete inner.inputs?.asks;
  return { finally: [work, { id: nextId(maker), blocks: [inner] }] };
}

export function nextId(maker: Maker): string {
  maker.lastId++;
  return `b${maker.lastId}`;
}

function writeBlocks(
  maker: Maker,
  depth: number,
  around: Surroundings,
): { blocks: CaseBlock[]; outputs: Record<string, unknown> } {
  const { random } = maker;
  const blocks: CaseBlock[] = [];
  const count = depth === 3 ? 2 + random(4) : 1 + random(2);
  for (let index = 0; index < count; index++) blocks.push(writeBlock(maker, depth, blocks, around));
  const last = pick(random, blocks).id;
  const outputs = { last: `\${blocks.${last}.outputs}`, went: `\${blocks.${pick(random, blocks).id}.status}` };
  return { blocks, outputs: random(4) === 0 ? { went: outputs.went } : outputs };
}

function writeBlock(maker: Maker, depth: number, before: readonly CaseBlock[], around: Surroundings): CaseBlock {
  const { random, family } = maker;
  const id = nextId(maker);
  const upstream = [...before.map((block) => block.id), ...around.outer].filter(() => random(3) === 0);
  const inner = before.map((block) => block.id);
  const own = upstream.filter((block) => inner.includes(block));
  const read = upstream.filter(() => random(3) > 0);
  const take = [...around.take, ...read.map((block) => `\${blocks.${block}.${pick(random, reads)}}`)].filter(
    () => random(4) > 0,
  );
  const [first] = own;
  const mayHandle = family === "handling";
  const conditions = mayHandle ? ["succeeded", "failed", "skipped"] : ["succeeded"];
  const condition =
    first !== undefined && random(4) === 0
      ? { condition: `\${blocks.${first}.${pick(random, conditions)}}` }
      : random(8) === 0
        ? { condition: `\${inputs.given} != ${random(3)}` }
        : {};
  const depends = own.map((block) => (mayHandle && random(3) === 0 ? { block, required: false } : block));
  return {
    id,
    ...writeBody(maker, { take, outer: upstream.filter((block) => !own.includes(block)) }, depth),
    ...(depends.length === 0 || random(3) === 0 ? {} : { depends_on: depends }),
    ...condition,
    ...(mayHandle && random(4) === 0 ? { allow_failure: true } : {}),
    ...(random(10) === 0 ? { reuse: false } : {}),
  };
}

const reads = ["outputs", "outputs", "outputs", "status", "succeeded"];

function writeBody(maker: Maker, around: Surroundings, depth: number): Body {
  const choice = maker.random(depth === 0 ? 8 : 14);
  if (choice < 5) return writeWork(maker, around.take);
  if (choice < 7) return writeLoop(maker, around.take);
  if (choice < 8) return writeRepeat(maker, around.take);
  return choice < 11 ? writeCall(maker, around.take, depth) : writeGroup(maker, around, depth);
}

export function writeWork({ random, family }: Maker, take: readonly string[]): Body {
  const attempts = 2 + random(2);
  const retry = random(4) === 0;
  const asks = random(12) === 0 ? pick(random, ["llm", "human"]) : undefined;
  return {
    type: "Work",
    inputs: {
      take: [...take],
      tag: `tag ${random(1000)}`,
      ends: pick(random, family === "handling" ? endings : ["success"]),
      ...(retry ? { fails: random(attempts) } : {}),
      ...(asks === undefined ? {} : { asks }),
    },
    ...(retry ? { retry: { attempts, delay: 0 } } : {}),
    ...(random(8) === 0 ? { expect: { condition: "${this.succeeded}" } } : {}),
  };
}

const endings = ["success", "success", "success", "success", "success", "failure", "crash"];

const ofElement = ["${each.value}", "${each.index}", "${each.count}", "${each.key}", "${each.value}-${each.key}"];

/** Elements that are equal come up often. */
export function writeElements(random: Random): unknown {
  const count = random(5);
  const value = (): unknown => pick<unknown>(random, [random(3), "e", { a: random(2) }, [random(2)]]);
  if (random(3) > 0) return Array.from({ length: count }, value);
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${random(2)}${index}`, value()]));
}

function loopKeys({ random }: Maker): Record<string, unknown> {
  const isSequential = random(2) === 0;
  return {
    for_each_mode: isSequential ? "sequential" : "parallel",
    max_parallel: 1 + random(3),
    // Where elements that run together can stop each other, the end depends on which is first.
    on_error: isSequential && random(2) === 0 ? "stop" : "continue",
  };
}

function eachReads(random: Random, isSequential: boolean): string[] {
  const previous = isSequential && random(3) === 0 ? ["${default(each.previous.outputs, 'none')}"] : [];
  return [...ofElement.filter(() => random(3) === 0), ...previous];
}

function writeLoop(maker: Maker, take: readonly string[]): Body {
  const { random } = maker;
  const keys = loopKeys(maker);
  const work = writeWork(maker, [...take, ...eachReads(random, keys.for_each_mode === "sequential")]);
  const lists = take.filter((text) => text.endsWith(".outputs}")).map((text) => text.replace(/\.outputs}$/, ".list}"));
  const items =
    lists.length > 0 && random(2) === 0 ? `\${default(${lists[0]?.slice(2, -1)}, [])}` : writeElements(random);
  return { ...work, ...keys, for_each: items };
}

function writeRepeat(maker: Maker, take: readonly string[]): Body {
  const { random } = maker;
  const more = ["${each.index}", "${default(each.previous.outputs, 'none')}"].filter(() => random(2) === 0);
  const until = pick(random, ["${this.succeeded}", "${this.outputs.value} == 'never'", undefined]);
  const repeat = { max: 1 + random(3), ...(until === undefined ? {} : { until }), ...(random(2) ? { delay: 0 } : {}) };
  return { ...writeWork(maker, [...take, ...more]), repeat };
}

function writeCall(maker: Maker, take: readonly string[], depth: number): Body {
  const { random, library } = maker;
  const name = `child-${Object.keys(library).length}`;
  // Taken before it is filled, because its own children take theirs meanwhile.
  library[name] = { inputs: {}, vars: {}, env: {}, blocks: [], outputs: {} };
  library[name] = writeWorkflow(maker, depth - 1);
  const retry = random(5) === 0 ? { retry: { attempts: 2, delay: 0 } } : {};
  const called = (given: unknown): Body => ({
    type: "ExecuteWorkflow",
    ...retry,
    inputs: { workflow: name, inputs: { given, ...(random(2) === 0 ? { chosen: random(3) } : {}) } },
  });
  if (random(3) > 0) return called(take);
  return { ...called([...eachReads(random, false), ...take]), for_each: writeElements(random), ...loopKeys(maker) };
}

function writeGroup(maker: Maker, around: Surroundings, depth: number): Body {
  const { random } = maker;
  const retry = random(5) === 0 ? { retry: { attempts: 2, delay: 0 } } : {};
  const choice = random(5);
  if (choice > 1) return { ...retry, ...writeBlocks(maker, depth - 1, around) };
  const element = ["${each.index}", "${each.value}"].filter(
    (text) => (choice === 1 || text.includes("index")) && random(2) === 0,
  );
  const inner = writeBlocks(maker, depth - 1, { ...around, take: [...element, ...around.take] });
  if (choice === 1) return { ...retry, ...inner, for_each: writeElements(random), ...loopKeys(maker) };
  return { ...retry, ...inner, repeat: { max: 1 + random(2), until: "${this.succeeded}" } };
}
