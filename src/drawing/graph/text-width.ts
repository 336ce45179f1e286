/**
 * Roughly how wide a text is, in pixels, without asking the browser: a layout must come out the same wherever it is made. Measured with
 * Inter, and a little generous.
 */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width * size;
}

function characterWidth(character: string): number {
  if ("iljtfr.,:;|'!()[] ·›".includes(character)) return 0.34;
  if ("mwMW@%—".includes(character)) return 0.88;
  if (character >= "A" && character <= "Z") return 0.68;
  return character > "\u2e80" ? 1 : 0.58;
}

/** As much of a text as fits, with three dots where some of it does not. */
export function fitText(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text;
  const characters = [...text];
  let used = size;
  let count = 0;
  for (const character of characters) {
    used += characterWidth(character) * size;
    if (used > width) break;
    count += 1;
  }
  return `${characters.slice(0, Math.max(1, count)).join("").trimEnd()}…`;
}
