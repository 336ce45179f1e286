import { forEachChild, type ParsedScript, type ParseError, type SyntaxNode } from "unbash";
import type { CommandProblem } from "./command-problem.ts";

/**
 * A line that is continued inside of a token is the same token to the shell, but not to everybody who reads it; with a value in the
 * command nothing is left to such differences.
 */
const splitToken = /(?<![\\$])\$[({[]?\\\n|\(\\\n\(|\$\w+\\\n\w|\$\{[!#]?\w*\\\n/;

const mostBraces = 2000;

/** The parser takes time in proportion to the square of the braces in one word. */
export function findTooManyBraces(text: string): CommandProblem | undefined {
  for (const { 0: word, index: start } of text.matchAll(/[^\s'"\\]+/g)) {
    if (word.length <= mostBraces || word.split("{").length <= mostBraces) continue;
    const message = `More than ${mostBraces} braces stand in one word.`;
    return { code: "shell-syntax", level: "error", message, start, end: start + word.length };
  }
  return undefined;
}

/** Why a command's text can't be read, if it can't. */
export function findSyntaxProblem(text: string, tree: ParsedScript, hasValues: boolean): CommandProblem | undefined {
  const error = findError(tree, text);
  if (error !== undefined) {
    const start = Math.min(Math.max(error.pos, 0), Math.max(text.length - 1, 0));
    const message = `The shell can't read this: ${error.message}.`;
    return { code: "shell-syntax", level: "error", message, start, end: Math.max(text.length, start + 1) };
  }
  const split = hasValues ? splitToken.exec(text) : null;
  if (split === null) return undefined;
  const message = "A line is continued inside of this token.";
  const [start, end] = [split.index, split.index + split[0].length];
  return { code: "ambiguous-command", level: "error", message, fix: "Write it on one line.", start, end };
}

/** The first error of the tree or of a script in it. */
function findError(tree: ParsedScript, text: string): ParseError | undefined {
  const [own] = tree.errors ?? [];
  if (own !== undefined) return own;
  let found: ParseError | undefined;
  const open: { node: SyntaxNode; at: number | undefined }[] = [{ node: tree, at: undefined }];
  for (let next = open.pop(); next !== undefined && found === undefined; next = open.pop()) {
    const { node, at } = next;
    if (node.type === "Script" && node.errors?.[0] !== undefined)
      found = { ...node.errors[0], pos: at ?? node.errors[0].pos };
    // Offsets in backticks that hold escapes are not those of the text.
    const inner = at ?? (node.type === "Script" && node.source !== undefined ? node.pos : undefined);
    if (node.type === "HereDoc" && node.closing === undefined)
      found = {
        message: `this here-document is never ended by a line ${node.delimiter?.value ?? ""}`,
        pos: inner ?? node.pos,
      };
    forEachChild(node, (child) => open.push({ node: child, at: inner }));
  }
  return found === undefined ? undefined : { ...found, pos: Math.min(found.pos, text.length) };
}
