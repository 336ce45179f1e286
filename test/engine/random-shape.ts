import fc from "fast-check";

/** What a block does, or holds. */
export interface Body {
  readonly kind: "leaf" | "command" | "computed" | "prompt" | "wait" | "nested" | "group";
  readonly inner?: Shape;
  /** Of one that only computes. */
  readonly ends?: "succeed" | "fail" | "crash";
  /** Of a Wait. */
  readonly duration?: string;
  /** The name of the nested workflow is an expression, so that it is found only when the block starts. */
  readonly isLate?: boolean;
}

export interface BlockSpec {
  readonly body: Body;
  readonly dependencies: readonly DependencySpec[];
  readonly condition: string;
  readonly target: number;
  /** Of a step in a group: whether it reads a block around that. */
  readonly readsAround: boolean;
  readonly asksWhenInterrupted: boolean;
  readonly isLimited: boolean;
  readonly mayFail: boolean;
  readonly loop?: LoopSpec | RepeatSpec;
  readonly retry?: RetrySpec;
}

export interface LoopSpec {
  readonly kind: "for-each";
  readonly size: number;
  readonly sequential: boolean;
  readonly stop: boolean;
  readonly max: number;
}

export interface RepeatSpec {
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

/** The blocks of a workflow or a group by chance. */
export interface Shape {
  readonly blocks: readonly BlockSpec[];
  /** Of a workflow; a group has none. */
  readonly finally: readonly BlockSpec[];
  readonly maxParallel: number | undefined;
  readonly isLimited: boolean;
  readonly isFinallyLimited: boolean;
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
  "run",
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

/** `main`: it may wait for somebody or for a time, which nothing in `finally` may. */
type Part = "main" | "finally";

function leafBody(part: Part): fc.Arbitrary<Body> {
  const steps: readonly Body[] = [{ kind: "leaf" }, { kind: "leaf" }, { kind: "command" }];
  const computed = fc
    .constantFrom("succeed", "succeed", "fail", "crash")
    .map((ends): Body => ({ kind: "computed", ends: ends as NonNullable<Body["ends"]> }));
  if (part === "finally") return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...steps) }, computed);
  const step = fc.constantFrom<Body>(...steps, { kind: "prompt" });
  const wait = delays.map((duration): Body => ({ kind: "wait", duration }));
  return fc.oneof({ weight: 6, arbitrary: step }, { weight: 1, arbitrary: wait }, { weight: 2, arbitrary: computed });
}

function blockSpec(depth: number, part: Part): fc.Arbitrary<BlockSpec> {
  const leaf = leafBody(part);
  const inside = (): fc.Arbitrary<Shape> => shape(depth - 1, part);
  const nested = (): fc.Arbitrary<Body> =>
    fc.record({ inner: inside(), isLate: fc.boolean() }).map((body) => ({ kind: "nested", ...body }));
  const group = (): fc.Arbitrary<Body> => inside().map((inner) => ({ kind: "group", inner }));
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
    asksWhenInterrupted: part === "main" ? seldom : fc.constant(false),
    isLimited: fc.boolean(),
    mayFail: seldom,
    loop: fc.option(fc.oneof({ weight: 2, arbitrary: forEach }, { weight: 1, arbitrary: repeat }), {
      nil: undefined,
      freq: 3,
    }),
    retry: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: retry }),
  }) as fc.Arbitrary<BlockSpec>;
}

export interface DependencySpec {
  readonly on: number;
  readonly required?: boolean;
}

function dropUndefined({ on, required }: { on: number; required: boolean | undefined }): DependencySpec {
  return required === undefined ? { on } : { on, required };
}

/** `finally` holds less than `depth` allows for, so that trees do not become too large. */
export function shape(depth: number, part: Part = "main"): fc.Arbitrary<Shape> {
  const last = fc.array(blockSpec(Math.max(0, depth - 1), "finally"), { minLength: 1, maxLength: depth === 2 ? 3 : 2 });
  return fc.record({
    blocks: fc.array(blockSpec(depth, part), { minLength: 1, maxLength: depth === 2 ? 6 : 3 }),
    finally: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: last }),
    maxParallel: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    isLimited: fc.boolean(),
    isFinallyLimited: fc.boolean(),
  });
}
