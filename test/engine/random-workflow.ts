import fc from "fast-check";
import type { Written } from "../rig/engine.ts";

/** A workflow tree by chance: what runs, what it waits for, and under which condition. */
export interface RandomWorkflow {
  readonly root: Written;
  readonly library: Readonly<Record<string, Written>>;
  /** Whether some loop stops in the middle of parallel work, so that the order of completions shows in the result. */
  readonly dependsOnOrder: boolean;
}

interface Body {
  readonly kind: "leaf" | "command" | "prompt" | "wait" | "nested" | "group";
  readonly inner?: Shape;
  /** Of a Wait. */
  readonly duration?: string;
  /** The name of the nested workflow is an expression, so that it is found only when the block starts. */
  readonly isLate?: boolean;
}

interface BlockSpec {
  readonly body: Body;
  readonly dependencies: readonly DependencySpec[];
  readonly condition: string;
  readonly target: number;
  /** Of a step in a group: whether it reads a block around that. */
  readonly readsAround: boolean;
  readonly asksWhenInterrupted: boolean;
  readonly isLimited: boolean;
  readonly loop?: LoopSpec | RepeatSpec;
  readonly retry?: RetrySpec;
}

interface LoopSpec {
  readonly kind: "for-each";
  readonly size: number;
  readonly sequential: boolean;
  readonly stop: boolean;
  readonly max: number;
}

interface RepeatSpec {
  readonly kind: "repeat";
  readonly max: number;
  readonly until?: string;
  readonly delay: string;
}

interface RetrySpec {
  readonly attempts: number;
  readonly delay: string;
  readonly on?: readonly string[];
}

interface Shape {
  readonly blocks: readonly BlockSpec[];
  readonly maxParallel: number | undefined;
  readonly isLimited: boolean;
}

const conditions = [
  "none",
  "none",
  "none",
  "failed",
  "succeeded",
  "either",
  "code",
  "skipped",
  "each",
  "text",
  "inside",
  "around",
  "each outer",
];

/** True once in a while. */
const seldom = fc.nat(3).map((number) => number === 3);

/** None, one that the process that drives the run waits for, and one for which it gives the run back. */
const delays = fc.constantFrom("0s", "300ms", "2s", "90s");

const forEach: fc.Arbitrary<LoopSpec> = fc.record({
  kind: fc.constant("for-each"),
  size: fc.nat(4),
  sequential: fc.boolean(),
  stop: seldom,
  max: fc.integer({ min: 1, max: 3 }),
});

const repeat = fc.record({
  kind: fc.constant("repeat"),
  max: fc.integer({ min: 1, max: 3 }),
  until: fc.constantFrom(undefined, "${this.succeeded}", "${this.failed}"),
  delay: delays,
}) as fc.Arbitrary<RepeatSpec>;

/** What is tried again at all is tried again after a failure of its operation: the fates of blocks count on it. */
const retry = fc.record({
  attempts: fc.integer({ min: 1, max: 3 }),
  delay: delays,
  on: fc.constantFrom(undefined, ["failure", "crash", "timeout"], ["failure"]),
}) as fc.Arbitrary<RetrySpec>;

function blockSpec(depth: number): fc.Arbitrary<BlockSpec> {
  const step = fc.constantFrom<Body>({ kind: "leaf" }, { kind: "leaf" }, { kind: "command" }, { kind: "prompt" });
  const wait = delays.map((duration): Body => ({ kind: "wait", duration }));
  const leaf = fc.oneof({ weight: 6, arbitrary: step }, { weight: 1, arbitrary: wait });
  const nested = (): fc.Arbitrary<Body> =>
    fc.record({ inner: shape(depth - 1), isLate: fc.boolean() }).map((body) => ({ kind: "nested", ...body }));
  const group = (): fc.Arbitrary<Body> => shape(depth - 1).map((inner) => ({ kind: "group", inner }));
  const holder = (): fc.Arbitrary<Body> => fc.oneof(nested(), group());
  return fc.record({
    body: depth === 0 ? leaf : fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 2, arbitrary: holder() }),
    dependencies: fc.uniqueArray(
      fc.record({ on: fc.nat(8), required: fc.constantFrom(undefined, undefined, true, false) }).map(dropUndefined),
      { maxLength: 3, selector: ({ on }) => on },
    ),
    condition: fc.constantFrom(...conditions),
    target: fc.nat(8),
    readsAround: seldom,
    asksWhenInterrupted: seldom,
    isLimited: fc.boolean(),
    loop: fc.option(fc.oneof({ weight: 2, arbitrary: forEach }, { weight: 1, arbitrary: repeat }), {
      nil: undefined,
      freq: 3,
    }),
    retry: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: retry }),
  }) as fc.Arbitrary<BlockSpec>;
}

