import { Command, CommanderError } from "commander";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { describeBlockTypes } from "../library/describe-blocks.ts";
import { describeKeys, languageKeys } from "../library/describe-keys.ts";
import { explainFailure } from "../runs/explain-failure.ts";
import { testKeys } from "../testing/test-keys.ts";
import { addAttachCommand } from "./commands/attach.ts";
import { addCancelCommand } from "./commands/cancel.ts";
import { addChangesCommand } from "./commands/changes.ts";
import { addCheckpointsCommand } from "./commands/checkpoints.ts";
import { addCompleteCommand } from "./commands/complete.ts";
import { addCompletionCommand } from "./commands/completion.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addDriveCommand } from "./commands/drive.ts";
import { addGcCommand } from "./commands/gc.ts";
import { addGraphCommand } from "./commands/graph.ts";
import { addInfoCommand } from "./commands/info.ts";
import { addInitCommand } from "./commands/init.ts";
import { addListCommand } from "./commands/list.ts";
import { addLogsCommand } from "./commands/logs.ts";
import { addMcpConfigCommand } from "./commands/mcp-config.ts";
import { addPlanCommand } from "./commands/plan.ts";
import { addRecoverCommand } from "./commands/recover.ts";
import { addRerunCommand } from "./commands/rerun.ts";
import { addResumeCommand } from "./commands/resume.ts";
import { addRunCommand } from "./commands/run.ts";
import { addRunsCommand } from "./commands/runs.ts";
import { addSaveCommand } from "./commands/save.ts";
import { addScheduleCommand } from "./commands/schedule.ts";
import { addSchemaCommand } from "./commands/schema.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addShowCommand } from "./commands/show.ts";
import { addTestCommand } from "./commands/test.ts";
import { addTrustCommand } from "./commands/trust.ts";
import { addUiCommand } from "./commands/ui.ts";
import { addUndoCommand } from "./commands/undo.ts";
import { addValidateCommand } from "./commands/validate.ts";
import { addWorkerCommand } from "./commands/worker.ts";
import { completeCommand } from "./completion/completion-scripts.ts";
import { type AddCommand, type CliContext, exitCodes } from "./context.ts";
import { describeProgram } from "./describe-program.ts";
import { suggestOption } from "./options/suggest-option.ts";
import { printJson, refuse } from "./print-diagnostics.ts";
import { suggestCommand } from "./suggest-command.ts";

/** By name, in the order of the help. */
const commands: ReadonlyMap<string, AddCommand> = new Map([
  ["init", addInitCommand],
  ["run", addRunCommand],
  ["plan", addPlanCommand],
  ["ui", addUiCommand],
  ["serve", addServeCommand],
  ["worker", addWorkerCommand],
  ["mcp-config", addMcpConfigCommand],
  ["attach", addAttachCommand],
  ["resume", addResumeCommand],
  ["cancel", addCancelCommand],
  ["recover", addRecoverCommand],
  ["rerun", addRerunCommand],
  ["undo", addUndoCommand],
  ["runs", addRunsCommand],
  ["show", addShowCommand],
  ["logs", addLogsCommand],
  ["changes", addChangesCommand],
  ["checkpoints", addCheckpointsCommand],
  ["schedule", addScheduleCommand],
  ["gc", addGcCommand],
  ["validate", addValidateCommand],
  ["test", addTestCommand],
  ["save", addSaveCommand],
  ["list", addListCommand],
  ["info", addInfoCommand],
  ["graph", addGraphCommand],
  ["schema", addSchemaCommand],
  ["trust", addTrustCommand],
  ["doctor", addDoctorCommand],
  ["completion", addCompletionCommand],
  // Hidden: what --detach starts, and what only the generator of the documentation needs.
  ["drive", addDriveCommand],
  ["docs", addDocsCommand],
  [completeCommand, addCompleteCommand],
]);

/** Those that look at all the others, and that nobody types. */
const hiddenCommands: readonly string[] = ["drive", "docs", completeCommand];

/** Parses the arguments and runs the command they name. Resolves to the exit code, when everything written has been read. */
export async function runCommandLine(args: readonly string[], context: CliContext): Promise<number> {
  const { terminal } = context;
  const exitCode = await parseAndRun(args, context);
  const problem = await terminal.flush(context.serve === undefined ? undefined : serverPatienceMs);
  if (problem === undefined) return exitCode;
  terminal.writeError(`error: The output could not be written: ${problem}\n`);
  return exitCode === exitCodes.success ? exitCodes.failure : exitCode;
}

/** Whoever starts a server need not read what it says, and is to see its end all the same. */
const serverPatienceMs = 500;

async function parseAndRun(args: readonly string[], context: CliContext): Promise<number> {
  let exitCode: number = exitCodes.success;
  const program = createProgram(commandsFor(args), context, (code) => {
    exitCode = code;
  });
  if (args.length === 0) {
    program.outputHelp({ error: true });
    return exitCodes.invalid;
  }
  const unhelped = args[0] === "help" ? args[1] : undefined;
  if (unhelped !== undefined && !unhelped.startsWith("-") && !commands.has(unhelped)) {
    return refuse([unknownCommand(unhelped)], args.includes("--json"), context.terminal);
  }
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    const failure = explainFailure(error);
    if (failure !== undefined) {
      refuse([failure], args.includes("--json"), context.terminal);
      return exitCodes.failure;
    }
    if (!(error instanceof CommanderError)) return admitBug(error, args, context);
    return error.exitCode === 0 ? exitCodes.success : refuseUsage(error, args, program, context);
  }
  return exitCode;
}

