import { nearestName } from "../../diagnostic/did-you-mean.ts";
import { type Root, refusedNames, writtenRoots } from "../../expression/ast.ts";
import { type Key, writePath } from "../../expression/read-path.ts";
import type { CommandProblem } from "./command-problem.ts";

/**
 * Says so where an author wrote a value the way another tool does. Each function is given the place of one `$` or `{{` and
 * reads no more than a few times `reach` characters from there, so that a scan stays linear.
 */
const reach = 300;

/** At `${` that is not ours, whose parameter's name ends at `nameEnd`: a problem if no shell knows what follows. */
export function explainExpansion(text: string, start: number, nameEnd: number): CommandProblem | undefined {
  const named = nameEnd > start + 2;
  switch (text.charAt(nameEnd)) {
    case "(":
      return notAnExpansion(`${text.slice(start, nameEnd)}(...}`, computeOutside, start, nameEnd + 1);
    case ".":
      return named ? explainDotted(text, start, nameEnd) : undefined;
    case "{":
      return named ? undefined : explainDoubledBrace(text, start);
    case " ":
    case "\t":
      return named ? undefined : explainSpaced(text, start);
    default:
      return undefined;
  }
}

const computeOutside =
  'Compute it under `env:`, e.g. env: { VALUE: "${trim(inputs.name)}" }, and write "$VALUE" in the command.';

function notAnExpansion(shown: string, fix: string, start: number, end: number): CommandProblem {
  return {
    code: "not-a-reference",
    level: "error",
    message: `${shorten(shown)} is neither a reference nor anything the shell knows.`,
    why: "In a command, ${...} is Frond's only when it starts with inputs, blocks, metadata, vars, each, secrets or run.",
    fix,
    start,
    end,
  };
}

/** `${input.x}`, `${build.stdout}`. */
function explainDotted(text: string, start: number, nameEnd: number): CommandProblem {
  const prefix = /[#!]/.test(text.charAt(start + 2)) ? text.charAt(start + 2) : "";
  const path = readPath(text, start + 2 + prefix.length);
  const pathEnd = Math.max(path.end, nameEnd + 1);
  const end = text.charAt(pathEnd) === "}" ? pathEnd + 1 : pathEnd;
  const meant = findRoot(path.name);
  let fix = suggestForm(path);
  if (prefix === "#" && meant !== undefined)
    fix = `Put it into a variable first: v="${writeReference(meant, path.keys)}", then write \${#v}.`;
  const closedFirst = `${shorten(text.slice(start, nameEnd))}}${text.slice(nameEnd, pathEnd)}`;
  fix ??= `To put text behind a shell variable, close its brace first: ${closedFirst}.`;
  return notAnExpansion(text.slice(start, end), fix, start, end);
}

/** `${ input.x }`: with blanks, bash may take a longer text for commands. */
function explainSpaced(text: string, start: number): CommandProblem | undefined {
  const path = readPath(text, skipBlanks(text, start + 2));
  const close = skipBlanks(text, path.end);
  if (path.keys.length === 0 || text.charAt(close) !== "}") return undefined;
  return notAnExpansion(text.slice(start, close + 1), suggestForm(path) ?? anExample, start, close + 1);
}

const anExample = "Write a value as ${inputs.name} or ${blocks.name.stdout}, with one brace.";

/** `${{ inputs.x }}`. */
function explainDoubledBrace(text: string, start: number): CommandProblem {
  const path = readPath(text, skipBlanks(text, start + 3));
  const end = findDoubledClose(text, start + 3) ?? path.end;
  const meant = findRoot(path.name);
  const variable = environmentVariable(path);
  let fix = anExample;
  if (variable !== undefined) fix = writeVariable(variable);
  else if (meant !== undefined && path.keys.length > 0)
    fix = `Write ${writeReference(meant, path.keys)}, with one brace.`;
  return notAnExpansion(text.slice(start, end), fix, start, end);
}

/** A warning about a `$name.path` whose name the script may yet turn out to assign. */
export interface SuspectVariable {
  readonly name: string;
  readonly problem: CommandProblem;
}

/** At `$name` that ends at `nameEnd`: `$inputs.x`. */
export function suspectVariable(text: string, start: number, nameEnd: number): SuspectVariable | undefined {
  if (text.charAt(nameEnd) !== ".") return undefined;
  const name = text.slice(start + 1, nameEnd);
  if (!isRoot(name)) return undefined;
  const tail = /^(?:\.[A-Za-z_][A-Za-z0-9_]*)+/.exec(text.slice(nameEnd, nameEnd + reach))?.[0];
  if (tail === undefined) return undefined;
  const problem: CommandProblem = {
    code: "looks-like-a-reference",
    level: "warning",
    message: `$${name}${tail} looks like a reference, but is the shell variable ${name} with ${tail} behind it.`,
    why: "A reference needs braces.",
    fix: `Write \${${name}${tail}}. If the shell variable is meant, write \${${name}}${tail}.`,
    start,
    end: nameEnd + tail.length,
  };
  return { name, problem };
}

/** At `$(`: `$(inputs.x)`. */
export function explainSubstitution(text: string, start: number): CommandProblem | undefined {
  const path = readPath(text, skipBlanks(text, start + 2));
  const close = skipBlanks(text, path.end);
  if (!isRoot(path.name) || path.keys.length === 0 || text.charAt(close) !== ")") return undefined;
  const command = text.slice(path.start, path.end);
  return {
    code: "looks-like-a-reference",
    level: "warning",
    message: `${text.slice(start, close + 1)} looks like a reference, but runs a command called ${command}.`,
    why: "A reference has braces, not parentheses.",
    fix: `Write ${writeReference(path.name, path.keys)}. If the command is meant, write $(command ${command}).`,
    start,
    end: close + 1,
  };
}

/** At `{{`: `{{ inputs.x }}`. In `literal` text, which the shell does not touch, it may well be another program's. */
export function explainTemplate(text: string, start: number, literal: boolean): CommandProblem | undefined {
  const path = readPath(text, skipBlanks(text, start + 2));
  if (!isRoot(path.name) || path.keys.length === 0) return undefined;
  // `\${{ inputs.x }}`: the author has said already that the text is meant as it stands.
  if (text.startsWith("\\$", start - 2)) return undefined;
  const end = findDoubledClose(text, path.end);
  if (end === undefined) return undefined;
  const from = text.charAt(start - 1) === "$" ? start - 1 : start;
  const reference = writeReference(path.name, path.keys);
  return {
    code: "looks-like-a-reference",
    level: literal ? "hint" : "warning",
    message: `${text.slice(from, end)} looks like a reference, but is plain text here.`,
    why: "A reference starts with a dollar sign and one brace.",
    fix: literal
      ? `Write ${reference} for the value; leave it if another program fills it in.`
      : `Write ${reference}. If another program fills it in, put it in single quotes.`,
    start: from,
    end,
  };
}

interface WrittenPath {
  readonly name: string;
  readonly keys: readonly Key[];
  readonly start: number;
  readonly end: number;
}

const firstName = /^[A-Za-z0-9_]*/;
const step = /\.([A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*)|\[(\d{1,9})\]|\[(?:'([^'\n]*)'|"([^"\n]*)")\]/y;

/** Reads `name.key[0]['key']` as far as it goes. */
function readPath(text: string, start: number): WrittenPath {
  const window = text.slice(start, start + reach);
  const name = firstName.exec(window)?.[0] ?? "";
  const keys: Key[] = [];
  let end = name.length;
  for (;;) {
    step.lastIndex = end;
    const match = step.exec(window);
    if (match === null) return { name, keys, start, end: start + end };
    const index = match[2];
    keys.push(index === undefined ? (match[1] ?? match[3] ?? match[4] ?? "") : Number(index));
    end = step.lastIndex;
  }
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < start + reach && (text.charAt(at) === " " || text.charAt(at) === "\t")) at += 1;
  return at;
}

/** Behind the `}}` on the same line. */
function findDoubledClose(text: string, start: number): number | undefined {
  const close = /^[^\n]*?\}\}/.exec(text.slice(start, start + reach))?.[0];
  return close === undefined ? undefined : start + close.length;
}

