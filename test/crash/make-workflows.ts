import type { Written } from "../rig/engine.ts";
import type { CaseWorkflows } from "./protocol.ts";
import { createRandom, pick, type Random } from "./random.ts";

/**
 * What can be said of the end of a disturbed run. `repeat`: interrupted blocks are always run again, so it ends as if nothing had
 * happened. `decide`: they may also fail or be taken for done, so it ends as if those blocks had ended so by themselves.
 * `loose`: its end depends on the order in which blocks end, or on when it is cancelled.
 */
export const families = ["repeat", "decide", "loose"] as const;
export type Family = (typeof families)[number];

/** A small tree of workflows by chance. */
export function makeWorkflows(seed: number, family: Family): CaseWorkflows {
  const random = createRandom(seed);
  const library: Record<string, Written> = {};
  const maker = { random, family, library };
  return { root: writeWorkflow(maker, 2), library };
}

interface Body {
  /** Absent for one that holds blocks. */
  readonly type?: string;
  readonly [key: string]: unknown;
}

interface Block extends Body {
  readonly id: string;
}

interface Maker {
  readonly random: Random;
  readonly family: Family;
  readonly library: Record<string, Written>;
}

function writeWorkflow(maker: Maker, depth: number): Written {
  const { random } = maker;
  return {
    inputs: { given: { type: "json", description: "What the caller hands over", default: null } },
    ...(random(3) === 0 ? { max_parallel: 1 + random(3) } : {}),
    ...writeBlocks(maker, depth, { prefix: "", take: ["${inputs.given}"] }),
    ...writeFinally(maker, depth),
  };
}

/** Nothing in it waits for anybody; what it calls has its own. */
function writeFinally(maker: Maker, depth: number): { finally?: Block[] } {
  const { random, family } = maker;
  if (random(2) === 0) return {};
  const rule = family === "repeat" ? "rerun" : pick(random, ["rerun", "fail"]);
  const { retry, fails = 0 } = writeRetry(random);
  const take = ["${inputs.given}", "${run.status}", "${run.failed_blocks}", "${blocks.b0.status}"];
  const effect = (inputs: object): Body => ({ type: "Effect", on_interrupted: rule, inputs: { ...inputs, take } });
  const first = {
    id: "f0",
    ...effect({ ends: writeEnding(random), fails }),
    ...(retry && { retry }),
    ...mayFail(random),
  };
  const second = { id: "f1", ...effect({}), depends_on: [{ block: "f0", required: false }] };
  const group = { id: "f2", blocks: [{ id: "f2_b0", ...effect({ ends: writeEnding(random) }) }], ...mayFail(random) };
  const condition = `\${run.status} == '${pick(random, ["success", "failure"])}'`;
  const others: Block[] = depth > 0 ? [second, { ...group, condition }] : [second];
  return { finally: [first, ...others.filter(() => random(2) === 0)] };
}

function mayFail(random: Random): { allow_failure?: true } {
  return random(4) === 0 ? { allow_failure: true } : {};
}

/** What blocks find around them. */
interface Surroundings {
  /** Before each id, so that none is one that is visible around. */
  readonly prefix: string;
  /** What they can take. */
  readonly take: readonly string[];
}

function writeBlocks(maker: Maker, depth: number, around: Surroundings): { blocks: Block[]; outputs: object } {
  const { random } = maker;
  const blocks: Block[] = [];
  const count = depth === 2 ? 2 + random(4) : 1 + random(2);
  for (let index = 0; index < count; index++) blocks.push(writeBlock(maker, index, depth, blocks, around));
  const last = `${around.prefix}b${count - 1}`;
  return { blocks, outputs: { last: outputsOf(last, blocks), went: `\${blocks.${last}.status}` } };
}

/** How long a Wait took is different in each run. */
function outputsOf(id: string, blocks: readonly Block[]): string {
  const { type } = blocks.find((block) => block.id === id) as Block;
  return `\${blocks.${id}.${type === "Wait" ? "status" : "outputs"}}`;
}

function writeBlock(maker: Maker, index: number, depth: number, blocks: readonly Block[], around: Surroundings): Block {
  const { random } = maker;
  const { prefix } = around;
  const upstream = Array.from({ length: index }, (_, block) => `${prefix}b${block}`).filter(() => random(3) === 0);
  const [first] = upstream;
  const take = [...around.take, ...upstream.map((block) => outputsOf(block, blocks))];
  const hasCondition = first !== undefined && random(3) === 0;
  return {
    id: `${prefix}b${index}`,
    ...writeBody(maker, { prefix: `${prefix}b${index}_`, take }, depth),
    ...(upstream.length === 0
      ? {}
      : { depends_on: upstream.map((block) => (random(3) === 0 ? { block, required: false } : block)) }),
    ...mayFail(random),
    ...(hasCondition ? { condition: `\${blocks.${first}.${pick(random, ["succeeded", "failed", "skipped"])}}` } : {}),
  };
}

