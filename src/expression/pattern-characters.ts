import { type Proof, proveCharacters } from "./proof.ts";
import { compiledProgram } from "./search-pattern.ts";

/** An instruction of the engine: what it does, where it goes on, and the ranges of characters that it takes. */
interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: ArrayLike<number>;
}

const operations = { alternative: 1, alternativeMatch: 2, capture: 3, emptyWidth: 4, fail: 5, match: 6, nothing: 7 };
const takingRanges: readonly number[] = [8, 9];
/** How the engine says that a character also stands for its other case. */
const foldsCase = 1;
const widestRange = 128;

/**
 * What holds of every text that matches a pattern as a whole; undefined where it admits other characters than plain ones, the empty
 * text, or one that begins with a dash.
 */
export function provePattern(pattern: string): Proof | undefined {
  const { inst, start } = compiledProgram(pattern) as { readonly inst: readonly Instruction[]; readonly start: number };
  const characters = new Set<string>();
  for (const instruction of inst) {
    const taken = charactersOf(instruction);
    if (taken === undefined) return undefined;
    for (const character of taken) characters.add(character);
  }
  if (mayBegin(inst, start, "-")) return undefined;
  return proveCharacters([...characters].join(""));
}

/** The characters that an instruction takes; undefined where they are too many to be plain. */
function charactersOf({ op, arg, runes }: Instruction): readonly string[] | undefined {
  if (op <= operations.nothing) return [];
  if (!takingRanges.includes(op) || arg === foldsCase) return undefined;
  const characters: string[] = [];
  for (let at = 0; at < runes.length; at += 2) {
    const [first = 0, last = first] = [runes[at], runes[at + 1]];
    if (last - first > widestRange) return undefined;
    for (let code = first; code <= last; code += 1) characters.push(String.fromCodePoint(code));
  }
  return characters;
}

/** Whether a text that matches can be empty or begin with the character. */
function mayBegin(program: readonly Instruction[], start: number, character: string): boolean {
  const seen = new Set<number>();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const instruction = program[at];
    if (instruction === undefined || seen.has(at)) continue;
    seen.add(at);
    if (instruction.op === operations.match || instruction.op === operations.alternativeMatch) return true;
    if (instruction.op === operations.alternative) open.push(instruction.out, instruction.arg);
    else if (instruction.op > operations.nothing) {
      if (charactersOf(instruction)?.includes(character) !== false) return true;
    } else if (instruction.op !== operations.fail) open.push(instruction.out);
  }
  return false;
}
