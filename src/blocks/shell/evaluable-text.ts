/**
 * Whether bash would run a command if it calculated with the text: it runs what it finds in the subscript of a name, as in
 * `a[$(command)]`. Subscripts are skipped as bash skips them: a bracket in quotes or behind a backslash does not close one.
 */
export function runsWhenCalculated(text: string): boolean {
  for (let at = text.indexOf("["); at !== -1; at = text.indexOf("[", at + 1)) {
    if (/\w/.test(text.charAt(at - 1)) && holdsCommand(text, at)) return true;
  }
  return false;
}

const longestSubscript = 10_000;

function holdsCommand(text: string, opening: number): boolean {
  let depth = 0;
  const limit = Math.min(text.length, opening + longestSubscript);
  for (let at = opening; at < limit; at += 1) {
    switch (text.charAt(at)) {
      case "[":
        depth += 1;
        break;
      case "]":
        depth -= 1;
        if (depth === 0) return false;
        break;
      case "\\":
        at += 1;
        break;
      case "`":
        return true;
      case "$":
        if (/[({]/.test(text.charAt(at + 1)) && isSubstitution(text, at)) return true;
        break;
      case '"':
      case "'": {
        const close = text.indexOf(text.charAt(at), at + 1);
        const end = close === -1 ? text.length : close;
        if (/\$\(|`/.test(text.slice(at, end))) return true;
        at = end;
      }
    }
  }
  return limit < text.length;
}

/** `$(command)`, and `${ command; }` of later versions. */
function isSubstitution(text: string, at: number): boolean {
  return text.startsWith("$(", at) || /^\$\{[ \t\n|]/.test(text.slice(at, at + 3));
}

/** Why a value can't be used in a script with such a construct. */
export function explainEvaluable(value: string, construct: string): string {
  return `${value} holds a command in the subscript of a name, as in a[$(command)]. bash runs that when it calculates with it, and the command calculates: ${construct}. Calculate in a block of its own, or say \`unsafe: true\`.`;
}
