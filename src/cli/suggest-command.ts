import { didYouMean } from "../diagnostic/did-you-mean.ts";
import { quoteWord } from "../util/quote-word.ts";

/** Words that other programs have for what a command of ours does. */
const otherNames: Readonly<Record<string, string>> = {
  start: "run",
  exec: "run",
  execute: "run",
  ls: "list",
  workflows: "list",
  status: "show",
  inspect: "show",
  describe: "info",
  history: "runs",
  ps: "runs",
  log: "logs",
  tail: "logs",
  stop: "cancel",
  kill: "cancel",
  abort: "cancel",
  continue: "resume",
  answer: "resume",
  approve: "resume",
  retry: "rerun",
  restart: "rerun",
  check: "validate",
  lint: "validate",
  clean: "gc",
  prune: "gc",
  mcp: "serve",
  server: "serve",
};

/** What to type instead of a command that there is not. */
export function suggestCommand(name: string, known: readonly string[]): string | undefined {
  if (/\.ya?ml$/.test(name)) return `To run a file write \`frond run ${quoteWord(name, "posix")}\`.`;
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  if (other !== undefined && known.includes(other)) return `Did you mean '${other}'?`;
  return didYouMean(name, known);
}
