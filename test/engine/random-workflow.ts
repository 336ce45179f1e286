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
  readonly kind: "leaf" | "command" | "prompt" | "wait" | "nested";
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
  return fc.record({
    body: depth === 0 ? leaf : fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: nested() }),
    dependencies: fc.uniqueArray(
      fc.record({ on: fc.nat(8), required: fc.constantFrom(undefined, undefined, true, false) }).map(dropUndefined),
      { maxLength: 3, selector: ({ on }) => on },
    ),
    condition: fc.constantFrom(...conditions),
    target: fc.nat(8),
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

class Writer {
  readonly #timeout: string;
  readonly #library: Record<string, Written> = {};
  #dependsOnOrder = false;

  constructor(timeout: string) {
    this.#timeout = timeout;
  }

  write(root: Shape): RandomWorkflow {
    return { root: this.#workflow(root), library: this.#library, dependsOnOrder: this.#dependsOnOrder };
  }

  #workflow({ blocks, maxParallel, isLimited }: Shape): Written {
    const lateNames: string[] = [];
    const written = blocks.map((spec, index) => this.#block(spec, index, blocks, lateNames));
    return {
      ...(maxParallel === undefined ? {} : { max_parallel: maxParallel }),
      ...(isLimited ? { timeout: this.#timeout } : {}),
      inputs: Object.fromEntries(
        lateNames.map((name) => [inputOf(name), { type: "str", default: name, description: "Found late" }]),
      ),
      blocks: written,
      outputs: {
        last: `\${blocks.b${blocks.length - 1}.status}`,
        first: "${blocks.b0.succeeded} or ${blocks.b0.failed}",
      },
    };
  }

  #block(spec: BlockSpec, index: number, blocks: readonly BlockSpec[], lateNames: string[]): object {
    const { body, dependencies, condition, target, loop, retry } = spec;
    if (loop?.kind === "for-each" && loop.stop && !loop.sequential) this.#dependsOnOrder = true;
    const upstream = index === 0 ? [] : dependencies.map(({ on, ...rest }) => ({ block: `b${on % index}`, ...rest }));
    const unique = upstream.filter((one, at) => upstream.findIndex(({ block }) => block === one.block) === at);
    const written = writeCondition(
      condition,
      index === 0 ? undefined : target % index,
      blocks,
      loop?.kind === "for-each",
    );
    return {
      id: `b${index}`,
      ...this.#body(body, lateNames),
      ...(spec.asksWhenInterrupted && body.kind !== "nested" ? { on_interrupted: "ask" } : {}),
      ...(spec.isLimited && body.kind === "nested" ? { timeout: this.#timeout } : {}),
      ...(unique.length === 0 ? {} : { depends_on: unique }),
      ...(written === undefined ? {} : { condition: written }),
      ...(loop === undefined ? {} : writeLoop(loop)),
      ...(retry === undefined ? {} : { retry }),
    };
  }

  #body({ kind, inner, isLate, duration }: Body, lateNames: string[]): object {
    if (kind === "leaf") return { type: "Step" };
    if (kind === "command") return { type: "Command" };
    if (kind === "prompt") return { type: "Prompt", inputs: { prompt: "Go on?" } };
    if (kind === "wait") return { type: "Wait", inputs: { duration } };
    const name = `child-${Object.keys(this.#library).length}`;
    // Takes the name before the blocks inside it take theirs.
    this.#library[name] = { blocks: [] };
    this.#library[name] = this.#workflow(inner as Shape);
    if (isLate) lateNames.push(name);
    return { type: "ExecuteWorkflow", inputs: { workflow: isLate ? `\${inputs.${inputOf(name)}}` : name } };
  }
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
  condition: string,
  target: number | undefined,
  blocks: readonly BlockSpec[],
  isLoop: boolean,
): string | undefined {
  if (condition === "each") return isLoop ? "${each.index} != 1" : undefined;
  if (target === undefined || condition === "none") return undefined;
  const block = `blocks.b${target}`;
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
    default:
      return body.kind === "nested" && loop === undefined ? `\${${block}.blocks.b0.failed}` : undefined;
  }
}
