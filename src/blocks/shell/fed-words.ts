import { readLaunch } from "./command-launchers.ts";
import { programName } from "./interpreters.ts";
import { hasValue, type PlacedSlot, valueMark, type Word } from "./shell-syntax.ts";

const mostLaunches = 20;

/** The command that xargs runs, with what it reads as arguments of it; undefined where there is no xargs. */
export function fedToXargs(words: readonly Word[], origin: PlacedSlot, reference: string): readonly Word[] | undefined {
  // What is read may be several words.
  const slot: PlacedSlot = { ...origin, held: { name: "what xargs reads", reference, split: true } };
  let command = words;
  for (let launches = 0; launches < mostLaunches; launches += 1) {
    const [first, ...parameters] = command;
    const launch = first === undefined ? undefined : readLaunch(programName(first), parameters);
    if (first === undefined || launch === undefined) return undefined;
    if (programName(first) === "xargs") return fed(launch.before, launch.command, slot);
    command = launch.command;
  }
  return undefined;
}

function fed(options: readonly Word[], command: readonly Word[], slot: PlacedSlot): readonly Word[] | undefined {
  const [first] = command;
  if (first === undefined) return undefined;
  const placeholder = replaced(options);
  if (placeholder === undefined) {
    const { start, end, parsed } = first;
    const given = { start, end, parsed, text: valueMark, slots: [slot], quoted: false, elements: undefined };
    return [...command, { ...given, list: undefined, known: false }];
  }
  return command.map((word) => {
    if (!word.text.includes(placeholder) || hasValue(word)) return word;
    return { ...word, text: word.text.replaceAll(placeholder, valueMark), slots: [slot], known: false };
  });
}

/** What xargs replaces by a line: `-I{}`, `-I {}`, `-i`, `--replace=x`. */
function replaced(options: readonly Word[]): string | undefined {
  for (const [index, { text }] of options.entries()) {
    const [, , attached] = /^(-[A-Za-z0-9]*I|-[A-Za-z0-9]*i|--replace=?)(.*)$/s.exec(text) ?? [];
    if (attached === undefined) continue;
    if (attached !== "") return attached;
    return /I$/.test(text) ? (options[index + 1]?.text ?? "{}") : "{}";
  }
  return undefined;
}
