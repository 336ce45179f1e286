import { InvalidArgumentError } from "commander";

const ageUnits: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const sizeUnits: Readonly<Record<string, number>> = { "": 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

/** `30d`, `12h`: in milliseconds. */
export function parseAge(text: string): number {
  const [, number, unit = ""] = /^\s*(\d+(?:\.\d+)?)\s*([smhdw])\s*$/.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError("Write it like 30d, 12h or 90m.");
  return Number(number) * (ageUnits[unit] as number);
}

/** `5GB`, `500MB`: in bytes. A number alone is refused: whoever writes 5 does not mean 5 bytes. */
export function parseSize(text: string): number {
  const [, number, unit = ""] = /^\s*(\d+(?:\.\d+)?)\s*(?:([kmgt])b?|b)\s*$/i.exec(text) ?? [];
  if (number === undefined) throw new InvalidArgumentError("Write it like 5GB or 500MB.");
  return Number(number) * (sizeUnits[unit.toUpperCase()] as number);
}

/** `1.2 GB`, `340 KB`. */
export function formatBytes(bytes: number): string {
  const fitting = Object.entries(sizeUnits).findLast(([, size]) => bytes >= size) ?? ["", 1];
  const [unit, size] = fitting;
  const amount = bytes / size;
  return `${unit === "" || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${unit}B`;
}
