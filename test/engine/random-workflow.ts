import type fc from "fast-check";
import type { Written } from "../rig/engine.ts";
import { type BlockSpec, type LoopSpec, type RepeatSpec, type Shape, shape } from "./random-shape.ts";

/** A workflow tree by chance: what runs, what it waits for, and under which condition. */
export interface RandomWorkflow {
  readonly root: Written;
  readonly library: Readonly<Record<string, Written>>;
  /** Whether some loop stops in the middle of parallel work, so that the order of completions shows in the result. */
  readonly dependsOnOrder: boolean;
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

interface Sibling {
  readonly id: string;
  readonly spec: BlockSpec;
}

/** Where a block stands in its workflow or group. */
interface Place extends Surroundings {
  readonly isFinally: boolean;
  /** What it can wait for. */
  readonly before: readonly Sibling[];
  /** What it can read: under `finally` all blocks of the workflow as well. */
  readonly seen: readonly Sibling[];
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
    const around = { prefix, readable: [], loops: 0, lateNames };
    const holder = { ...this.#holder(shape, around), ...this.#finally(shape, around) };
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
      blocks: this.#blocks(named(blocks, `${prefix}b`), [], around, false),
      outputs: {
        last: `\${blocks.${prefix}b${blocks.length - 1}.status}`,
        first: `\${blocks.${prefix}b0.succeeded} or \${blocks.${prefix}b0.failed}`,
      },
    };
  }

  #finally({ blocks, finally: last, isFinallyLimited }: Shape, around: Surroundings): object {
    if (last.length === 0) return {};
    const main = named(blocks, `${around.prefix}b`);
    return {
      finally: this.#blocks(named(last, `${around.prefix}f`), main, around, true),
      ...(isFinallyLimited ? { finally_timeout: this.#timeout } : {}),
    };
  }

  #blocks(
    blocks: readonly Sibling[],
    main: readonly Sibling[],
    around: Surroundings,
    isFinally: boolean,
  ): readonly object[] {
    return blocks.map((block, index) => {
      const before = blocks.slice(0, index);
      return this.#block(block, { ...around, isFinally, before, seen: [...main, ...before] });
    });
  }

  #block({ id, spec }: Sibling, place: Place): object {
    const { body, dependencies, loop, retry } = spec;
    const { before } = place;
    if (loop?.kind === "for-each" && loop.stop && !loop.sequential) this.#dependsOnOrder = true;
    const upstream =
      before.length === 0
        ? []
        : dependencies.map(({ on, ...rest }) => ({ block: before[on % before.length]?.id, ...rest }));
    const unique = upstream.filter((one, at) => upstream.findIndex(({ block }) => block === one.block) === at);
    const written = writeCondition(spec, place);
    const holds = body.kind === "nested" || body.kind === "group";
    return {
      id,
      ...this.#body(id, spec, place),
      ...(spec.asksWhenInterrupted && !holds ? { on_interrupted: "ask" } : {}),
      ...(spec.isLimited && holds ? { timeout: this.#timeout } : {}),
      ...(spec.mayFail ? { allow_failure: true } : {}),
      ...(unique.length === 0 ? {} : { depends_on: unique }),
      ...(written === undefined ? {} : { condition: written }),
      ...(loop === undefined ? {} : writeLoop(loop)),
      ...(retry === undefined ? {} : { retry }),
    };
  }

  #body(id: string, spec: BlockSpec, place: Place): object {
    const { kind, inner, duration, ends } = spec.body;
    const isLate = spec.body.isLate && this.#alike === undefined;
    if (kind === "leaf") return { type: "Step", ...writeReading(spec, place) };
    if (kind === "command") return { type: "Command", ...writeReading(spec, place) };
    if (kind === "computed") return { type: "Computed", inputs: { ends } };
    if (kind === "prompt") return { type: "Prompt", inputs: { prompt: "Go on?" } };
    if (kind === "wait") return { type: "Wait", inputs: { duration } };
    if (kind === "group") return this.#group(id, spec, place);
    const name = this.#call(inner as Shape);
    if (isLate) place.lateNames.push(name);
    return { type: "ExecuteWorkflow", inputs: { workflow: isLate ? `\${inputs.${inputOf(name)}}` : name } };
  }

  #call(shape: Shape, prefix?: string): string {
    const name = `child-${Object.keys(this.#library).length}`;
    // Takes the name before the blocks inside it take theirs.
    this.#library[name] = { blocks: [] };
    this.#library[name] = this.#workflow(shape, prefix);
    return name;
  }

  #group(id: string, { body, loop }: BlockSpec, { seen, ...around }: Place): object {
    const inner = body.inner as Shape;
    const prefix = `${id}_`;
    const most = loop?.kind === "for-each" ? undefined : inner.maxParallel;
    if (this.#alike === "workflow") {
      const workflow = this.#call({ ...inner, finally: [], maxParallel: most, isLimited: false }, prefix);
      return { type: "ExecuteWorkflow", inputs: { workflow } };
    }
    const { readable, loops, lateNames } = around;
    const apart = { prefix, readable: [], loops: 0, lateNames };
    return {
      ...(most === undefined ? {} : { max_parallel: most }),
      ...this.#holder(
        inner,
        this.#alike === "group"
          ? apart
          : {
              ...apart,
              readable: [...readable, ...seen.map((block) => block.id)],
              loops: loops + (loop === undefined ? 0 : 1),
            },
      ),
    };
  }
}

function named(blocks: readonly BlockSpec[], prefix: string): Sibling[] {
  return blocks.map((spec, index) => ({ id: `${prefix}${index}`, spec }));
}

/** Something of a block around, or of the run, that is the same however the run went in time. */
function writeReading({ target, readsAround }: BlockSpec, { readable, isFinally }: Place): object {
  if (!readsAround) return {};
  if (isFinally) return { inputs: { value: "${run.status} ${join(run.failed_blocks, ' ')} ${run.message}" } };
  if (readable.length === 0) return {};
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
  { seen, readable, loops, isFinally }: Place,
): string | undefined {
  const isLoop = own?.kind === "for-each";
  if (condition === "each") return isLoop || loops > 0 ? "${each.index} != 1" : undefined;
  if (condition === "each outer") return isLoop && loops > 0 ? "${each.outer.index} != 1" : undefined;
  if (condition === "run") return isFinally ? `\${run.status} == '${chosen % 2 ? "failure" : "success"}'` : undefined;
  if (condition === "around") {
    const state = ["failed", "succeeded", "skipped"][chosen % 3];
    return readable.length === 0 ? undefined : `\${blocks.${readable[chosen % readable.length]}.${state}}`;
  }
  const target = seen[chosen % Math.max(1, seen.length)];
  if (target === undefined || condition === "none") return undefined;
  const block = `blocks.${target.id}`;
  const { body, loop } = target.spec;
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
      const first = body.kind === "group" ? `${target.id}_b0` : "b0";
      return `\${${block}.blocks.${first}.failed}`;
    }
  }
}
