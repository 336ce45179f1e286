import { join } from "node:path";
import { nameOf } from "../file-paths.ts";
import { readObjects } from "./git-objects.ts";
import type { IgnoreMatch } from "./ignore-rules.ts";
import { lookAt, readWholeFile } from "./look-at-file.ts";
import type { Manifest } from "./manifest.ts";
import { type Keeper, rulesName, type Surroundings } from "./surroundings.ts";
import { type DirectoryRecord, type EntryAt, noRow, pathIn, rowsOf } from "./tree.ts";

/** The lines of a file of rules before a command; nothing where they can't be had any more. `isAppended`: they are still the first ones. */
interface FormerRules {
  readonly lines: readonly string[] | undefined;
  readonly isAppended: boolean;
}

/**
 * The `.gitignore` files that a command has changed. What is new and hidden only by what the command wrote there is observed all the
 * same: it was not hidden when the command began.
 */
export class ChangedRules {
  readonly #around: Surroundings;
  readonly #manifest: Manifest;
  readonly #keeper: Keeper;
  /** By absolute path. */
  readonly #former = new Map<string, FormerRules>();
  /** Files of which it can't be told what they hid before. */
  readonly unclear: string[] = [];

  constructor(around: Surroundings, manifest: Manifest, keeper: Keeper) {
    this.#around = around;
    this.#manifest = manifest;
    this.#keeper = keeper;
  }

  /** Whether the rules in a directory are others than before. */
  async look(directory: string, names: readonly string[], before: DirectoryRecord | undefined): Promise<boolean> {
    const path = pathIn(directory, rulesName);
    const file = join(this.#around.workspace, path);
    const [row = noRow] = rowsOf([rulesName], before);
    const entry = before === undefined || row === noRow ? undefined : { table: before.table, row };
    const stats = names.includes(rulesName) ? lookAt(file) : undefined;
    if (entry === undefined && stats === undefined) return false;
    const isTouched = stats === undefined || !entry?.table.isSame(row, stats) || entry.table.isRacy(row);
    if (!isTouched) return false;
    const [old, now] = [await this.#linesBefore(path, entry), linesOf(readWholeFile(file))];
    const isAppended = old?.every((line, index) => line === now[index]) ?? false;
    if (isAppended && old?.length === now.length) return false;
    this.#former.set(file, { lines: old, isAppended });
    // Which of the old lines had the last word can't be told when one of them says what is not ignored.
    if (old === undefined || (!isAppended && old.some((line) => line.startsWith("!")))) this.unclear.push(path);
    return true;
  }

  /** Whether nothing was hidden by this before the command. */
  isNew({ source, line, pattern }: IgnoreMatch): boolean {
    const former = this.#former.get(source);
    if (former?.lines === undefined) return false;
    return former.isAppended ? line > former.lines.length : !former.lines.includes(pattern);
  }

  async #linesBefore(path: string, entry: EntryAt | undefined): Promise<readonly string[] | undefined> {
    if (entry === undefined || entry.table.kind(entry.row) !== "file") return [];
    const { table, row } = entry;
    const id = table.digest(row);
    if (table.storage(row) === "blob") return linesIfKnown(await this.#keeper.get(id));
    const { git } = this.#around;
    if (git === undefined || !table.storage(row).startsWith("git")) return undefined;
    const wanted = [{ id, size: table.sizes[row] as number }];
    for (const { directory, gitDirectory } of this.#manifest.repositories) {
      if (directory !== "" && !path.startsWith(`${directory}/`)) continue;
      for await (const objects of readObjects(git, gitDirectory, wanted)) {
        if (objects.has(id)) return linesIfKnown(objects.get(id));
      }
    }
    return undefined;
  }
}

function linesIfKnown(bytes: Uint8Array | undefined): readonly string[] | undefined {
  return bytes && linesOf(bytes);
}

function linesOf(bytes: Uint8Array | undefined): readonly string[] {
  if (bytes === undefined || bytes.length === 0) return [];
  const lines = nameOf(Buffer.from(bytes)).split("\n");
  return (lines.at(-1) === "" ? lines.slice(0, -1) : lines).map((line) => line.trimEnd());
}
