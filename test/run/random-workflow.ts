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
  readonly kind: "leaf" | "prompt" | "nested";
  readonly inner?: Shape;
}

interface BlockSpec {
  readonly body: Body;
  readonly dependencies: readonly DependencySpec[];
  readonly condition: string;
  readonly target: number;
  readonly loop?: { readonly size: number; readonly sequential: boolean; readonly stop: boolean; readonly max: number };
}

interface Shape {
  readonly blocks: readonly BlockSpec[];
  readonly maxParallel: number | undefined;
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

function blockSpec(depth: number): fc.Arbitrary<BlockSpec> {
  const leaf = fc.constantFrom<Body>({ kind: "leaf" }, { kind: "leaf" }, { kind: "prompt" });
  const nested = (): fc.Arbitrary<Body> => shape(depth - 1).map((inner) => ({ kind: "nested", inner }));
  return fc.record({
    body: depth === 0 ? leaf : fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: nested() }),
    dependencies: fc.uniqueArray(
      fc.record({ on: fc.nat(8), required: fc.constantFrom(undefined, undefined, true, false) }).map(dropUndefined),
      { maxLength: 3, selector: ({ on }) => on },
    ),
    condition: fc.constantFrom(...conditions),
    target: fc.nat(8),
    loop: fc.option(
      fc.record({ size: fc.nat(4), sequential: fc.boolean(), stop: fc.boolean(), max: fc.integer({ min: 1, max: 3 }) }),
      { nil: undefined, freq: 3 },
    ),
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
  });
}

export const randomWorkflow: fc.Arbitrary<RandomWorkflow> = shape(2).map((root) => {
  const library: Record<string, Written> = {};
  let dependsOnOrder = false;
  const write = ({ blocks, maxParallel }: Shape): Written => ({
    ...(maxParallel === undefined ? {} : { max_parallel: maxParallel }),
    blocks: blocks.map((spec, index) => {
      if (spec.loop?.stop && !spec.loop.sequential) dependsOnOrder = true;
      return writeBlock(spec, index, blocks, (inner) => {
        const name = `child-${Object.keys(library).length}`;
        library[name] = { blocks: [] };
        library[name] = write(inner);
        return name;
      });
    }),
    outputs: {
      last: `\${blocks.b${blocks.length - 1}.status}`,
      first: "${blocks.b0.succeeded} or ${blocks.b0.failed}",
    },
  });
  return { root: write(root), library, dependsOnOrder };
});

function writeBlock(
  { body, dependencies, condition, target, loop }: BlockSpec,
  index: number,
  blocks: readonly BlockSpec[],
  addToLibrary: (inner: Shape) => string,
): object {
  const upstream = index === 0 ? [] : dependencies.map(({ on, ...rest }) => ({ block: `b${on % index}`, ...rest }));
  const unique = upstream.filter((one, at) => upstream.findIndex(({ block }) => block === one.block) === at);
  const written = writeCondition(condition, index === 0 ? undefined : target % index, blocks, loop !== undefined);
  return {
    id: `b${index}`,
    ...writeBody(body, addToLibrary),
    ...(unique.length === 0 ? {} : { depends_on: unique }),
    ...(written === undefined ? {} : { condition: written }),
    ...(loop === undefined
      ? {}
      : {
          for_each: Array.from({ length: loop.size }, (_, element) => element),
          for_each_mode: loop.sequential ? "sequential" : "parallel",
          on_error: loop.stop ? "stop" : "continue",
          max_parallel: loop.max,
        }),
  };
}

function writeBody({ kind, inner }: Body, addToLibrary: (inner: Shape) => string): object {
  if (kind === "leaf") return { type: "Step" };
  if (kind === "prompt") return { type: "Prompt", inputs: { prompt: "Go on?" } };
  return { type: "ExecuteWorkflow", inputs: { workflow: addToLibrary(inner as Shape) } };
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
  switch (condition) {
    case "failed":
    case "succeeded":
    case "skipped":
      return `\${${block}.${condition}}`;
    case "either":
      return `\${${block}.failed} or \${${block}.succeeded}`;
    case "code":
      return body.kind === "leaf" && loop === undefined ? `\${${block}.code} != 0` : undefined;
    case "text":
      return `\${${block}.error}`;
    default:
      return body.kind === "nested" && loop === undefined ? `\${${block}.blocks.b0.failed}` : undefined;
  }
}
