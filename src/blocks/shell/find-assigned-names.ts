import { type Command, readAssignment, type Word } from "./shell-syntax.ts";

/** Builtins that assign the variables their arguments name. */
const assigning: ReadonlySet<string> = new Set([
  ...["read", "mapfile", "readarray", "getopts", "let"],
  ...["declare", "typeset", "local", "export", "readonly"],
]);

/** The variables a script assigns itself, as far as its text tells; a name too many does no harm. */
export function findAssignedNames(commands: readonly Command[]): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (word: Word | undefined): void => {
    const name = /^[A-Za-z_][A-Za-z0-9_]*(?![^=[+])/.exec(word?.text ?? "")?.[0];
    if (name !== undefined) names.add(name);
  };
  for (const { kind, assignments, words } of commands) {
    for (const word of assignments) {
      if (kind === "for" || readAssignment(word) !== undefined) add(word);
    }
    const at = words.findIndex((word) => word.text !== "command" && word.text !== "builtin");
    const program = words[at]?.text ?? "";
    if (assigning.has(program)) words.slice(at + 1).forEach(add);
    if (program === "printf" && words[at + 1]?.text === "-v") add(words[at + 2]);
  }
  return names;
}
