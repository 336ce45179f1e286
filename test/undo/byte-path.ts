/**
 * Paths in tests of undo are texts. A byte that is no UTF-8 is written `\xNN`, a backslash `\\` and a line break `\n`, so that every name
 * that Linux allows can be printed, compared and kept as JSON.
 */
export function writePath(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at);
    const part = Buffer.from(bytes.subarray(at, at + Math.max(length, 1)));
    text += length === 0 ? `\\x${part.toString("hex")}` : escapeCharacter(part.toString("utf8"));
    at += part.length;
  }
  return text;
}

export function readPath(text: string): Buffer {
  const parts = text.split(/(\\x[0-9a-f]{2}|\\\\|\\n)/).map((part) => {
    if (part === "\\\\") return Buffer.from("\\");
    if (part === "\\n") return Buffer.from("\n");
    return part.startsWith("\\x") ? Buffer.from(part.slice(2), "hex") : Buffer.from(part);
  });
  return Buffer.concat(parts);
}

function escapeCharacter(character: string): string {
  if (character === "\\") return "\\\\";
  return character === "\n" ? "\\n" : character;
}

/** How many bytes the character takes that begins here; 0 when none does. */
function characterAt(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    const text = Buffer.from(bytes.subarray(at, at + length)).toString("utf8");
    if (!text.includes("\ufffd")) return length;
  }
  return 0;
}
