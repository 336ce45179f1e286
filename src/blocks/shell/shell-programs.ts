import { isAbsolute } from "node:path";
import type { BlockPrograms, Written, WrittenInputs, WrittenWithExpressions } from "../../block/define-block.ts";
import type { Vars } from "../../expression/vars.ts";
import { referencesIn, writeArgs, writeWord } from "./check-surroundings.ts";
import { compileCommand, nothingKnown, runsOfScript } from "./compile-command.ts";
import { isEvaluatedVariable } from "./evaluated-variables.ts";
import { ShellInput } from "./shell-command.ts";
import type { PlacedSlot } from "./shell-syntax.ts";
import type { Surroundings } from "./trace-values.ts";

/** What a Shell block runs: see `BlockPrograms`. */
export function shellPrograms(written: WrittenInputs): BlockPrograms {
  const { command, args, shell, working_dir: directory } = written;
  const input = command?.known === false && command.compiled instanceof ShellInput ? command.compiled : undefined;
  const text = input?.text ?? writeArgs(args);
  const files = text === undefined || isElsewhere(directory) ? [] : runsOfScript(text, input?.vars);
  return {
    chosen: [
      ...(input?.chosen ?? []),
      ...referencesOf(shell),
      ...(args === undefined || args.known ? [] : chosenInArgs(args)),
      ...chosenBeside(written, text, input?.vars),
      ...(files.length === 0 ? [] : referencesOf(directory)),
    ],
    files,
    written: input?.written ?? [],
  };
}

function referencesOf(written: Written | undefined): readonly string[] {
  return written === undefined || written.known ? [] : referencesIn(written);
}

/** Whether it works outside of the workspace, wherever that is. */
function isElsewhere(directory: Written | undefined): boolean {
  return directory?.known === true && isAbsolute(String(directory.value));
}

/** The references in args whose values decide which program runs. */
function chosenInArgs(args: WrittenWithExpressions): readonly string[] {
  if (args.items === undefined) return referencesIn(args);
  const values: string[] = [];
  const text = args.items.map((item) => writeWord(item, values)).join(" ");
  const compiled = compileCommand(text);
  if (!compiled.ok) return values;
  // References in args are written as one that stands for them all, so which of them it is tells the item.
  const [first] = args.items;
  if (first !== undefined && !first.known) return referencesIn(first);
  return compiled.value.chosen.length === 0 ? [] : values;
}

/** Stands for the values that reach the command from beside it. */
const beside = "${beside}";

/** The values of `env` and `stdin` of which a shell or program would run what they hold, or find programs by them. */
function chosenBeside(
  { stdin, env }: WrittenInputs,
  text: string | undefined,
  vars: Vars | undefined,
): readonly string[] {
  const decides = (surroundings: Surroundings): boolean => decidesOver(text, surroundings, vars);
  const inStdin = stdin?.known === false && decides({ stdin: slotOf("standard input") }) ? referencesIn(stdin) : [];
  if (env === undefined || env.known) return inStdin;
  const chosen = (env.entries ?? []).filter(
    ([name]) => name === "PATH" || isEvaluatedVariable(name) || decides({ env: new Map([[name, slotOf(name)]]) }),
  );
  return [...inStdin, ...referencesIn(env), ...chosen.flatMap(([, value]) => referencesOf(value))];
}

function decidesOver(text: string | undefined, surroundings: Surroundings, vars: Vars | undefined): boolean {
  if (text === undefined) return false;
  const compiled = compileCommand(text, surroundings, nothingKnown, vars);
  return !compiled.ok || compiled.value.chosen.includes(beside);
}

function slotOf(name: string): PlacedSlot {
  return { start: 0, end: 0, value: -1, context: "double-quoted", held: { name, reference: beside, split: false } };
}
