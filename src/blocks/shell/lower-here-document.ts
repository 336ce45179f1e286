import type { HereDoc } from "unbash";
import type { Reference } from "./find-references.ts";
import type { Demand, PlacedValues } from "./placed-values.ts";
import { type Piece, withoutMarks } from "./shell-syntax.ts";
import { escapeBody } from "./spelling.ts";

/** The body of `<<'EOF'`. If it holds a value, the shell has to expand it now, and nothing but the value. */
export function lowerHereDocument(node: HereDoc, placed: PlacedValues, demand: Demand): readonly Piece[] {
  const { body, delimiter, closing } = node;
  const references = placed.within({ start: body.pos, end: body.end });
  placed.noteTemplates(body, true);
  const expands = references.some((reference) => !reference.escaped);
  if (!expands || delimiter === undefined || closing === undefined) {
    for (const reference of references) placed.place(reference, "literal-here-document", demand);
    return [{ kind: "text", text: withoutMarks(body.text) }];
  }
  const plain = plainDelimiter(delimiter.value, body.text);
  placed.edit({ start: delimiter.pos, end: delimiter.end }, plain);
  const written = placed.text.slice(closing.pos, closing.end);
  const from = closing.pos + written.lastIndexOf(delimiter.value);
  if (plain !== delimiter.value) placed.edit({ start: from, end: from + delimiter.value.length }, plain);
  return expandBody(placed, references, body, demand);
}

function expandBody(
  placed: PlacedValues,
  references: readonly Reference[],
  { pos, end }: HereDoc["body"],
  demand: Demand,
): Piece[] {
  const pieces: Piece[] = [];
  let at = pos;
  const addText = (to: number): void => {
    for (const { index } of placed.text.slice(at, to).matchAll(/[\\$`]/g)) {
      const start = at + index;
      placed.edit({ start, end: start + 1 }, escapeBody(placed.text.charAt(start)));
    }
    pieces.push({ kind: "text", text: withoutMarks(placed.text.slice(at, to)) });
  };
  for (const reference of references) {
    addText(reference.start);
    pieces.push(placed.place(reference, "escaped-here-document", demand));
    at = reference.end;
  }
  addText(end);
  return pieces;
}

/** A delimiter that needs no quotes, and so does not make the body a quoted one. */
function plainDelimiter(delimiter: string, body: string): string {
  if (/^[A-Za-z0-9_]+$/.test(delimiter)) return delimiter;
  let plain = "END";
  while (body.includes(plain)) plain += "_";
  return plain;
}
