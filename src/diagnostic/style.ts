export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "magenta" | "cyan";

const codes: Record<Style, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
};

/** Everything that `paint` puts around a text. */
export const paintSequences: readonly string[] = [...new Set(Object.values(codes).flat())].map(sequence);

function sequence(code: number): string {
  return `\u001b[${code}m`;
}

export function paint(text: string, style: Style, colour: boolean): string {
  if (!colour || text === "") return text;
  const [open, close] = codes[style];
  return `${sequence(open)}${text}${sequence(close)}`;
}
