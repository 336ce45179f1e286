import type { KnownInput } from "../../block/define-block.ts";
import { type Proof, proveCharacters, provenNumber, proveOneOf } from "../../expression/proof.ts";

/** A way to declare more of an input, and what can be said of its values then. */
interface Declaration {
  readonly written: string;
  readonly proof: Proof | undefined;
}

const numbers: readonly Declaration[] = [
  { written: "`type: integer`", proof: provenNumber("integer") },
  { written: "`type: integer` with `minimum: 0`", proof: provenNumber("integer", 0) },
];
const choices: Declaration = { written: "an `enum` of plain words", proof: proveOneOf(["a", "b"]) };
const patterns: readonly Declaration[] = [
  { written: '`pattern: "[A-Za-z0-9_.]+"`', proof: proveCharacters("Aa0_.") },
  { written: '`pattern: "[0-9.]+"`', proof: proveCharacters("0.") },
];

/** What to declare of an input that is refused; each way has been tried, and where none helps there is nothing to say. */
export function declareInput(
  { name, isSecret, lacksDefault }: KnownInput,
  code: string,
  proof: Proof | undefined,
  accepts: (proof: Proof) => boolean,
): string | undefined {
  if (isSecret) return undefined;
  const helps = (one: Declaration): boolean => one.proof !== undefined && accepts(one.proof);
  const isNumber = proof?.kind === "integer" || proof?.kind === "number";
  if (isNumber && proof.dash && accepts({ ...proof, dash: false })) {
    return `Declare \`minimum: 0\` for the input '${name}'.`;
  }
  const texts = [helps(choices) ? choices : undefined, patterns.find(helps)].filter((way) => way !== undefined);
  const number = numbers.find(helps);
  const isCalculated = code === "value-in-arithmetic" || code === "value-in-subscript";
  const ways = number !== undefined && (isCalculated || texts.length === 0) ? [number] : texts;
  const written = ways.map((way) => way.written);
  if (written.length === 0) return undefined;
  if (lacksDefault) return `Give the input '${name}' a \`default\`, so that it always has a value.`;
  return `Declare ${written.join(", or ")} for the input '${name}'.`;
}