/** A command can't read `this`, which many other languages have. */
const ownRoots: readonly string[] = writtenRoots.filter((root) => root !== "this");

function isRoot(name: string): name is Root | "vars" {
  return ownRoots.includes(name);
}

/** What other tools call them. */
const otherNames: ReadonlyMap<string, Root | "vars"> = new Map([
  ...["steps", "step", "jobs", "job", "tasks", "needs"].map((name) => [name, "blocks"] as const),
  ...["params", "parameters", "args"].map((name) => [name, "inputs"] as const),
  ["variables", "vars"],
]);

/** What other systems call the element of a loop. */
export const elementNames: ReadonlySet<string> = new Set(["item", "each", "element", "it"]);

/** What other systems read of loops and runs: no block is meant. */
const otherFields: ReadonlyMap<string, string> = new Map([
  ...["loop.index", "loop.index0"].map(
    (name) => [name, "In a loop, write ${each.index}, which counts from 0."] as const,
  ),
  ...["loop.item", "loop.value"].map((name) => [name, "In a loop, write ${each.value}."] as const),
  ["loop.key", "In a loop, write ${each.key}."],
  ["loop.length", "In a loop, write ${each.count}."],
  ["workflow.status", "Write ${run.status}, in a block under `finally:`."],
  ["workflow.name", "Write ${metadata.workflow_name}."],
  ...["workflow.id", "workflow.run_id"].map((name) => [name, "Write ${metadata.run_id}."] as const),
]);

function findRoot(name: string): string | undefined {
  return otherNames.get(name) ?? nearestName(name, ownRoots);
}

function suggestForm(path: WrittenPath): string | undefined {
  const { name, keys } = path;
  const variable = environmentVariable(path);
  if (variable !== undefined) return writeVariable(variable);
  const meant = findRoot(name);
  if (meant !== undefined) return `Did you mean ${writeReference(meant, keys)}?`;
  if (refusedNames.has(name)) return "Leave it out: the engine's own insides can't be read.";
  if (elementNames.has(name)) return `For the element of a loop, write ${writeReference("each", ["value", ...keys])}.`;
  const field = otherFields.get(`${name}.${keys.join(".")}`);
  if (field !== undefined) return field;
  if (/^[a-z_][a-z0-9_]*$/.test(name))
    return `For an output of the block ${name}, write ${writeReference("blocks", [name, ...keys])}.`;
  return undefined;
}

/** `HOME` for `env.HOME`. */
function environmentVariable({ name, keys }: WrittenPath): string | undefined {
  const [variable, ...others] = keys;
  if (name !== "env" || typeof variable !== "string" || others.length > 0) return undefined;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(variable) ? variable : undefined;
}

function writeVariable(name: string): string {
  return `Write $${name}: environment variables are the shell's own.`;
}

function shorten(text: string): string {
  return text.length > reach ? `${text.slice(0, reach)}...` : text;
}

function writeReference(root: string, keys: readonly Key[]): string {
  return `\${${writePath(root, keys)}}`;
}
