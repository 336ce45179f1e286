import { stripVTControlCharacters } from "node:util";

const controls = /[^\P{Cc}\n\t]/gu;

/** The reason of a failure may be what a command has written: the page shows its words, not what it told a terminal. */
export function plainMessage(message: string): string {
  return stripVTControlCharacters(message).replaceAll(controls, "");
}
