import { isUtf8 } from "node:buffer";
import { err, ok, type Result } from "../../util/result.ts";

export const textEncodings = ["utf-8", "latin1"] as const;
export type TextEncoding = (typeof textEncodings)[number];

/** The bytes of a text, as long as none of its characters is lost. */
export function encodeText(text: string, encoding: TextEncoding | "base64"): Result<Uint8Array, string> {
  switch (encoding) {
    case "utf-8":
      // Half of a character, which a JSON escape can smuggle into a text, would be replaced.
      return /\p{Surrogate}/u.test(text)
        ? err("contains half a character, which UTF-8 can't hold")
        : ok(Buffer.from(text));
    case "latin1": {
      const foreign = /[^\0-\xff]/u.exec(text)?.[0];
      return foreign === undefined
        ? ok(Buffer.from(text, "latin1"))
        : err(`contains '${foreign}', which latin1 can't hold`);
    }
    case "base64": {
      const compact = text.replaceAll(/\s/g, "");
      return isBase64(compact) ? ok(Buffer.from(compact, "base64")) : err("is not base64");
    }
  }
}

/** The padding may be missing. No pattern goes through groups of four: on megabytes it would run out of stack. */
function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, "");
  const isComplete = digits === text ? digits.length % 4 !== 1 : text.length % 4 === 0;
  return isComplete && !/[^\w+/-]/.test(digits);
}

export function decodeText(bytes: Uint8Array, encoding: TextEncoding): Result<string, string> {
  if (encoding === "latin1") return ok(Buffer.from(bytes).toString("latin1"));
  return isUtf8(bytes) ? ok(Buffer.from(bytes).toString()) : err("is not UTF-8 text");
}
