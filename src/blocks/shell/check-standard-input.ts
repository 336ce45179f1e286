import type { InputUse } from "./check-program.ts";
import type { Refusal } from "./command-problem.ts";
import { pipedProgram, programOnStandardInput } from "./refusals.ts";
import { type Command, fedMark, type PlacedSlot, type Redirect } from "./shell-syntax.ts";

type ReportSlots = (slots: readonly PlacedSlot[], refusal: Refusal) => void;

/** Looks for values that reach a program's standard input where the program takes that for code. */
export function checkStandardInput(commands: readonly Command[], uses: readonly InputUse[], report: ReportSlots): void {
  if (!uses.includes("program")) return;
  const nextReader = nextIndex(commands, (_, index) => uses[index] === "program");
  const own = commands.map(ownSlots);
  const nextCarrier = nextIndex(commands, (_, index) => (own[index]?.length ?? 0) > 0);
  const carried = new Map<Command, readonly PlacedSlot[]>();
  for (const [index, command] of commands.entries()) {
    const piped = command.pipedFrom === undefined ? none : (carried.get(command.pipedFrom) ?? none);
    const inGroup = nextCarrier[command.members.from] ?? commands.length;
    const fromGroup = command.kind === "group" && inGroup < command.members.to ? (own[inGroup] ?? none) : none;
    const carriedHere = [own[index] ?? none, fromGroup, piped].find((slots) => slots.length > 0);
    if (carriedHere !== undefined) carried.set(command, carriedHere);
    const reader = nextReader[command.members.from] ?? commands.length;
    const readsProgram = command.kind === "group" ? reader < command.members.to : uses[index] === "program";
    if (!readsProgram) continue;
    for (const redirect of command.redirects) report(fedSlots(redirect), programOnStandardInput);
    report(piped, pipedProgram);
  }
}

const none: readonly PlacedSlot[] = [];

/** For every index, the next one from there on that passes the test. */
function nextIndex(commands: readonly Command[], test: (command: Command, index: number) => boolean): number[] {
  const next: number[] = new Array(commands.length + 1).fill(commands.length);
  for (let index = commands.length - 1; index >= 0; index -= 1) {
    const command = commands[index];
    next[index] = command !== undefined && test(command, index) ? index : (next[index + 1] ?? commands.length);
  }
  return next;
}

function ownSlots({ words, redirects }: Command): readonly PlacedSlot[] {
  const slots: PlacedSlot[] = [];
  for (const word of words) for (const slot of word.slots) slots.push(slot);
  for (const { target, body } of redirects) for (const slot of [...target.slots, ...body]) slots.push(slot);
  return slots.length === 0 ? none : slots;
}

/** The values in the text a redirection feeds to a command; a value that names a file is none of them. */
function fedSlots({ operator, target, body }: Redirect): readonly PlacedSlot[] {
  if (operator === "<<<" || (operator === "<" && target.text.includes(fedMark))) return target.slots;
  return body;
}
