import { atOnce } from "../at-once.ts";
import type { DiffRow } from "./diff-row.ts";
import { markWords } from "./mark-words.ts";

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/** Reads what `git diff` or `diff -u` prints. Whatever else stands there is shown as a note. */
export function parseDiff(text: string): DiffRow[] {
  return atOnce(parseInSlices(text));
}

/** The same, with rests: to find the words in which long lines differ takes a while. */
export function* parseInSlices(text: string): Generator<void, DiffRow[]> {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const reader = new DiffReader();
  for (const line of lines) yield* reader.read(line);
  return yield* reader.finish();
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

  *read(line: string): Generator<void> {
    const text = line.slice(1);
    if (line.startsWith("\\")) this.readNote(text.trim());
    else if (this.beforeLeft > 0 && line.startsWith("-")) yield* this.readRemoved(text);
    else if (this.afterLeft > 0 && line.startsWith("+")) this.readAdded(text);
    else if (this.beforeLeft > 0 && this.afterLeft > 0 && (line === "" || line.startsWith(" ")))
      yield* this.readSame(text);
    else yield* this.readHead(line);
  }

  *finish(): Generator<void, DiffRow[]> {
    yield* this.flush();
    // One file is named by what is around the diff.
    return this.files > 1 ? this.rows : this.rows.filter(({ kind }) => kind !== "file");
  }

  private *readRemoved(text: string): Generator<void> {
    if (this.added.length > 0) yield* this.flush();
    this.removed.push({ text });
    this.beforeLeft--;
  }

  private readAdded(text: string): void {
    this.added.push({ text });
    this.afterLeft--;
  }

  private *readSame(text: string): Generator<void> {
    yield* this.flush();
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

  private *readHead(line: string): Generator<void> {
    yield* this.flush();
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
  private *flush(): Generator<void> {
    const { removed, added } = this;
    const pairs: ReturnType<typeof markWords>[] = [];
    for (const [index, { text }] of removed.slice(0, added.length).entries()) {
      pairs.push(markWords(text, added[index]?.text ?? ""));
      yield;
    }
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
