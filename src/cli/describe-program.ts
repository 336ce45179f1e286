import type { Argument, Command, Option } from "commander";
import { table } from "../util/markdown-table.ts";
import { exitCodes } from "./context.ts";

/** The command line as a page of Markdown, made from the program itself so that the two can't differ. */
export function describeProgram(program: Command): string {
  const help = program.createHelp();
  const commands = help.visibleCommands(program).filter((command) => command.name() !== "help");
  return [
    `# The \`${program.name()}\` command`,
    program.description(),
    "What a command gives goes to stdout, what is wrong with its arguments or a workflow to stderr. Every command that comes to an end takes `--json`: it then prints one JSON document to stdout, also when it refuses the arguments. `serve`, `ui` and `worker` go on until they are told to end; what they log is a JSON document on each line where stderr is no terminal.",
    "`frond run` draws the tree of the run on a terminal and asks below it what the workflow asks, from the moment it is asked, while other blocks go on; Esc leaves a question for later. In a pipe it prints a line for each thing that happens and what commands write, each line behind the block that wrote it (`build | ...`), and a question ends it as paused. `--logs` says how much of that: `failed` holds the output of a block back until it has failed, `none` leaves it out, `all` (or `-v`) shows it on a terminal too, above the tree. With `--json` only the document goes to stdout; `-v` then puts the output on stderr. The end of a failed block's output stands once more in the result, unless it is still in sight. A reader that is slow, or goes away, holds up nothing. In CI: [ci.md](ci.md). `FAILED` there means that a block ran and failed, `TIMEOUT` and `STOPPED` that it was ended early, `LOST` that Frond ended while it ran, `CRASHED` that it could not run. Ctrl-C or SIGTERM cancels: running blocks are told to stop and get a few seconds for it. A second one kills them. At a question in a run of which nothing else goes on they leave it paused: it can be answered at any later time, by `frond resume`. A closed terminal or a lost connection (SIGHUP) does not cancel: running blocks are stopped, the run stays as it is, and `frond resume` goes on with it. A command with no stream at a terminal, as under `nohup`, goes on. With `--detach` a process in the background drives the run, and `frond attach` watches it.",
    "`--dotenv`, or `--env-file`, reads variables for commands from a file of `NAME=value` lines, as Node reads them; `FROND_SECRET_NAME` in it is the secret NAME. A later file wins over an earlier one, and the environment over all of them. Nothing of it is recorded: a run that another process goes on with, by `resume`, `recover` or a server, has the variables of that process, so give it the file again. Settings of Frond itself (below) are read from the environment alone; a command with `env_policy: clean` gets none of the variables.",
    "A run is named by its id, by a beginning of it that no other has (`run_` may be left out), by the id of one of its checkpoints, or as `last` for the newest of the directory you are in that is not itself an undo. Listing runs and looking at them never starts anything.",
    table(
      ["command", "what it does"],
      commands.map((command) => [`[\`${command.name()}\`](#${anchor(command)})`, command.description()]),
    ),
    ...commands.map((command) => describeCommand(command)),
    "## Completion",
    completionText,
    "## Exit codes",
    table(
      ["code", "meaning"],
      Object.entries(exitCodes).map(([name, code]) => [String(code), exitMeanings[name as keyof typeof exitCodes]]),
    ),
    "## Environment variables",
    `${table(["variable", "meaning"], environmentVariables)}\n`,
  ].join("\n\n");
}

const completionText = `bash, zsh and fish complete commands, options and their values, workflows, files, runs, blocks of a run, inputs with the values they may have, checkpoints and tags. Save the script once; its first lines say the same:

\`\`\`sh
# bash, with the package bash-completion; without it add \`source <(frond completion bash)\` to ~/.bashrc
mkdir -p ~/.local/share/bash-completion/completions
frond completion bash > ~/.local/share/bash-completion/completions/frond
# zsh, with \`fpath=(~/.zfunc $fpath)\` before compinit in ~/.zshrc
mkdir -p ~/.zfunc
frond completion zsh > ~/.zfunc/_frond
# fish
mkdir -p ~/.config/fish/completions
frond completion fish > ~/.config/fish/completions/frond.fish
\`\`\`

Of runs the newest 20 of this directory are suggested, \`last\` before them; those of other directories where there are none here, or none that begin with what is typed. zsh and fish say beside each its workflow, how it stands and how old it is.

What is suggested is asked of Frond itself, so it is always that of the version you have. Asking writes nothing, trusts nothing and starts nothing.`;

const exitMeanings: Record<keyof typeof exitCodes, string> = {
  success: "success",
  failure: "the workflow failed, or a block of it could not run",
  invalid: "invalid usage, input or definition; nothing was run",
  paused: "the run waits for an answer and there was nobody to ask",
  unwatched:
    "a run that others drive could not be watched any more, because the database was away for a minute; the run goes on",
  hungUp: "the terminal was closed; the run stays as it is, and `frond resume` goes on with it",
  cancelled: "cancelled, with Ctrl-C, SIGTERM or `frond cancel`",
};

