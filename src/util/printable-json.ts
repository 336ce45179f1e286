import { turningCharacters } from "./obeyed-characters.ts";

/** What JSON leaves unescaped although a terminal obeys it: DEL, the C1 control characters, and what turns or ends a line. */
const obeyed = new RegExp(`[\\u007f-\\u009f${turningCharacters}]`, "g");

/** A document that says the same as what `JSON.stringify` gives, and that may be shown in a terminal. */
export function printableJson(value: unknown, indent?: number): string {
  return escapeObeyed(JSON.stringify(value, null, indent));
}

/** The same of a piece of a document. */
export function escapeObeyed(json: string): string {
  return json.replaceAll(obeyed, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
