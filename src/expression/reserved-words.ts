import { writtenRoots } from "./ast.ts";
import { functions } from "./functions.ts";

export const keywords: ReadonlySet<string> = new Set(["and", "or", "not", "in", "if", "else", "is"]);

export const constants: ReadonlyMap<string, null | boolean> = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
]);

/** Whether a word alone begins a value. */
export function isValue(word: string): boolean {
  return constants.has(word) || functions.has(word) || (writtenRoots as readonly string[]).includes(word);
}
