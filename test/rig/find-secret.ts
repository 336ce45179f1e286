import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What must not be found of a secret: itself, base64 at all three alignments, percent-encoded in both ways and cases. */
function formsOf(secret: string): string[] {
  const base64 = ["", "x", "xx"].map((before) => {
    const encoded = Buffer.from(`${before}${secret}`).toString("base64").replaceAll("=", "");
    // Without the characters that also depend on what stands before and after.
    return encoded.slice(before === "" ? 0 : before.length + 1, -1);
  });
  const percent = [
    encodeURIComponent(secret),
    [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  ];
  const forms = [
    secret,
    ...base64,
    ...percent,
    ...percent.map((form) => form.replaceAll(/%../g, (code) => code.toLowerCase())),
  ];
  return [...new Set([...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))])];
}

/** The forms of a secret that are in a text. */
export function findSecret(text: string | Uint8Array, secret: string): string[] {
  const bytes = Buffer.from(text);
  return formsOf(secret).filter((form) => bytes.includes(form));
}

/** Files below a directory that hold a secret in any form. */
export function filesWithSecret(directory: string, secret: string): string[] {
  return formsOf(secret).flatMap((form) => filesHolding(directory, form).map((path) => `${path}: ${form}`));
}

export function filesHolding(directory: string, text: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text));
}
