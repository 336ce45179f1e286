import { BlockCannotRun, type BlockType, type LeafBehaviour } from "../block/define-block.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { ValueMap } from "../expression/value.ts";
import type { Runtime } from "../runs/runtime.ts";
import { findMeant } from "./address.ts";
import type { Mock } from "./test-file.ts";

/** Blocks that only end, as the test says, instead of doing anything. */
export function mockBlocks(mocks: ReadonlyMap<string, readonly Mock[]>): NonNullable<Runtime["standIn"]> {
  return (path, type, defaults, undoes) => {
    const meant = findMeant(mocks, path);
    if (meant === undefined) return undefined;
    return undoes ? nothingToTakeBack(type, defaults) : behaviourOf(meant[1], type, defaults);
  };
}

/** A mock has done nothing. */
function nothingToTakeBack(type: BlockType, defaults: ValueMap): LeafBehaviour {
  const outputs = { ...defaults, ...type.stateOutputs };
  return { kind: "leaf", run: async () => ({ kind: "succeeded", outputs }) };
}

/** One for each attempt; the last for all that follow. */
function behaviourOf(mocks: readonly Mock[], type: BlockType, defaults: ValueMap): LeafBehaviour {
  return {
    kind: "leaf",
    async run(_input, { attempt, spend }) {
      const mock = mocks[Math.min(attempt, mocks.length) - 1] as Mock;
      if (mock.spend !== undefined) spend(mock.spend);
      if (mock.kind === "crashes") throw new BlockCannotRun(mock.message);
      refuseUnknown(mock.outputs, defaults);
      if (mock.kind === "fails")
        return { kind: "failed", message: mock.message, outputs: { ...defaults, ...mock.outputs } };
      return { kind: "succeeded", outputs: { ...defaults, ...type.stateOutputs, ...mock.outputs } };
    },
  };
}

/** Every name that is known of the block is among its defaults; of a workflow that is not known, there are none. */
function refuseUnknown(outputs: ValueMap, defaults: ValueMap): void {
  const known = Object.keys(defaults);
  const unknown = Object.keys(outputs).find((name) => !known.includes(name));
  if (unknown === undefined || known.length === 0) return;
  throw new BlockCannotRun(`The mock has an output '${unknown}'. ${suggestName(unknown, known, "output")}`);
}
