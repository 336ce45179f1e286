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

interface Maker {
  readonly random: Random;
  readonly family: Family;
  readonly library: Record<string, Written>;
}

function writeWorkflow(maker: Maker, depth: number): Written {
  const { random } = maker;
  const blocks: object[] = [];
  const count = depth === 2 ? 2 + random(4) : 1 + random(2);
  for (let index = 0; index < count; index++) blocks.push(writeBlock(maker, index, depth));
  return {
    inputs: { given: { type: "json", description: "What the caller hands over", default: null } },
    ...(random(3) === 0 ? { max_parallel: 1 + random(3) } : {}),
    blocks,
    outputs: { last: `\${blocks.b${count - 1}.outputs}`, went: `\${blocks.b${count - 1}.status}` },
  };
}

function writeBlock(maker: Maker, index: number, depth: number): object {
  const { random } = maker;
  const upstream = Array.from({ length: index }, (_, block) => `b${block}`).filter(() => random(3) === 0);
  const [first] = upstream;
  const take = ["${inputs.given}", ...upstream.map((block) => `\${blocks.${block}.outputs}`)];
  const hasCondition = first !== undefined && random(3) === 0;
  return {
    id: `b${index}`,
    ...writeBody(maker, take, depth),
    ...(upstream.length === 0
      ? {}
      : { depends_on: upstream.map((block) => (random(3) === 0 ? { block, required: false } : block)) }),
    ...(hasCondition ? { condition: `\${blocks.${first}.${pick(random, ["succeeded", "failed", "skipped"])}}` } : {}),
  };
}

function writeBody(maker: Maker, take: readonly string[], depth: number): object {
  const choice = maker.random(depth === 0 ? 18 : 24);
  if (choice === 0) return { type: "Shell", on_interrupted: "rerun", inputs: { command: "printf made; sleep 0.02" } };
  if (choice < 3) return { type: "Prompt", inputs: { prompt: `question ${maker.random(9)}` } };
  return choice < 18 ? writeEffect(maker, take) : writeNested(maker, take, depth);
}

function writeEffect(maker: Maker, take: readonly string[]): object {
  const { random, family } = maker;
  const rules = family === "repeat" ? [undefined, "rerun", "ask"] : [undefined, "ask", "ask", "fail"];
  const rule = pick(random, rules);
  const asks = pick(random, [0, 0, 0, 1, 2]);
  const more = { type: "Effect", ...(rule === undefined ? {} : { on_interrupted: rule }) };
  if (random(4) > 0) return { ...more, inputs: { ends: writeEnding(random), asks, take } };
  const elements = Array.from({ length: 2 + random(2) }, () => writeEnding(random));
  const cannotFail = family === "repeat" && elements.every((ending) => ending === "success");
  return {
    ...more,
    for_each: elements,
    ...writeLoop(maker, cannotFail),
    inputs: { ends: "${each.value}", asks, take: ["${each.index}", ...take] },
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

function writeNested(maker: Maker, take: readonly string[], depth: number): object {
  const { random, library } = maker;
  const name = `child-${Object.keys(library).length}`;
  // Taken before it is filled, because its own children take theirs meanwhile.
  library[name] = { blocks: [] };
  library[name] = writeWorkflow(maker, depth - 1);
  const called = (given: unknown): object => ({
    type: "ExecuteWorkflow",
    inputs: { workflow: name, inputs: { given } },
  });
  if (random(3) > 0) return called(take);
  return { ...called(["${each.value}", ...take]), for_each: [1, 2], ...writeLoop(maker, false) };
}
