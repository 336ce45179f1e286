import type { FileSystem } from "../block/ports.ts";
import { type ForeseenChange, foreseeChanges } from "../changes/foreseen-changes.ts";
import { OverlayFiles } from "../changes/overlay-files.ts";
import type { ValueMap } from "../expression/value.ts";
import { emptyMap } from "./execution.ts";
import type { Redactor } from "./redactor.ts";
import type { RunNode } from "./run-node.ts";

export type Verdict = "run" | "may-run" | "skip" | "fail" | "reuse";

/** What would become of a block. */
export interface Foreseen {
  readonly verdict: Verdict;
  /** Why it is skipped or fails, or what it depends on whether it runs. */
  readonly why?: string;
  /** What else is worth knowing of it, in whole sentences. */
  readonly remarks: readonly string[];
  /** As far as they are known; the rest stands there as it is written. */
  readonly inputs: ValueMap;
  /** In a run that reuses results: why there is none to reuse. A whole sentence. */
  readonly notReused?: string;
  /** It would run, but its own code was not called. */
  readonly notRun?: true;
  /** Files that would be different if it runs, where it may not. */
  readonly files?: readonly ForeseenChange[];
}

/** What has been found out of the blocks so far, and the files as each of them would find them. */
export class ForeseenBlocks {
  readonly blocks: Map<RunNode, Foreseen> = new Map();
  /** What it depends on whether these run. */
  readonly #doubts = new Map<RunNode, string>();
  /** Those that may run have files of their own, over those of what is around them. */
  readonly #files = new Map<RunNode, OverlayFiles>();

  readonly #redactor: Redactor;

  constructor(root: RunNode, files: FileSystem, redactor: Redactor) {
    this.#redactor = redactor;
    this.#files.set(root, new OverlayFiles(files));
  }

  note(node: RunNode, more: Partial<Foreseen>): void {
    const why = this.#doubts.get(node);
    const first = why === undefined ? ({ verdict: "run" } as const) : ({ verdict: "may-run", why } as const);
    const before = this.blocks.get(node) ?? { ...first, remarks: [], inputs: emptyMap };
    this.blocks.set(node, { ...before, ...more });
  }

  remark(node: RunNode, remark: string): void {
    this.note(node, { remarks: [...(this.blocks.get(node)?.remarks ?? []), remark] });
  }

  mayBeSkipped(node: RunNode): boolean {
    return this.#doubts.has(node);
  }

  /** Because of what is around it, whose files it shares. */
  doubtWith(node: RunNode, around: RunNode): void {
    this.#doubts.set(node, `'${around.path}' may run.`);
  }

  doubt(node: RunNode, why: string): void {
    if (this.#files.has(node)) return;
    this.#doubts.set(node, why);
    this.#files.set(node, this.filesFor(node).over());
  }

  /** It is certain that it does not run. */
  dismiss(node: RunNode): void {
    this.#doubts.delete(node);
    this.#files.delete(node);
  }

  filesFor(node: RunNode): OverlayFiles {
    for (let at: RunNode | undefined = node; at !== undefined; at = at.parent) {
      const files = this.#files.get(at);
      if (files !== undefined) return files;
    }
    throw new Error("The root of a dry run has files.");
  }

  /** Without secrets, like everything that is shown of a run. */
  changesIn(files: OverlayFiles): Promise<readonly ForeseenChange[]> {
    return foreseeChanges(files, (text) => this.#redactor.text(text));
  }

  /** What is changed only if the node runs is told apart, and nobody knows from now on what lies there. */
  async setAsideFiles(node: RunNode): Promise<void> {
    const files = this.#files.get(node);
    if (files === undefined) return;
    this.#files.delete(node);
    const changes = await this.changesIn(files);
    if (changes.length > 0) this.note(node, { files: changes });
    const around = this.filesFor(node);
    for (const { at } of files.layer.all()) around.forget(at, `whether '${node.path}' runs`);
  }
}
