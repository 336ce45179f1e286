import { nearestName } from "../diagnostic/did-you-mean.ts";
import { quoteWord } from "../util/quote-word.ts";

/** Words that other programs have for something, and what does it here. */
interface Meant {
  readonly words: readonly string[];
  readonly answer: string;
}

const meanings: readonly Meant[] = [
  {
    words: ["start", "exec", "execute", "launch", "trigger", "invoke", "go"],
    answer: "`frond run NAME` runs a workflow.",
  },
  {
    words: ["retry", "restart", "repeat", "replay", "again"],
    answer: "`frond rerun RUN` makes a new run of it, which reuses the results that are still right.",
  },
  {
    words: ["continue", "answer", "respond", "reply", "approve", "confirm", "proceed"],
    answer: "`frond resume RUN` answers what a run asks, or goes on with one whose process is gone.",
  },
  { words: ["stop", "kill", "abort", "terminate", "end", "quit"], answer: "`frond cancel RUN` ends a run." },
  {
    words: ["pause", "suspend", "hold"],
    answer: "No command pauses a run: it pauses where a Prompt block asks. `frond cancel RUN` ends it.",
  },
  {
    words: ["status", "inspect", "view", "get", "result", "results", "output", "outputs", "report"],
    answer: "`frond show RUN` shows a run.",
  },
  { words: ["diff", "files", "changed", "patch"], answer: "`frond changes RUN` shows what a run changed." },
  { words: ["history", "ps", "jobs", "executions"], answer: "`frond runs` lists the runs." },
  {
    words: ["watch", "fg", "foreground", "reattach", "join"],
    answer: "`frond attach RUN` watches a run that another process drives.",
  },
  {
    words: ["detach", "background", "bg", "nohup", "disown"],
    answer: "`frond run NAME --detach` runs a workflow in the background; `frond attach RUN` watches it.",
  },
  {
    words: ["log", "tail", "follow", "stdout"],
    answer: "`frond logs RUN` shows what its blocks write, -f as it comes.",
  },
  { words: ["ls", "workflows", "search", "find"], answer: "`frond list` lists the workflows." },
  { words: ["describe", "explain", "inputs"], answer: "`frond info NAME` describes a workflow." },
  { words: ["check", "lint", "verify"], answer: "`frond validate FILE` checks a workflow." },
  {
    words: ["preview", "simulate", "dry-run"],
    answer: "`frond run NAME --dry-run` shows what a run would do; `frond graph FILE` draws the plan.",
  },
  {
    words: ["create", "new", "add", "write", "generate", "scaffold", "bootstrap"],
    answer: "`frond init` makes a first workflow; `frond save FILE` checks one and keeps it for this project.",
  },
  {
    words: ["register", "publish", "install", "import"],
    answer: "`frond save FILE` checks a workflow and keeps it for this project.",
  },
  {
    words: ["edit", "update", "change"],
    answer: "Workflows are files: edit one, then `frond save FILE --overwrite` or `frond trust`.",
  },
  {
    words: ["delete", "remove", "rm"],
    answer: "A workflow goes with its file. `frond gc` removes runs that have ended, `frond cancel RUN` ends one.",
  },
  { words: ["clean", "cleanup", "prune", "purge"], answer: "`frond gc` removes old runs." },
  {
    words: ["redo"],
    answer: "`frond undo RUN` of a run that undid another does that again; `frond rerun RUN` makes a new run.",
  },
  {
    words: ["rollback", "revert", "restore", "reset"],
    answer: "`frond undo RUN` takes back what a run did; it shows first what comes back, and asks.",
  },
  {
    words: ["cron", "crontab", "every", "at", "timer"],
    answer: "`frond schedule NAME '0 3 * * *'` has cron, systemd or launchd run a workflow at certain times.",
  },
  { words: ["mcp", "server", "daemon", "up"], answer: "`frond serve` is the server for MCP clients." },
  {
    words: ["config", "configure", "setup"],
    answer:
      "`frond init` sets up a project, `frond mcp-config CLIENT` prints what a client needs, `frond doctor` looks at this machine.",
  },
  {
    words: ["allow", "untrust", "distrust"],
    answer: "`frond trust` trusts the workflows of a project, `frond trust --remove` takes that back.",
  },
  {
    words: ["completions", "autocomplete", "autocompletion"],
    answer: "`frond completion SHELL` prints the script for bash, zsh or fish.",
  },
  { words: ["tests", "spec"], answer: "`frond test` runs the tests of workflows." },
  { words: ["version"], answer: "`frond --version` prints it." },
];

/** What to type instead of a command that there is not. A word that means something is never guessed by its letters. */
export function suggestCommand(name: string, known: readonly string[]): string | undefined {
  if (/\.ya?ml$/.test(name)) return `To run a file write \`frond run ${quoteWord(name, "posix")}\`.`;
  const meant = meanings.find(({ words }) => words.includes(name.toLowerCase()));
  if (meant !== undefined) return meant.answer;
  const nearest = nearestName(name, known);
  return nearest === undefined ? undefined : `Did you mean '${nearest}'?`;
}
