/** What JSON leaves unescaped although a terminal obeys it: DEL, the C1 control characters, and what turns or ends a line. */
const obeyed = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A document that says the same as what `JSON.stringify` gives, and that may be shown in a terminal. */
export function printableJson(value: unknown, indent?: number): string {
  return escapeObeyed(JSON.stringify(value, null, indent));
}

/** The same of a piece of a document. */
export function escapeObeyed(json: string): string {
  return json.replaceAll(obeyed, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
