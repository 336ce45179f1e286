import { err, ok, type Result } from "./result.ts";

export interface TomlEdit {
  /** Whether the text has the table already, with the same lines or with others. */
  readonly state: "absent" | "same" | "different";
  /** The text with the table as it is wanted. */
  readonly text: string;
}

/**
 * Sets one table in a TOML text that a person keeps, and leaves every other line as it is. The table begins with its header, such as
 * `[servers.frond]`. A text that has it in another form than that is not changed.
 */
export function editTomlTable(text: string, table: string): Result<TomlEdit, string> {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const wanted = table.trimEnd().split("\n");
  const path = pathOf(wanted[0] ?? "") ?? [];
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => isSame(pathOf(line), path));
  if (start === -1) {
    if (namesOtherwise(lines, path)) return err(`it names ${path.join(".")} in a form that can't be changed`);
    const before = text.trimEnd();
    return ok({ state: "absent", text: [before, "", ...wanted, ""].join(newline) });
  }
  const next = lines.findIndex((line, at) => at > start && /^\s*\[/.test(line));
  const end = next === -1 ? lines.length : next;
  const own = lines.slice(start, end);
  const rest = own.slice(own.findLastIndex((line) => line.trim() !== "" && !line.trimStart().startsWith("#")) + 1);
  const state = isSame(own.map(trimmed).filter(Boolean), wanted.map(trimmed).filter(Boolean)) ? "same" : "different";
  return ok({ state, text: [...lines.slice(0, start), ...wanted, ...rest, ...lines.slice(end)].join(newline) });
}

const trimmed = (line: string): string => line.trim();

/** The parts of a table's name; nothing when the line is no header of a table. */
function pathOf(line: string): readonly string[] | undefined {
  const [, path] = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line) ?? [];
  return path?.split(".").map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"));
}

/** As keys of what is around it instead of as a table of its own. */
function namesOtherwise(lines: readonly string[], [outer = "", inner = ""]: readonly string[]): boolean {
  let table: readonly string[] = [];
  for (const line of lines) {
    table = pathOf(line) ?? table;
    const key = /^\s*([\w.\s"'-]+?)\s*=/.exec(line)?.[1]?.replaceAll(/["'\s]/g, "");
    if (key === undefined) continue;
    const full = [...table, ...key.split(".")];
    if (full[0] === outer && (full.length === 1 || full[1] === inner) && !isSame(table, [outer, inner])) return true;
  }
  return false;
}

function isSame(one: readonly string[] | undefined, other: readonly string[]): boolean {
  return one !== undefined && one.length === other.length && one.every((part, at) => part === other[at]);
}
