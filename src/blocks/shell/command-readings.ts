import { expandLists } from "./list-words.ts";
import { markedText, type ParsedWord, type Piece } from "./shell-syntax.ts";
import { piecesOf, wordsOf } from "./text-words.ts";
import { mayBeNothing, type Trace } from "./trace-values.ts";
import { aliasOf, resultOf } from "./value-flow.ts";

type Words = readonly ParsedWord[];

/** How many combinations of texts are tried; with more of them one word is changed at a time. */
const mostCombined = 40;
/** From here on, the texts of variables are not tried with yet another list. */
const mostReadings = 200;

/**
 * What a command can be: as it is written, with the words that its lists were given, and with the texts that its variables and
 * substitutions are known to hold.
 */
export class CommandReadings {
  private readonly trace: Trace;
  private readonly seenLists = new Set<string>();
  private readonly known = new Map<ParsedWord, Words[]>();

  constructor(trace: Trace) {
    this.trace = trace;
  }

  of(words: Words): readonly Words[] {
    const readings = this.withTexts(words);
    for (const expanded of expandLists(words, this.trace.lists, this.seenLists))
      readings.push(...(readings.length < mostReadings ? this.withTexts(expanded) : [expanded]));
    return readings;
  }

  private withTexts(words: Words): Words[] {
    const choices = words.map((word, index) => [[word], ...this.alternativesOf(word, index === 0)]);
    const combinations = choices.reduce((product, { length }) => Math.min(product * length, mostCombined + 1), 1);
    if (combinations === 1) return [words];
    if (combinations <= mostCombined) {
      let readings: Words[] = [[]];
      for (const choice of choices)
        readings = readings.flatMap((before) => choice.map((chosen) => [...before, ...chosen]));
      return readings;
    }
    const readings: Words[] = [words];
    for (const [index, [, ...others]] of choices.entries())
      for (const other of others) {
        if (readings.length === mostReadings) return readings;
        readings.push([...words.slice(0, index), ...other, ...words.slice(index + 1)]);
      }
    return readings;
  }

  /** A word of a list stands in many readings. */
  private alternativesOf(word: ParsedWord, isFirst: boolean): Words[] {
    if (isFirst) return this.alternatives(word, true);
    let known = this.known.get(word);
    if (known === undefined) {
      known = this.alternatives(word, false);
      this.known.set(word, known);
    }
    return known;
  }

  /** What else can stand in the place of a word: where one of its pieces is computed, the texts that this can be. */
  private alternatives(word: ParsedWord, isFirst: boolean): Words[] {
    const { flow } = this.trace;
    const { pieces } = word;
    const [only, ...others] = pieces;
    if (isFirst && only?.kind === "text" && others.length === 0)
      return flow.textsOf(aliasOf(only.text)).map((text) => wordsOf(text, word));
    const found: Words[] = isFirst && mayBeNothing(word) && !this.holdsValue(pieces) ? [[]] : [];
    const computed = pieces.filter((piece) => piece.kind === "read" || piece.kind === "output");
    const [read] = computed;
    if (read === undefined || computed.length > 1 || (read.kind === "read" && read.list)) return found;
    const at = pieces.indexOf(read);
    for (const text of flow.textsOf(read.kind === "read" ? read.holder : resultOf(read.group))) {
      const isSplit = read.split && pieces.length === 1;
      if (isSplit) found.push(wordsOf(text, word, read));
      else {
        const between = piecesOf(text, read);
        found.push([{ ...word, pieces: joined([...pieces.slice(0, at), ...between, ...pieces.slice(at + 1)]) }]);
      }
    }
    return found;
  }

  private holdsValue(pieces: readonly Piece[]): boolean {
    return pieces.some((piece) => piece.kind === "read" && this.trace.flow.originOf(piece.holder) !== undefined);
  }
}

/** Texts that stand side by side as one, so that a name in them is seen. */
function joined(pieces: readonly Piece[]): Piece[] {
  return pieces.every((piece) => piece.kind === "text") ? [{ kind: "text", text: markedText(pieces) }] : [...pieces];
}
