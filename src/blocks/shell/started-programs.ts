/** What a program text in another language starts, as far as its words tell. */
export interface StartedPrograms {
  /** Those that are named. */
  readonly names: readonly string[];
  /** Whether one is computed, so that a value can choose it. */
  readonly isComputed: boolean;
}

/** Calls that start a program, up to what names it. */
const starts =
  /\b(?:subprocess\.(?:run|Popen|call|check_call|check_output)|os\.(?:system|popen|exec[lv]p?e?|spawn[lv]p?e?|startfile)|pty\.spawn|asyncio\.create_subprocess_(?:exec|shell)|(?:spawn|execFile|fork)(?:Sync)?|(?<!\.)exec(?:Sync)?|(?:child_process|cp)\.exec(?:Sync)?|Bun\.spawn(?:Sync)?|Deno\.Command)\s*\(\s*(?:\[\s*)?/g;

/** The running interpreter itself. */
const ownInterpreter = /^(?:sys\.executable|process\.execPath)\b/;

/** A text that is written out: one with values in it is none. */
const written = /^(?:r?"([^"\\\n]*)"|r?'([^'\\\n]*)'|`([^`\\$]*)`)/;

/** Whether a text starts programs at all: a word such as `exec(` alone may be Python's own. */
const mayStart = /\bsubprocess\b|\bos\.|\bpty\b|child_process|\bBun\.|\bDeno\./;

const mostStarts = 200;

export function startedBy(text: string): StartedPrograms {
  const names: string[] = [];
  let isComputed = false;
  if (!mayStart.test(text)) return { names, isComputed };
  let found = 0;
  for (const match of text.matchAll(starts)) {
    found += 1;
    if (found > mostStarts) return { names, isComputed: true };
    const rest = text.slice(match.index + match[0].length, match.index + match[0].length + 500);
    if (ownInterpreter.test(rest)) continue;
    const [, first, second, third] = written.exec(rest) ?? [];
    const command = first ?? second ?? third;
    if (command === undefined) isComputed = true;
    else names.push(...commandsIn(command));
  }
  return { names, isComputed };
}

/** The programs of a command's text, without a look at its syntax: the first word of each part. */
function commandsIn(text: string): string[] {
  return text.split(/&&|\|\||[;|&\n]/).flatMap((part) => part.trim().split(/\s+/, 1).filter(Boolean));
}
