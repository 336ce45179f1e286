import { type Command, markedText } from "./shell-syntax.ts";

/** Builtins that assign the variables their arguments name. */
const assigning: ReadonlySet<string> = new Set([
  ...["read", "mapfile", "readarray", "getopts", "let"],
  ...["declare", "typeset", "local", "export", "readonly"],
]);

/** The variables a script assigns itself, as far as its text tells; a name too many does no harm. */
export function findAssignedNames(commands: readonly Command[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { assignments, words } of commands) {
    for (const { assigns } of [...assignments, ...words]) if (assigns !== undefined) names.add(assigns.name);
    const texts = words.map((word) => markedText(word.pieces));
    const at = texts.findIndex((text) => text !== "command" && text !== "builtin");
    const isPrinting = texts[at] === "printf" && texts[at + 1] === "-v";
    if (!assigning.has(texts[at] ?? "") && !isPrinting) continue;
    for (const text of texts.slice(at + 1)) names.add(/^[A-Za-z_]\w*/.exec(text)?.[0] ?? "");
  }
  return names;
}
