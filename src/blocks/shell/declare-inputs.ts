import type { KnownInput } from "../../block/define-block.ts";
import { type Proof, proveCharacters, provenNumber, proveOneOf } from "../../expression/proof.ts";

/** Says what to declare of a value, by its index, so that it may stand where it is refused; undefined where nothing helps. */
export type Declarable = (
  value: number | undefined,
  proof: Proof | undefined,
  accepts: (proof: Proof) => boolean,
) => string | undefined;

const samplePattern = "[A-Za-z0-9_.]+";
const integer = provenNumber("integer", 0);
const choices = proveOneOf(["a", "b"]);
const matching = proveCharacters("Aa0_.");

/** What to declare of an input, each of which has been tried. */
export function declareInput(
  { name, isSecret, lacksDefault }: KnownInput,
  proof: Proof | undefined,
  accepts: (proof: Proof) => boolean,
): string | undefined {
  if (isSecret) return undefined;
  const isNumber = proof?.kind === "integer" || proof?.kind === "number";
  if (isNumber && proof.dash && accepts({ ...proof, dash: false })) {
    return `Declare \`minimum: 0\` for the input '${name}'.`;
  }
  const ways = [
    ...(accepts(integer) ? ["`type: integer`, `minimum: 0`"] : []),
    ...(choices !== undefined && accepts(choices) ? ["an `enum`"] : []),
    ...(matching !== undefined && accepts(matching) ? [`\`pattern: "${samplePattern}"\``] : []),
  ];
  if (ways.length === 0) return undefined;
  if (lacksDefault) return `Give the input '${name}' a \`default\`, so that it always has a value.`;
  // A number without a sign can only be needed where an option could be meant.
  const [first = ""] = ways;
  const shown =
    first.startsWith("`type") && accepts(provenNumber("integer")) ? ["`type: integer`", ...ways.slice(1)] : ways;
  return `Declare ${shown.join(" or ")} for the input '${name}'.`;
}

/** What to write instead of another value than an input, where a whole number may stand. */
export function convertValue(reference: string, accepts: (proof: Proof) => boolean): string | undefined {
  const expression = /^\$\{\s*(.*?)\s*\}$/s.exec(reference)?.[1];
  if (expression === undefined || !accepts(provenNumber("integer"))) return undefined;
  return `If it is a whole number, write \${int(${expression})}.`;
}