interface DependencySpec {
  readonly on: number;
  readonly required?: boolean;
}

function dropUndefined({ on, required }: { on: number; required: boolean | undefined }): DependencySpec {
  return required === undefined ? { on } : { on, required };
}

function shape(depth: number): fc.Arbitrary<Shape> {
  return fc.record({
    blocks: fc.array(blockSpec(depth), { minLength: 1, maxLength: depth === 2 ? 6 : 3 }),
    maxParallel: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    isLimited: fc.boolean(),
  });
}

/** Where something has a time limit, it is this one. */
export function randomWorkflow(timeout: string): fc.Arbitrary<RandomWorkflow> {
  return shape(2).map((root) => new Writer(timeout).write(root));
}

/** The same tree twice: what is written inside a block in one is a workflow that it calls in the other. */
export function randomTwins(timeout: string): fc.Arbitrary<{ readonly [Kind in HowToHold]: RandomWorkflow }> {
  return shape(2).map((root) => ({
    group: new Writer(timeout, "group").write(root),
    workflow: new Writer(timeout, "workflow").write(root),
  }));
}

type HowToHold = "group" | "workflow";

/** What blocks of a workflow or a group find around them. */
interface Surroundings {
  /** Before each id, so that none is one that is visible around. */
  readonly prefix: string;
  /** Blocks around that can be read without waiting for each other. */
  readonly readable: readonly string[];
  /** Loops around. */
  readonly loops: number;
  readonly lateNames: string[];
}

class Writer {
  readonly #timeout: string;
  /**
   * Where the two are to be alike, blocks in a group read nothing around it; and nothing is found late, for of what a workflow
   * that is not known yet calls, not even the outputs are known.
   */
  readonly #alike: HowToHold | undefined;
  readonly #library: Record<string, Written> = {};
  #dependsOnOrder = false;

  constructor(timeout: string, alike?: HowToHold) {
    this.#timeout = timeout;
    this.#alike = alike;
  }

  write(root: Shape): RandomWorkflow {
    return { root: this.#workflow(root), library: this.#library, dependsOnOrder: this.#dependsOnOrder };
  }

  #workflow(shape: Shape, prefix: string = ""): Written {
    const lateNames: string[] = [];
    const holder = this.#holder(shape, { prefix, readable: [], loops: 0, lateNames });
    return {
      ...(shape.maxParallel === undefined ? {} : { max_parallel: shape.maxParallel }),
      ...(shape.isLimited ? { timeout: this.#timeout } : {}),
      inputs: Object.fromEntries(
        lateNames.map((name) => [inputOf(name), { type: "str", default: name, description: "Found late" }]),
      ),
      ...holder,
    };
  }

  #holder({ blocks }: Shape, around: Surroundings): { readonly blocks: readonly object[]; readonly outputs: object } {
    const { prefix } = around;
    return {
      blocks: blocks.map((spec, index) => this.#block(spec, index, blocks, around)),
      outputs: {
        last: `\${blocks.${prefix}b${blocks.length - 1}.status}`,
        first: `\${blocks.${prefix}b0.succeeded} or \${blocks.${prefix}b0.failed}`,
      },
    };
  }

  #block(spec: BlockSpec, index: number, blocks: readonly BlockSpec[], around: Surroundings): object {
    const { body, dependencies, loop, retry } = spec;
    const { prefix } = around;
    if (loop?.kind === "for-each" && loop.stop && !loop.sequential) this.#dependsOnOrder = true;
    const upstream =
      index === 0 ? [] : dependencies.map(({ on, ...rest }) => ({ block: `${prefix}b${on % index}`, ...rest }));
    const unique = upstream.filter((one, at) => upstream.findIndex(({ block }) => block === one.block) === at);
    const written = writeCondition(spec, index, blocks, around);
    const holds = body.kind === "nested" || body.kind === "group";
    return {
      id: `${prefix}b${index}`,
      ...this.#body(spec, index, around),
      ...(spec.asksWhenInterrupted && !holds ? { on_interrupted: "ask" } : {}),
      ...(spec.isLimited && holds ? { timeout: this.#timeout } : {}),
      ...(unique.length === 0 ? {} : { depends_on: unique }),
      ...(written === undefined ? {} : { condition: written }),
      ...(loop === undefined ? {} : writeLoop(loop)),
      ...(retry === undefined ? {} : { retry }),
    };
  }

  #body(spec: BlockSpec, index: number, around: Surroundings): object {
    const { kind, inner, duration } = spec.body;
    const isLate = spec.body.isLate && this.#alike === undefined;
    if (kind === "leaf") return { type: "Step", ...writeReading(spec, around) };
    if (kind === "command") return { type: "Command", ...writeReading(spec, around) };
    if (kind === "prompt") return { type: "Prompt", inputs: { prompt: "Go on?" } };
    if (kind === "wait") return { type: "Wait", inputs: { duration } };
    if (kind === "group") return this.#group(spec, index, around);
    const name = this.#call(inner as Shape);
    if (isLate) around.lateNames.push(name);
    return { type: "ExecuteWorkflow", inputs: { workflow: isLate ? `\${inputs.${inputOf(name)}}` : name } };
  }

  #call(shape: Shape, prefix?: string): string {
    const name = `child-${Object.keys(this.#library).length}`;
    // Takes the name before the blocks inside it take theirs.
    this.#library[name] = { blocks: [] };
    this.#library[name] = this.#workflow(shape, prefix);
    return name;
  }

  #group({ body, loop }: BlockSpec, index: number, around: Surroundings): object {
    const inner = body.inner as Shape;
    const prefix = `${around.prefix}b${index}_`;
    const most = loop?.kind === "for-each" ? undefined : inner.maxParallel;
    if (this.#alike === "workflow") {
      const workflow = this.#call({ ...inner, maxParallel: most, isLimited: false }, prefix);
      return { type: "ExecuteWorkflow", inputs: { workflow } };
    }
    const before = Array.from({ length: index }, (_, at) => `${around.prefix}b${at}`);
    const apart = { ...around, prefix, readable: [], loops: 0 };
    return {
      ...(most === undefined ? {} : { max_parallel: most }),
      ...this.#holder(
        inner,
        this.#alike === "group"
          ? apart
          : {
              ...apart,
              readable: [...around.readable, ...before],
              loops: around.loops + (loop === undefined ? 0 : 1),
            },
      ),
    };
  }
}

