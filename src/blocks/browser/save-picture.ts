import type { BlockContext, BlockResult } from "../../block/define-block.ts";
import { absolutePath } from "../../block/rooted-path.ts";
import type { ValueMap } from "../../expression/value.ts";
import { exclusively, refuseDirectoryName } from "../files/entries.ts";
import { makeChanges, settleOperation } from "../files/file-operation.ts";
import { planFile } from "../files/plan-file.ts";

/** Ends a block with a picture: where its author says, else in the directory of the run, which goes when the run has succeeded. */
export async function savePicture(
  context: BlockContext,
  path: string | undefined,
  picture: Uint8Array,
  outputs: ValueMap,
): Promise<BlockResult> {
  const { files, scratch } = context;
  if (path === undefined) {
    const screenshot_path = await scratch.write(nameOf(context), picture);
    return { kind: "succeeded", outputs: { ...outputs, screenshot_path } };
  }
  refuseDirectoryName(path);
  const at = files.locateForChange(path, false);
  return settleOperation(outputs, () =>
    exclusively(files, [at], async () => {
      const changes = await planFile(files, at, picture, true);
      return makeChanges(context, changes, { ...outputs, screenshot_path: absolutePath(at) });
    }),
  );
}

function nameOf({ path, attempt }: BlockContext): string {
  const name = path.replaceAll(/[^\w.-]+/g, "-").slice(-100);
  return `screenshot-${name}-${attempt}.png`;
}
