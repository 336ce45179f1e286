import { formatValue } from "./format-value.ts";
import type { Value } from "./value.ts";

/**
 * What is known of a value as a text, before the run or when it is there: which characters it can hold and how it can begin. Only
 * values of plain characters have a proof: letters, digits and `_./:@%+=,-`.
 */
export interface Proof {
  /** `part` is a piece of a number, which may be empty; all others have at least one character. */
  readonly kind: "integer" | "number" | "boolean" | "word" | "part";
  /** Whether it can begin with a dash. */
  readonly dash: boolean;
  /** Whether it can hold anything but digits, dots and dashes. */
  readonly letters: boolean;
  /** Whether it can hold these. */
  readonly percent: boolean;
  readonly equals: boolean;
  readonly slash: boolean;
  readonly comma: boolean;
  /** All texts that it can be, where they are written out. */
  readonly texts?: readonly string[];
  /** For a word that the author has begun: how it begins, and what holds of the rest. */
  readonly around?: { readonly before: string; readonly proof: Proof };
}

/** More texts than these are as good as any. */
const mostTexts = 40;

const plainText = /^[A-Za-z0-9_./:@%+=,-]+$/;

function isPlain(text: string): boolean {
  return plainText.test(text);
}

const bare: Omit<Proof, "kind" | "dash"> = {
  letters: false,
  percent: false,
  equals: false,
  slash: false,
  comma: false,
};

export function provenNumber(kind: "integer" | "number", minimum?: number): Proof {
  return { ...bare, kind, dash: minimum === undefined || minimum < 0 };
}

export const provenBoolean: Proof = {
  ...bare,
  kind: "boolean",
  dash: false,
  letters: true,
  texts: ["false", "true"],
};

/** What can be said of a value that is known. A text has a proof of its own; a list, a map and null have none. */
export function proveValue(value: Value): Proof | undefined {
  if (typeof value === "boolean") return { ...provenBoolean, texts: [String(value)] };
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return undefined;
    const kind = Number.isSafeInteger(value) ? "integer" : "number";
    return { ...provenNumber(kind, value), texts: [formatValue(value)] };
  }
  return typeof value === "string" ? proveText(value) : undefined;
}

function proveText(text: string): Proof | undefined {
  if (!isPlain(text) || text.startsWith("-")) return undefined;
  return { ...charactersOf(text), kind: "word", dash: false, texts: [text] };
}

function charactersOf(text: string): Omit<Proof, "kind" | "dash"> {
  return {
    letters: /[^0-9.-]/.test(text),
    percent: text.includes("%"),
    equals: text.includes("="),
    slash: text.includes("/"),
    comma: text.includes(","),
  };
}

/** What holds of a text whose characters are these, one of each, and which begins with a character that is no dash. */
export function proveCharacters(characters: string): Proof | undefined {
  return isPlain(characters) ? { ...charactersOf(characters), kind: "word", dash: false } : undefined;
}

/** What holds of all these values. */
export function proveOneOf(values: readonly Value[]): Proof | undefined {
  return values.length === 0 ? undefined : values.map(proveValue).reduce(joinProofs);
}

/** What holds of a value of which the one or the other holds. */
export function joinProofs(one: Proof | undefined, other: Proof | undefined): Proof | undefined {
  if (one === undefined || other === undefined) return undefined;
  const kind = joinKinds(one, other);
  if (kind === undefined) return undefined;
  const texts = [...new Set([...(one.texts ?? []), ...(other.texts ?? [])])].sort();
  const isClosed = one.texts !== undefined && other.texts !== undefined && texts.length <= mostTexts;
  return {
    kind,
    dash: one.dash || other.dash,
    letters: one.letters || other.letters,
    percent: one.percent || other.percent,
    equals: one.equals || other.equals,
    slash: one.slash || other.slash,
    comma: one.comma || other.comma,
    ...(isClosed ? { texts } : {}),
    ...(one.around !== undefined && isSameProof(one, other) ? { around: one.around } : {}),
  };
}

function joinKinds(one: Proof, other: Proof): Proof["kind"] | undefined {
  if (one.kind === other.kind) return one.kind;
  if (one.kind === "part" || other.kind === "part") return one.letters || other.letters ? undefined : "part";
  const isNumber = (kind: Proof["kind"]): boolean => kind === "integer" || kind === "number";
  return isNumber(one.kind) && isNumber(other.kind) ? "number" : "word";
}

/** What holds of any piece of it, the empty one included. */
export function provePart(proof: Proof | undefined): Proof | undefined {
  return proof === undefined || proof.letters ? undefined : { ...bare, kind: "part", dash: true };
}

/**
 * What holds of a text that a value stands in, the rest being written out: undefined where the rest is not plain. What is put
 * together is one word, whatever the value was.
 */
export function proveAround(before: string, proof: Proof | undefined, after: string): Proof | undefined {
  if (proof === undefined || proof.kind === "part" || !/^[A-Za-z0-9_./:@%+=,-]*$/.test(before + after))
    return undefined;
  const around = charactersOf(before + after);
  const { texts } = proof;
  return {
    kind: "word",
    dash: before === "" ? proof.dash : before.startsWith("-"),
    letters: proof.letters || around.letters,
    percent: proof.percent || around.percent,
    equals: proof.equals || around.equals,
    slash: proof.slash || around.slash,
    comma: proof.comma || around.comma,
    ...(texts === undefined ? {} : { texts: texts.map((text) => before + text + after) }),
    ...(before === "" || after !== "" || proof.around !== undefined ? {} : { around: { before, proof } }),
  };
}

/** Whether what is known of a value says no less than the proof. */
export function holdsOf(proof: Proof, value: Proof | undefined): boolean {
  return isSameProof(joinProofs(proof, value), proof);
}

export function isSameProof(one: Proof | undefined, other: Proof | undefined): boolean {
  return one === other || writeProof(one) === writeProof(other);
}

/** The order in which it was put together does not matter. */
function writeProof(proof: Proof | undefined): string {
  if (proof === undefined) return "";
  const { kind, dash, letters, percent, equals, slash, comma, texts, around } = proof;
  const begun = around === undefined ? "" : `${around.before} ${writeProof(around.proof)}`;
  return JSON.stringify([kind, dash, letters, percent, equals, slash, comma, texts?.toSorted(), begun]);
}
