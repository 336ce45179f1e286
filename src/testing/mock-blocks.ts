import { BlockCannotRun, type BlockType, type LeafBehaviour } from "../block/define-block.ts";
import type { ValueMap } from "../expression/value.ts";
import type { RunnerOptions } from "../run/runner.ts";
import { findMeant } from "./address.ts";
import type { Mock } from "./test-file.ts";

/** Blocks that only end, as the test says, instead of doing anything. */
export function mockBlocks(mocks: ReadonlyMap<string, Mock>): NonNullable<RunnerOptions["standIn"]> {
  return (path, type, defaults) => {
    const meant = findMeant(mocks, path);
    return meant === undefined ? undefined : behaviourOf(meant[1], type, defaults);
  };
}

function behaviourOf(mock: Mock, type: BlockType, defaults: ValueMap): LeafBehaviour {
  return {
    kind: "leaf",
    async run() {
      switch (mock.kind) {
        case "succeeds":
          return { kind: "succeeded", outputs: { ...defaults, ...type.stateOutputs, ...mock.outputs } };
        case "fails":
          return { kind: "failed", message: mock.message, outputs: { ...defaults, ...mock.outputs } };
        case "crashes":
          throw new BlockCannotRun(mock.message);
      }
    },
  };
}
