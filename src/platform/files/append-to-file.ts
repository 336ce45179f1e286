import { appendFileSync } from "node:fs";

/** Says why it could not be done. */
export function appendToFile(file: string, text: string): string | undefined {
  try {
    appendFileSync(file, text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