function unknownCommand(name: string): Diagnostic {
  const meant = suggestCommand(
    name,
    [...commands.keys()].filter((known) => !hiddenCommands.includes(known)),
  );
  const fix = [...(meant === undefined ? [] : [meant]), "See `frond --help`."].join(" ");
  return { code: "usage", level: "error", message: `Unknown command '${name}'.`, fix };
}

/** The arguments could not be understood, so whether JSON was asked for is told by their text alone. */
function refuseUsage(error: CommanderError, args: readonly string[], program: Command, context: CliContext): number {
  if (error.code === "commander.unknownCommand") {
    const name = args.find((argument) => !argument.startsWith("-")) ?? "";
    return refuse([unknownCommand(name)], args.includes("--json"), context.terminal);
  }
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const message = `${first.charAt(0).toUpperCase()}${first
    .slice(1)
    .replace(/[.]?$/, ".")
    .replace(/[?][.]$/, "?")}`;
  const command = program.commands.find((candidate) => candidate.name() === args[0]);
  const help = `See \`frond ${command === undefined ? "" : `${command.name()} `}--help\`.`;
  const suggestion = rest
    .join(" ")
    .trim()
    .replace(/^\((.*)\)$/, "$1");
  const advice = (command && adviseOnUsage(error, args, command)) ?? suggestion;
  const fix = advice === "" ? help : `${advice} ${help}`;
  return refuse([{ code: "usage", level: "error", message, fix }], args.includes("--json"), context.terminal);
}

/** What to write instead, where that can be told without guessing by letters. */
function adviseOnUsage(
  { code, message }: CommanderError,
  args: readonly string[],
  command: Command,
): string | undefined {
  switch (code) {
    case "commander.excessArguments": {
      const pair = args.find((argument) => /^\w+=/.test(argument));
      return pair === undefined ? undefined : `To give an input write \`--input ${pair}\`.`;
    }
    case "commander.missingArgument":
      return `Write \`frond ${command.name()} ${argumentsOf(command)}\`.`;
    case "commander.unknownOption": {
      const [, option = ""] = /'(.+)'/.exec(message) ?? [];
      return suggestOption(
        option,
        command.options.flatMap(({ long }) => long ?? []),
      );
    }
  }
  return undefined;
}

/** As the help shows them: `<run> [block]`. */
function argumentsOf(command: Command): string {
  return command
    .usage()
    .replace(/^\[options\] ?/, "")
    .trim();
}

/** Whoever reads --json gets a document even then; the stack is for whoever mends it. */
function admitBug(error: unknown, args: readonly string[], { terminal }: CliContext): number {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  terminal.writeError(`${stack ?? message}\n`);
  const fix = "Please report it, with the lines above.";
  const problem = { code: "internal-error", level: "error", message: `Frond itself failed: ${message}`, fix } as const;
  refuse([problem], args.includes("--json"), terminal);
  return exitCodes.failure;
}

/** Only the one that is named, because making all of them is a good part of the time a short command takes; all for their help. */
function commandsFor([name = ""]: readonly string[]): Iterable<AddCommand> {
  const named = hiddenCommands.includes(name) ? undefined : commands.get(name);
  return named === undefined ? commands.values() : [named];
}

/** With every command, also the hidden ones, for whoever looks at them all. */
export function createWholeProgram(context: CliContext): Command {
  return createProgram(commands.values(), context, () => {});
}

function createProgram(added: Iterable<AddCommand>, context: CliContext, end: (code: number) => void): Command {
  const { terminal } = context;
  // Errors are said in one place, where it is known whether JSON was asked for.
  const output = { writeOut: terminal.write, writeErr: terminal.writeError, outputError: () => {} };
  const program = new Command("frond")
    .description("Runs workflows that agents and developers can trust.")
    .version(context.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput(output)
    .addHelpText("after", exitCodeHelp);
  for (const add of added) add(program, context, end);
  // Commands made before this point copy nothing from the program, so each is told not to end the process itself.
  for (const command of program.commands)
    command.exitOverride().configureOutput(output).helpOption("-h, --help", "show help");
  return program;
}

const exitCodeHelp = `
Exit codes: 0 success, 1 failure, 2 invalid input or definition, 3 paused, 4 no longer watched, 129 terminal closed, 130 cancelled.`;

/** Prints what docs/cli.md is made of, with all the commands of the program. */
function addDocsCommand(program: Command, { terminal, openRuntime, readExample }: CliContext): void {
  const docs = program.command("docs", { hidden: true }).description("print a page of the documentation");
  docs.command("cli").action(() => terminal.write(describeProgram(program)));
  docs.command("blocks").action(() => {
    const { catalog } = openRuntime(".").workflows;
    terminal.write(describeBlockTypes(catalog, readExample));
  });
  docs.command("keys").action(() => {
    const { catalog } = openRuntime(".").workflows;
    const tables = {
      "docs/language.md": describeKeys(languageKeys, catalog),
      "docs/testing.md": describeKeys(testKeys, catalog),
    };
    printJson(tables, terminal);
  });
}
