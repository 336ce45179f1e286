import { childNodes, type RunNode } from "../../engine/run-node.ts";
import type { RunPicture } from "./run-picture.ts";
import { needOf } from "./standings.ts";

/** Blocks that failed themselves and count, those first that could not run; what only failed because of something inside it is left out. */
export function findFailures(picture: RunPicture): RunNode[] {
  const { nodes } = picture.state;
  const failed = [...picture.failed()].flatMap((path) => nodes.get(path) ?? []);
  return failed
    .filter((node) => counts(picture, node) && !childNodes(node).some((child) => failsAround(picture, child)))
    .sort((one, other) => needOf(picture.standing(one)) - needOf(picture.standing(other)));
}

/** Whether its failure is why what holds it has failed. */
function failsAround(picture: RunPicture, node: RunNode): boolean {
  if (!node.ended || !node.record.metadata.failed) return false;
  const standing = picture.standing(node);
  return standing === "failed" || standing === "crashed";
}

/** What is inside something that is tried again, or whose failure is handled, decides nothing any more. */
function counts(picture: RunPicture, node: RunNode): boolean {
  if (!failsAround(picture, node)) return false;
  for (let at = node.parent; at?.parent !== undefined; at = at.parent) {
    if (at.stage.kind === "sleeping" || at.stage.kind === "woken" || picture.standing(at) === "handled") return false;
    if (at.ended && !at.record.metadata.failed) return false;
  }
  return true;
}