function writeBody(maker: Maker, around: Surroundings, depth: number): Body {
  const { take } = around;
  const choice = maker.random(depth === 0 ? 20 : 32);
  if (choice === 0) return { type: "Shell", on_interrupted: "rerun", inputs: { command: "printf made; sleep 0.02" } };
  if (choice < 3) return { type: "Wait", inputs: { duration: pick(maker.random, shortTimes) } };
  if (choice < 5) return { type: "Prompt", inputs: { prompt: `question ${maker.random(9)}` } };
  if (choice < 20) return writeEffect(maker, take);
  return choice < 26 ? writeNested(maker, take, depth) : writeGroup(maker, around, depth);
}

/** Long enough for a kill to fall into it. */
const shortTimes = ["0s", "15ms", "80ms"];

/** Where it fails first, it does not do so in its last attempt. */
function writeRetry(random: Random): { readonly retry?: object; readonly fails?: number } {
  if (random(3) > 0) return {};
  const attempts = 2 + random(2);
  return { retry: { attempts, delay: pick(random, shortTimes), backoff: "fixed" }, fails: random(attempts) };
}

function writeEffect(maker: Maker, take: readonly string[]): Body {
  const { random, family } = maker;
  const rules = family === "repeat" ? [undefined, "rerun", "ask"] : [undefined, "ask", "ask", "fail"];
  const rule = pick(random, rules);
  const asks = pick(random, [0, 0, 0, 1, 2]);
  const more = { type: "Effect", ...(rule === undefined ? {} : { on_interrupted: rule }) };
  const { retry, fails = 0 } = writeRetry(random);
  const again = retry === undefined ? {} : { retry };
  const choice = random(8);
  if (choice > 2) return { ...more, ...again, inputs: { ends: writeEnding(random), fails, asks, take } };
  if (choice === 2) {
    const until = pick(random, ["${this.succeeded}", "${this.failed}"]);
    const repeat = { max: 1 + random(3), until, delay: pick(random, shortTimes) };
    return { ...more, ...again, repeat, inputs: { ends: writeEnding(random), fails, asks, take } };
  }
  const elements = Array.from({ length: 2 + random(2) }, () => writeEnding(random));
  const cannotFail = family === "repeat" && elements.every((ending) => ending === "success");
  return {
    ...more,
    ...again,
    for_each: elements,
    ...writeLoop(maker, cannotFail),
    inputs: { ends: "${each.value}", fails, asks, take: ["${each.index}", ...take] },
  };
}

function writeEnding(random: Random): string {
  return pick(random, ["success", "success", "success", "success", "success", "failure", "crash"]);
}

/** Where elements that run together can stop each other, the end depends on which is first. */
function writeLoop({ random, family }: Maker, cannotFail: boolean): object {
  const isSequential = random(2) === 0;
  const mayStop = isSequential || cannotFail || family === "loose";
  return {
    for_each_mode: isSequential ? "sequential" : "parallel",
    max_parallel: 1 + random(3),
    on_error: mayStop && random(2) === 0 ? "stop" : "continue",
  };
}

function writeNested(maker: Maker, take: readonly string[], depth: number): Body {
  const { random, library } = maker;
  const name = `child-${Object.keys(library).length}`;
  // Taken before it is filled, because its own children take theirs meanwhile.
  library[name] = { blocks: [] };
  library[name] = writeWorkflow(maker, depth - 1);
  const retry = random(3) === 0 ? { retry: { attempts: 2, delay: pick(random, shortTimes) } } : {};
  const called = (given: unknown): Body => ({
    type: "ExecuteWorkflow",
    ...retry,
    inputs: { workflow: name, inputs: { given } },
  });
  if (random(3) > 0) return called(take);
  return { ...called(["${each.value}", ...take]), for_each: [1, 2], ...writeLoop(maker, false) };
}

function writeGroup(maker: Maker, around: Surroundings, depth: number): Body {
  const { random } = maker;
  const retry = random(3) === 0 ? { retry: { attempts: 2, delay: pick(random, shortTimes) } } : {};
  const choice = random(5);
  if (choice > 1) return { ...retry, ...writeBlocks(maker, depth - 1, around) };
  const inner = writeBlocks(maker, depth - 1, { ...around, take: ["${each.index}", ...around.take] });
  if (choice === 1) return { ...retry, ...inner, for_each: [1, 2], ...writeLoop(maker, false) };
  return { ...retry, ...inner, repeat: { max: 1 + random(2), until: "${this.succeeded}" } };
}
