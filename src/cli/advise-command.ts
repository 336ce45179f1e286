import type { Terminal } from "./terminal.ts";
import { lineWidth } from "./text/lay-out-table.ts";
import { widthOf } from "./text/visible-text.ts";
import { wrapWords } from "./text/wrap-words.ts";

/**
 * A text, and behind it what to type. A command is never broken, so that it can be copied: one that does not fit gets a line of its own,
 * and what is wider than the screen even then is left to the terminal.
 */
export function adviseCommand(text: string, command: string, terminal: Terminal): string[] {
  const room = lineWidth(terminal);
  const line = `${text} ${command}`;
  return widthOf(line) <= room ? [line] : [...wrapWords(text, room), `  ${command}`];
}