const environmentVariables: readonly (readonly [string, string])[] = [
  [
    "`FROND_STATE_DIR`",
    "Where Frond keeps runs, their logs and which files of projects are trusted: an absolute path. Default: `frond` in `$XDG_STATE_HOME` or `~/.local/state`.",
  ],
  [
    "`FROND_HOST`",
    "What workers call this machine, for runs whose files lie on it; it must stay the same over a restart. Default: the name that the system has.",
  ],
  [
    "`FROND_WORKSPACES_DIR`",
    "Where a worker makes the workspaces of runs whose workflow has `workspace`: an absolute path, not in the state directory. Default: `frond-workspaces` beside that.",
  ],
  [
    "`FROND_MAX_PROCESSES`",
    "How many commands may run at the same time, over everything this process runs. Default: four for each processor.",
  ],
  [
    "`FROND_SLOTS`",
    "Whether commands are started by small processes that Frond keeps for it, which needs Linux and Perl: `0` never, `1` from the first command on. Default: once enough commands have come that it costs less.",
  ],
  [
    "`FROND_MAX_UNDO_MB`",
    "How much a run may keep of what files held before it changed them. Beyond it files are changed, but can't be put back. Default: 2000.",
  ],
  [
    "`FROND_RETENTION_DAYS`, `FROND_RETENTION_GB`",
    "How long runs that have ended are kept, and how much space the journal, all logs, workspaces that were made for runs and what is kept for undo may take before the oldest of them go. Looked at once a day, and by `frond gc`. Default: 30 and 5.",
  ],
  [
    "`FROND_PRICES_FILE`",
    "A file with prices of models, which go before those that Frond knows. Default: `~/.frond/prices.yaml`, if it is there. See [models.md](models.md).",
  ],
  [
    "`FROND_SANDBOX_READ`",
    "Directories of your home that commands in a sandbox may read: absolute paths, or starting with `~`, separated by colons. Those on PATH they may read anyway.",
  ],
  [
    "`FROND_BROWSER`, `FROND_PLAYWRIGHT`, `FROND_BROWSER_SANDBOX`",
    "The program of Chrome or Chromium, and the directory of playwright-core, for blocks of the type Browser: absolute paths. `off` starts the browser without its sandbox. See [browser.md](browser.md).",
  ],
  [
    "`FROND_DATABASE_URL`",
    "A database of PostgreSQL that several machines share, `postgres://USER:PASSWORD@HOST/DATABASE`: the journal is there instead of in the state directory. Needs the package pg: `npm install pg@8` where Frond is installed, or `FROND_PG`, its directory. Not passed on to commands.",
  ],
  [
    "`FROND_DATABASE_URL_FILE`",
    "A file that has that address, for where variables can be read by others, such as a crontab: `frond schedule` passes it on. Only its owner may read it (mode 600).",
  ],
  [
    "`FROND_SECRET_NAME`",
    "The secret NAME, for `${secrets.NAME}` in workflows; else WORKFLOW_SECRET_NAME. Not passed on to commands.",
  ],
  [
    "`FROND_BUDGET_USD`",
    "What a run may cost in US dollars when neither its workflow nor `--budget` says it. See [budgets.md](budgets.md). Default: no limit.",
  ],
  ["`FROND_MAX_DEPTH`", "How deep workflows may call each other. Default: 50."],
  ["`FROND_MAX_NODES`", "How many blocks and loop elements a run may have. Default: 100,000."],
  ["`FROND_MAX_RECORDED_MB`", "How much a run may record of inputs and outputs, in MB. Default: 256."],
  [
    "`WORKFLOWS_TEMPLATE_PATHS`",
    "Further directories with workflows: absolute paths, or starting with `~`, separated by commas.",
  ],
  [
    "`CI`, `GITHUB_ACTIONS`, `GITHUB_STEP_SUMMARY`",
    "Set by CI: nothing is drawn and nobody is asked; in GitHub Actions there are groups, annotations and a summary of the step. See [ci.md](ci.md).",
  ],
  [
    "`NO_COLOR`",
    "When set, nothing is coloured. `FORCE_COLOR` colours even in a pipe; `TERM=dumb` means no colour and no drawing.",
  ],
];

function describeCommand(command: Command): string {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter((option) => option.long !== "--help");
  return [
    `## ${title(command)}`,
    sentence(command.description()),
    `\`\`\`\n${help.commandUsage(command)}\n\`\`\``,
    ...(command.registeredArguments.length === 0
      ? []
      : [table(["argument", "meaning"], command.registeredArguments.map(describeArgument))]),
    ...(options.length === 0 ? [] : [table(["option", "meaning"], options.map(describeOption))]),
  ].join("\n\n");
}

function title(command: Command): string {
  return `frond ${command.name()}`;
}

function anchor(command: Command): string {
  return title(command).replaceAll(" ", "-");
}

function describeArgument(argument: Argument): string[] {
  const name = `\`${argument.name()}${argument.variadic ? "..." : ""}\``;
  return [name, `${argument.description}${describeDefault(argument.defaultValue, argument.defaultValueDescription)}`];
}

function describeOption(option: Option): string[] {
  return [
    `\`${option.flags}\``,
    `${option.description}${describeDefault(option.defaultValue, option.defaultValueDescription)}`,
  ];
}

function describeDefault(value: unknown, description: string | undefined): string {
  if (value === undefined) return "";
  return ` (default: ${description ?? `\`${String(value)}\``})`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
