import * as z from "zod";

/**
 * Permissions as people write them: the digits are octal, in quotes or not. `0o644` without quotes reaches us as the number 420,
 * and 420 must not quietly become something else, so the numbers that usual modes turn into are refused.
 */
export function fileMode(): z.ZodType<string | number> {
  return z.union([
    z.string().regex(/^(0o?)?[0-7]{3}$/, 'must be three octal digits, like "644"'),
    z.number().refine((mode) => /^[0-7]{3}$/.test(String(mode)) && !usualModes.has(mode), {
      error: ({ input }) => `must be three octal digits, like "644"${explainConverted(Number(input))}`,
    }),
  ]);
}

const usualModes: ReadonlySet<number> = new Set([
  0o400, 0o440, 0o444, 0o500, 0o550, 0o555, 0o600, 0o640, 0o644, 0o660, 0o664, 0o666, 0o700, 0o750, 0o755, 0o770, 0o775,
  0o777,
]);

export function parseFileMode(written: string | number): number {
  return Number.parseInt(String(written).slice(-3), 8);
}

function explainConverted(mode: number): string {
  if (!usualModes.has(mode)) return "";
  const digits = mode.toString(8);
  return `; YAML makes ${mode} of 0o${digits}, so write "${digits}"`;
}
