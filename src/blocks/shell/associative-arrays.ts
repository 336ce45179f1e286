import { builtinAt, filledBy, readBuiltin } from "./builtin-options.ts";
import type { ArrayUse } from "./script-builder.ts";
import { type Branch, type Command, isTextScope, literalText, markedText, type ParsedWord } from "./shell-syntax.ts";

/** Arrays that bash makes, and an indexed array can't become an associative one. */
const ownArrays =
  /^(?:BASH_\w+|COMP_\w+|COMPREPLY|COPROC|DIRSTACK|FUNCNAME|GROUPS|MAPFILE|PIPESTATUS|READLINE_\w+|REPLY|OPTARG|OPTIND)$/;

interface Declaration {
  readonly name: string;
  readonly command: Command;
  /** Whether nothing names the array before, once that has been asked. */
  isFirst?: boolean;
}

/**
 * The arrays whose keys are plain text. Bash does not say so when a declaration comes too late, so an array counts as associative
 * only if nothing names it before its declaration: in the whole text, or in the text of the function that it is local to.
 */
export class AssociativeArrays {
  private readonly text: string;
  private readonly declarations = new Map<string, Declaration[]>();
  private readonly functions = new Map<string, Command[]>();
  /** Where variables are filled whose names may not stand alone in the text, as in `read -aname`. */
  private readonly filled: Declaration[] = [];
  /** Whether another shell may get functions of this one. */
  private exportsFunctions = false;

  constructor(text: string, commands: readonly Command[]) {
    this.text = text.replaceAll(commentLine, (line) => line.replaceAll(/\w/g, " "));
    for (const command of commands) {
      const { defines, words } = command;
      if (defines !== undefined) this.functions.set(defines, [...(this.functions.get(defines) ?? []), command]);
      const texts = words.map((word) => literalText(word) ?? "");
      const at = builtinAt(texts);
      const parameters = words.slice(at + 1);
      this.exportsFunctions ||= isFunctionExport(texts[at] ?? "", parameters);
      for (const { pieces } of filledBy(texts[at] ?? "", parameters))
        this.filled.push({ name: /^\w*/.exec(markedText(pieces))?.[0] ?? "", command });
      if (isDeclaration(command)) this.addDeclaration(command);
    }
  }

  private addDeclaration(command: Command): void {
    const [program, ...parameters] = command.words;
    const { options, operands } = readBuiltin(literalText(program) ?? "", parameters);
    const letters = options.map(({ letter }) => letter).join("");
    // A global array of a function is made when it is called, which can be after another one of that name.
    const isHere = command.scope === "" || !letters.includes("g");
    const isPlain = !parameters.some((word) => /^\+/.test(markedText(word.pieces)));
    if (!letters.includes("A") || /[pfFna]/.test(letters) || !isHere || !isPlain) return;
    for (const word of operands) {
      const name = word.assigns?.name ?? literalText(word);
      if (name === undefined || !/^[A-Za-z_]\w*$/.test(name) || ownArrays.test(name)) continue;
      this.declarations.set(name, [...(this.declarations.get(name) ?? []), { name, command }]);
    }
  }

  has({ name, scope, branch }: ArrayUse): boolean {
    return (this.declarations.get(name) ?? []).some((declaration) => {
      const { command } = declaration;
      if (!isWithin(branch, command.branch)) return false;
      if (command.scope !== scope && !(command.scope === "" && this.isOwnFunction(scope))) return false;
      declaration.isFirst ??= this.isFirstMention(name, command);
      return declaration.isFirst;
    });
  }

  /** A function of this shell, whose body runs after it is defined, and so after all that stands before it. */
  private isOwnFunction(scope: string): boolean {
    const bodies = this.functions.get(scope) ?? [];
    return bodies.length > 0 && !this.exportsFunctions && bodies.every((body) => !this.isForeign(body));
  }

  private isForeign({ scope }: Command, depth = 0): boolean {
    if (isTextScope(scope) || depth > deepest) return true;
    return (this.functions.get(scope) ?? []).some((body) => this.isForeign(body, depth + 1));
  }

  private isFirstMention(name: string, command: Command): boolean {
    const { scope } = command;
    if (isTextScope(scope)) return startsText(this.text.slice(command.start, command.end), name);
    const bodies = this.functions.get(scope) ?? [];
    if (bodies.length > 1 || bodies.some((body) => this.isForeign(body))) return false;
    const { start, end } = bodies[0] ?? { start: 0, end: this.text.length };
    // In a text that is evaluated, the range is that of the text.
    if (!/^(?:declare|typeset|local)\s/.test(this.text.slice(command.start, command.start + 9))) return false;
    const first = firstMention(this.text.slice(start, end), name);
    if (first === -1 || start + first < command.start || start + first >= command.end) return false;
    return !this.filled.some(
      (other) => other.name === name && other.command.start >= start && other.command.start < command.start,
    );
  }
}

const deepest = 20;

/** A comment that is a whole line, and no part of anything quoted that ends there. */
const commentLine = /^[ \t]*#[^'"`\n]*$/gm;

/** `-m` alone is an option of some program. */
function firstMention(text: string, name: string): number {
  return text.search(new RegExp(`(?<![\\w])(?<!\\s-(?=${name}\\s))${name}(?!\\w)`));
}

/** `bash -c 'declare -A m; ...'`: the text begins with the declaration. */
function startsText(text: string, name: string): boolean {
  const before = text.slice(0, Math.max(firstMention(text, name), 0));
  return /^["']\s*(?:declare|typeset)\s+-A\s+(?:[A-Za-z_]\w*\s+)*$/.test(before);
}

function isDeclaration({ words, scope, redirects, kind }: Command): boolean {
  const name = literalText(words[0]) ?? "";
  const isInFunction = scope !== "" && !isTextScope(scope);
  return (
    kind === "simple" &&
    redirects.length === 0 &&
    (/^(?:declare|typeset)$/.test(name) || (isInFunction && name === "local"))
  );
}

/** `export -f f`, `declare -xf f`, `set -a`. */
function isFunctionExport(name: string, parameters: readonly ParsedWord[]): boolean {
  const { options } = readBuiltin(name, parameters);
  const has = (letter: string): boolean => options.some((option) => option.letter === letter);
  if (name === "export") return has("f");
  if (name === "set")
    return has("a") || options.some(({ argument }) => argument !== undefined && literalText(argument) === "allexport");
  return /^(?:declare|typeset|local|readonly)$/.test(name) && has("f") && has("x");
}

function isWithin(branch: Branch, outer: Branch): boolean {
  for (let at: Branch | undefined = branch; at !== undefined; at = at.outer) if (at === outer) return true;
  return false;
}
