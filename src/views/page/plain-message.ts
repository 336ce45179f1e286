import { stripVTControlCharacters } from "node:util";

/** Those among them that turn the direction of writing could make a question read as another one. */
const controls = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** A reason or a question may hold what a command has written: the page shows its words, not what it told a terminal. */
export function plainMessage(message: string): string {
  return stripVTControlCharacters(message).replaceAll(controls, "");
}
