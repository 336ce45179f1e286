import { InvalidArgumentError } from "commander";

/** The value of an option that counts something. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("It must be a whole number above 0.");
}

/** The same, where 0 stands for all. */
export function parseLimit(text: string): number {
  const count = Number(text);
  if (text.trim() !== "" && Number.isInteger(count) && count >= 0) return count;
  throw new InvalidArgumentError("It must be a whole number; 0 stands for all.");
}
