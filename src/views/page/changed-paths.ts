import type { RootedPath } from "../../block/ports.ts";
import type { RecordedChange } from "../../changes/recorded-change.ts";
import type { RunEvent } from "../../engine/events.ts";

/** Which files each block of a run has changed, as far as that is on record; in all its attempts. */
export class ChangedPaths {
  readonly #byBlock = new Map<string, Set<string>>();

  hear(event: RunEvent): void {
    if (event.type !== "file-changed" && event.type !== "changes-observed") return;
    const paths = this.#byBlock.get(event.path) ?? new Set();
    for (const change of event.changes) for (const at of placesOf(change)) paths.add(`${at.root}\n${at.path}`);
    this.#byBlock.set(event.path, paths);
  }

  /** Of a block with all that is inside it. */
  count(block: string): number {
    const all = new Set<string>();
    for (const [path, paths] of this.#byBlock) {
      if (block === "" || path === block || path.startsWith(`${block}/`)) for (const one of paths) all.add(one);
    }
    return all.size;
  }
}

function placesOf(change: RecordedChange): readonly RootedPath[] {
  if (change.kind === "ref") return [];
  return change.kind === "rename" ? [change.to] : [change.at];
}
