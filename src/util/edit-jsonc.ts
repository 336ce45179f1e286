import { type JsoncNode as Node, readJsoncDocument } from "./read-jsonc.ts";
import { err, ok, type Result } from "./result.ts";

/**
 * Sets one value in a JSON text that a person keeps, and leaves every other character of it as it is: comments, order, blanks. Takes
 * what editors take in their settings: comments and a comma after the last member.
 */

export interface JsoncEdit {
  /** What is at the path now; nothing when there is nothing. */
  readonly before: { readonly value: unknown } | undefined;
  /** The text with the new value. */
  readonly text: string;
}

/** `path` names members of objects; those that are missing are made. The error says what of the text can't be read. */
export function editJsonc(text: string, path: readonly string[], value: unknown): Result<JsoncEdit, string> {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(bom.length);
  const root = readJsoncDocument(body);
  if (!root.ok) return root;
  let node = root.value;
  for (const [depth, name] of path.entries()) {
    if (node.members === undefined) return err(`${depth === 0 ? "it" : `"${path[depth - 1]}"`} is no object`);
    const next = node.members.get(name);
    if (next === undefined) {
      const missing = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
      return ok({ before: undefined, text: bom + insert(body, node, name, missing) });
    }
    node = next;
  }
  const written = write(value, indentAt(body, node.start), unitOf(body), endOfLine(body));
  return ok({
    before: { value: node.value },
    text: bom + body.slice(0, node.start) + written + body.slice(node.end),
  });
}

function insert(text: string, node: Node, name: string, value: unknown): string {
  const [newline, unit, outer] = [endOfLine(text), unitOf(text), indentAt(text, node.start)];
  const last = [...(node.members?.values() ?? [])].reduce<Node | undefined>(
    (latest, member) => (latest === undefined || member.end > latest.end ? member : latest),
    undefined,
  );
  const close = node.end - 1;
  const inner = last === undefined ? outer + unit : lineIndent(text, last.start) || outer + unit;
  const before = text.slice(0, close).trimEnd();
  const needsComma = last !== undefined && !hasComma(text.slice(last.end, close));
  const head = needsComma ? `${text.slice(0, last.end)},${text.slice(last.end, before.length)}` : before;
  const gap = text.slice(before.length, close);
  const tail = gap.includes("\n") ? gap : `${newline}${outer}`;
  const member = `${JSON.stringify(name)}: ${write(value, inner, unit, newline)}`;
  return `${head}${newline}${inner}${member}${tail}${text.slice(close)}`;
}

/** Whether there is a comma outside of comments. */
function hasComma(between: string): boolean {
  return between.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "").includes(",");
}

function write(value: unknown, indent: string, unit: string, newline: string): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", newline + indent);
}

const endOfLine = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");
const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
const lineIndent = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? "";
const indentAt = lineIndent;
