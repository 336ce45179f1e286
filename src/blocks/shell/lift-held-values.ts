import { type Command, fedMark, type PlacedSlot, type VariableRead, valueMark, type Word } from "./shell-syntax.ts";
import type { ValueFlow } from "./value-flow.ts";

/** Writes a variable that holds a value as if the value itself stood there, so that every check of values sees it. */
export class HeldValues {
  private readonly text: string;
  private readonly flow: ValueFlow;

  constructor(text: string, flow: ValueFlow) {
    this.text = text;
    this.flow = flow;
  }

  slotOf(read: VariableRead): PlacedSlot | undefined {
    const origin = this.flow.originOf(read.name);
    if (origin === undefined) return undefined;
    const name = read.name.includes(":") ? `$${read.name.slice(read.name.lastIndexOf(":") + 1)}` : read.name;
    const reference = this.text.slice(origin.start, origin.end);
    const held = { name, reference, split: read.split };
    return { start: read.start, end: read.end, value: -1, context: "double-quoted", held };
  }

  liftWord(word: Word): Word {
    if (word.reads.length === 0) return word;
    const slots = [...word.slots];
    const marks = new Map<number, string>();
    for (const read of word.reads) {
      const slot = this.slotOf(read);
      if (slot === undefined) continue;
      slots.push(slot);
      if (read.at !== -1 && marks.get(read.at) !== valueMark) marks.set(read.at, read.fed ? fedMark : valueMark);
    }
    return slots.length === word.slots.length ? word : { ...word, slots, text: replaceMarks(word.text, marks) };
  }

  liftCommand(command: Command): Command {
    return {
      ...command,
      assignments: command.assignments.map((word) => this.liftWord(word)),
      words: command.words.map((word) => this.liftWord(word)),
    };
  }
}

function replaceMarks(text: string, marks: ReadonlyMap<number, string>): string {
  let replaced = "";
  let copied = 0;
  for (const [at, mark] of [...marks].sort(([a], [b]) => a - b)) {
    replaced += text.slice(copied, at) + mark;
    copied = at + 1;
  }
  return replaced + text.slice(copied);
}
