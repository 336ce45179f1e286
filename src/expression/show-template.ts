import type { Expression, Template } from "./ast.ts";

/** A template with what its expressions come to, as far as that is given; the others stay as they are written in the source. */
export function showTemplate(
  { parts }: Template,
  source: string,
  textOf: (expression: Expression) => string | undefined,
): string {
  const shown = parts.map((part) =>
    typeof part === "string" ? part : (textOf(part.expression) ?? source.slice(part.start, part.end)),
  );
  return shown.join("");
}
