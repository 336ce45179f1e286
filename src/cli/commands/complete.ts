import { Option } from "commander";
import { quoteForBash, readBashLine } from "../completion/bash-line.ts";
import type { Candidate, Candidates } from "../completion/candidate.ts";
import { completeCommand, type Shell, shells } from "../completion/completion-scripts.ts";
import { findCandidates } from "../completion/find-candidates.ts";
import { listPaths } from "../completion/list-paths.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import { cleanLine, cutToWidth } from "../text/visible-text.ts";

interface Options {
  readonly shell: Shell;
  readonly breaks: string;
}

/** What the scripts of `frond completion` call at every press of the key; nobody else has a use for it. */
export const addCompleteCommand: AddCommand = (program, context, end) => {
  program
    .command(completeCommand, { hidden: true })
    .description("print what the last word can be")
    .argument("[word...]", "words of the command line, the last being typed; for bash the line up to the cursor")
    .addOption(new Option("--shell <name>", "how they are printed").choices(shells).makeOptionMandatory())
    .option("--breaks <characters>", "COMP_WORDBREAKS of bash", "")
    .action(async (words: readonly string[], options: Options) => {
      end(exitCodes.success);
      const find = (asked: readonly string[]): Promise<Candidates> => findCandidates(program, asked, context);
      try {
        context.terminal.write(await answers[options.shell]({ words, breaks: options.breaks, find, context }));
      } catch {
        // Whoever presses the key wants a suggestion, not to hear why there is none.
      }
    });
};

interface Request {
  readonly words: readonly string[];
  readonly breaks: string;
  find(words: readonly string[]): Promise<Candidates>;
  readonly context: CliContext;
}

/** What each of the scripts expects to read. */
const answers: Readonly<Record<Shell, (request: Request) => Promise<string>>> = {
  /** Words as they are to stand in the line. */
  async bash({ words: [line = ""], breaks, find, context }) {
    const { words, quote, kept } = readBashLine(line, breaks);
    const typed = words.at(-1) ?? "";
    const found = await withPaths(await find(words.slice(1)), typed, context);
    return found
      .filter(({ value }) => value.startsWith(typed))
      .map(({ value }) => `${quoteForBash(value.slice(kept), quote)}\n`)
      .join("");
  },
  /** Which paths it is to add itself, in its user's own way; then words with descriptions. */
  async zsh({ words, find, context }) {
    const { words: found, paths } = await find(words);
    const how = paths === undefined ? "words" : paths.endings === undefined ? "directories" : "files";
    return `${[how, ...(paths?.endings ?? [])].join(" ")}\n${described(found, context)}`;
  },
  async fish({ words, find, context }) {
    return described(await withPaths(await find(words), words.at(-1) ?? "", context), context);
  },
};

async function withPaths(
  { words, paths }: Candidates,
  typed: string,
  { platform }: CliContext,
): Promise<readonly Candidate[]> {
  const found = paths === undefined ? [] : await listPaths(typed, paths, platform);
  return [...words, ...found].filter(isPrintable);
}

/** One that holds an end of a line or a tab can't be told on a line. */
const isPrintable = ({ value }: Candidate): boolean => cleanLine(value) === value;

const longestDescription = 80;

function described(candidates: readonly Candidate[], { terminal }: CliContext): string {
  const most = Math.min(longestDescription, terminal.columns);
  return candidates
    .filter(isPrintable)
    .map(({ value, description = "" }) => [value, cutToWidth(cleanLine(description), most)].filter(Boolean))
    .map((parts) => `${parts.join("\t")}\n`)
    .join("");
}
