import type { BlockFiles } from "../block/block-files.ts";
import { BlockCannotRun, type BlockContext, type BlockResult, type LeafBehaviour } from "../block/define-block.ts";
import type { IsolatedWorkspace, Isolation } from "../block/isolation.ts";
import type { ValueMap } from "../expression/value.ts";
import type { EndedResult } from "./expectation.ts";

/**
 * The same behaviour, whose commands run in a workspace of their own. What they have made of it is applied as the block's one change
 * of files when the block succeeds, so that it is journaled like any other, and dropped otherwise.
 */
export function isolateLeaf(
  behaviour: LeafBehaviour,
  isolation: Isolation,
  succeeds: (result: EndedResult) => boolean,
): LeafBehaviour {
  return { ...behaviour, run: (input, context) => runIsolated(behaviour, { isolation, succeeds }, input, context) };
}

interface Isolating {
  readonly isolation: Isolation;
  /** Whether what a result says is a success, so that what was done is kept. */
  succeeds(result: EndedResult): boolean;
}

async function runIsolated(
  behaviour: LeafBehaviour,
  { isolation, succeeds }: Isolating,
  input: ValueMap,
  context: BlockContext,
): Promise<BlockResult> {
  const { workspace, files } = context;
  // Who can't have one is told so where it is needed.
  const scratch = await context.scratch.path().catch(() => undefined);
  const opened = await isolation.open({ workspace, shared: scratch === undefined ? [] : [scratch] });
  if (!opened.ok) throw new BlockCannotRun(`${opened.error}. ${instead}`);
  const isolated = opened.value;
  try {
    const result = await behaviour.run(input, within(isolated, context));
    const hasEnded = result.kind === "succeeded" || result.kind === "failed";
    if (!hasEnded || context.signal.aborted || !succeeds(result)) return result;
    // Of two that end at the same time, the second is compared with what the first has made of the workspace.
    return await files.exclusively({ root: workspace, path: "" }, () => apply(isolated, result, files));
  } finally {
    await isolated.close();
  }
}

const instead = "Say `effects: observe` to run the command in the workspace itself, or `effects: none`";

async function apply(isolated: IsolatedWorkspace, result: EndedResult, files: BlockFiles): Promise<BlockResult> {
  const { outputs } = result;
  const failed = (message: string): BlockResult => {
    // Its exit code would make a success of it.
    if (result.kind === "failed") throw new BlockCannotRun(message);
    return { kind: "failed", message, outputs };
  };
  const changes = await isolated.changes();
  if (!changes.ok) return failed(`nothing of what it did was kept: ${changes.error}`);
  if (changes.value.length === 0) return result;
  const problem = await files.change(changes.value, outputs);
  return problem === undefined ? result : failed(problem.message);
}

function within({ entrance, files: seen }: IsolatedWorkspace, context: BlockContext): BlockContext {
  const { files, processes } = context;
  return {
    ...context,
    processes: {
      ...processes,
      run(request) {
        if (!request.keepBackground) return processes.run({ ...request, entrance });
        throw new BlockCannotRun(
          "What runs in the background can't be isolated: it would write to what is gone by then.",
        );
      },
    },
    files: {
      ...seen,
      locate: (path, unsafe) => files.locate(path, unsafe),
      locateForChange: (path, unsafe) => files.locateForChange(path, unsafe),
      recall: (sha256) => files.recall(sha256),
      fingerprint: (bytes) => files.fingerprint(bytes),
      change: refuse,
      makeEmpty: refuse,
      removeEmpty: refuse,
      removeTree: refuse,
      exclusively: (at, action) => files.exclusively(at, action),
    },
  };
}

/** All that an isolated block changes is what its commands have changed. */
function refuse(): never {
  throw new Error("An isolated block changes files by its commands only.");
}