/** Something of a block around that is the same however the run went. */
function writeReading({ target, readsAround }: BlockSpec, { readable }: Surroundings): object {
  if (!readsAround || readable.length === 0) return {};
  return { inputs: { value: `\${len(keys(blocks.${readable[target % readable.length]}.outputs))}` } };
}

function inputOf(workflow: string): string {
  return workflow.replace("-", "_");
}

function writeLoop(loop: LoopSpec | RepeatSpec): object {
  if (loop.kind === "repeat") {
    const { max, until, delay } = loop;
    return { repeat: { max, delay, ...(until === undefined ? {} : { until }) } };
  }
  const { size, sequential, stop, max } = loop;
  return {
    for_each: Array.from({ length: size }, (_, element) => element),
    for_each_mode: sequential ? "sequential" : "parallel",
    on_error: stop ? "stop" : "continue",
    max_parallel: max,
  };
}

function writeCondition(
  { condition, target: chosen, loop: own }: BlockSpec,
  index: number,
  blocks: readonly BlockSpec[],
  { prefix, readable, loops }: Surroundings,
): string | undefined {
  const isLoop = own?.kind === "for-each";
  if (condition === "each") return isLoop || loops > 0 ? "${each.index} != 1" : undefined;
  if (condition === "each outer") return isLoop && loops > 0 ? "${each.outer.index} != 1" : undefined;
  if (condition === "around") {
    const state = ["failed", "succeeded", "skipped"][chosen % 3];
    return readable.length === 0 ? undefined : `\${blocks.${readable[chosen % readable.length]}.${state}}`;
  }
  if (index === 0 || condition === "none") return undefined;
  const target = chosen % index;
  const block = `blocks.${prefix}b${target}`;
  const { body, loop } = blocks[target] as BlockSpec;
  const isStep = body.kind === "leaf" || body.kind === "command";
  switch (condition) {
    case "failed":
    case "succeeded":
    case "skipped":
      return `\${${block}.${condition}}`;
    case "either":
      return `\${${block}.failed} or \${${block}.succeeded}`;
    case "code":
      return isStep && loop === undefined ? `\${${block}.code} != 0` : undefined;
    case "text":
      return `\${${block}.error}`;
    default: {
      if (loop !== undefined || isStep || body.inner === undefined) return undefined;
      const first = body.kind === "group" ? `${prefix}b${target}_b0` : "b0";
      return `\${${block}.blocks.${first}.failed}`;
    }
  }
}
