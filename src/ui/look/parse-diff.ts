import { type MarkedPart, markWords } from "./mark-words.ts";

/** A line of a unified diff, as it is shown. */
export type DiffRow =
  | { readonly kind: "file"; readonly text: string }
  /** Where a stretch of lines begins; `text` is what git says is around it. */
  | { readonly kind: "hunk"; readonly range: string; readonly text: string }
  /** What stands in a diff without being a line of a file: no newline at the end, lines left out. */
  | { readonly kind: "note"; readonly text: string }
  | DiffLine;

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  /** Numbers of the line on both sides, as far as it is there. */
  readonly before?: number;
  readonly after?: number;
  readonly parts: readonly MarkedPart[];
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/** Reads what `git diff` or `diff -u` prints. Whatever else stands there is shown as a note. */
export function parseDiff(text: string): DiffRow[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const reader = new DiffReader();
  for (const line of lines) reader.read(line);
  return reader.finish();
}

interface ReadLine {
  readonly text: string;
  note?: string;
}

/** How many lines of each side the hunk still has tells a line that was `-- x` before from the head of the next file. */
class DiffReader {
  private readonly rows: DiffRow[] = [];
  private before = 0;
  private after = 0;
  private beforeLeft = 0;
  private afterLeft = 0;
  private removed: ReadLine[] = [];
  private added: ReadLine[] = [];
  private oldName = "";
  private files = 0;

  read(line: string): void {
    const text = line.slice(1);
    if (line.startsWith("\\")) this.readNote(text.trim());
    else if (this.beforeLeft > 0 && line.startsWith("-")) this.readRemoved(text);
    else if (this.afterLeft > 0 && line.startsWith("+")) this.readAdded(text);
    else if (this.beforeLeft > 0 && this.afterLeft > 0 && (line === "" || line.startsWith(" "))) this.readSame(text);
    else this.readHead(line);
  }

  finish(): DiffRow[] {
    this.flush();
    // One file is named by what is around the diff.
    return this.files > 1 ? this.rows : this.rows.filter(({ kind }) => kind !== "file");
  }

  private readRemoved(text: string): void {
    if (this.added.length > 0) this.flush();
    this.removed.push({ text });
    this.beforeLeft--;
  }

  private readAdded(text: string): void {
    this.added.push({ text });
    this.afterLeft--;
  }

  private readSame(text: string): void {
    this.flush();
    this.rows.push({ kind: "same", before: this.before++, after: this.after++, parts: [{ text }] });
    this.beforeLeft--;
    this.afterLeft--;
  }

  /** It is about the line before it, and does not part that from the line that takes its place. */
  private readNote(text: string): void {
    const line = this.added.at(-1) ?? this.removed.at(-1);
    if (line === undefined) this.rows.push({ kind: "note", text });
    else line.note = text;
  }

  private readHead(line: string): void {
    this.flush();
    this.beforeLeft = 0;
    this.afterLeft = 0;
    const hunk = hunkHead.exec(line);
    if (hunk !== null) this.readHunk(hunk);
    else if (line.startsWith("--- ")) this.oldName = nameIn(line);
    else if (line.startsWith("+++ ")) this.readFile(nameIn(line));
    else if (!gitHead.test(line) && line !== "") this.rows.push({ kind: "note", text: line });
  }

  private readHunk([, before, beforeCount = "1", after, afterCount = "1", text = ""]: RegExpExecArray): void {
    this.before = Number(before);
    this.after = Number(after);
    this.beforeLeft = Number(beforeCount);
    this.afterLeft = Number(afterCount);
    const range = `@@ −${before},${beforeCount} +${after},${afterCount} @@`;
    this.rows.push({ kind: "hunk", range, text });
  }

  private readFile(name: string): void {
    this.files++;
    this.rows.push({ kind: "file", text: name === "/dev/null" ? this.oldName : name });
  }

  /** Lines that take the place of others stand beside them, one by one: what differs in them is marked. */
  private flush(): void {
    const { removed, added } = this;
    const pairs = removed.map(({ text }, index) => {
      const other = added[index];
      return other === undefined ? undefined : markWords(text, other.text);
    });
    removed.forEach(({ text, note }, index) => {
      this.rows.push({ kind: "removed", before: this.before++, parts: pairs[index]?.before ?? [{ text }] });
      if (note !== undefined) this.rows.push({ kind: "note", text: note });
    });
    added.forEach(({ text, note }, index) => {
      this.rows.push({ kind: "added", after: this.after++, parts: pairs[index]?.after ?? [{ text }] });
      if (note !== undefined) this.rows.push({ kind: "note", text: note });
    });
    this.removed = [];
    this.added = [];
  }
}

/** Lines of git about a file, which say nothing that is not shown otherwise. */
const gitHead =
  /^(diff --git|index [0-9a-f]|old mode|new mode|new file mode|deleted file mode|similarity index|rename )/;

/** Without the side that git puts before it, and the time that diff puts behind it. */
function nameIn(line: string): string {
  const name = line.slice(4).replace(/\t.*$/, "");
  return /^"?[ab]\//.test(name) ? name.replace(/^"?[ab]\//, "").replace(/"$/, "") : name;
}
