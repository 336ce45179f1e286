import * as z from "zod";

/** A parameter that holds several of these words, as they stand in an address: `a,b`. */
export function wordsWithCommas(words: readonly string[]): z.ZodString {
  return z.string().refine((text) => splitAtCommas(text).every((word) => words.includes(word)), {
    error: `must hold some of these, with commas between: ${words.join(", ")}`,
  });
}

export function splitAtCommas(text: string): string[] {
  return text.split(",").filter((one) => one !== "");
}
