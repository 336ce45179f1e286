import { availableParallelism } from "node:os";
import { Option } from "commander";
import { type AddCommand, type CliContext, exitCodes, openWorkspace } from "../context.ts";
import { type DotenvOptions, dotenvOption, takeDotenv } from "../options/dotenv-option.ts";
import { parseCount } from "../options/parse-count.ts";
import { parseLabels } from "../options/parse-labels.ts";
import { parseList } from "../options/parse-list.ts";
import { parseTime } from "../options/parse-time.ts";
import { parsePort, usualPort } from "../options/served-directories.ts";
import { countOf, refuse } from "../print-diagnostics.ts";

interface Options extends DotenvOptions {
  readonly labels: readonly string[];
  readonly concurrency?: number;
  readonly drain: number;
  readonly workspace: string;
  readonly http?: number | true;
  readonly host: string;
  readonly allowHost: readonly string[];
}

const usualDrainMs = 30_000;

export const addWorkerCommand: AddCommand = (program, context, end) => {
  program
    .command("worker")
    .description("drive runs that wait for a worker, with others that use the same FROND_DATABASE_URL")
    .addOption(
      new Option(
        "--labels <names>",
        "what this worker can do, five labels at most, separated by commas: it takes runs that ask for some of it",
      )
        .argParser(parseLabels)
        .default([], "none"),
    )
    .addOption(
      new Option(
        "--concurrency <n>",
        "how many runs it drives at the same time (default: one for each processor)",
      ).argParser(parseCount),
    )
    .addOption(
      new Option(
        "--drain <time>",
        "how long its runs may go on when it is told to end by SIGTERM or Ctrl-C; again ends it at once",
      )
        .argParser(parseTime)
        .default(usualDrainMs, "30s"),
    )
    .option("--workspace <dir>", "directory whose workflows it starts when their `schedule` says so", ".")
    .addOption(
      new Option(
        "--http [port]",
        `tell at /healthz and /metrics how it is; ${usualPort} when no port is given, 0 for any that is free`,
      ).argParser(parsePort),
    )
    .option("--host <address>", "address to listen on with --http", "127.0.0.1")
    .addOption(
      new Option("--allow-host <names>", "names, separated by commas, under which --http is reached as well")
        .argParser(parseList())
        .default([], "none"),
    )
    .addOption(dotenvOption())
    .action(async (options: Options) => end(await work(options, context)));
};

async function work(options: Options, context: CliContext): Promise<number> {
  const { terminal } = context;
  if (context.work === undefined) throw new Error("This part of Frond has no worker.");
  const refused = takeDotenv(options, false, context);
  if (refused !== undefined) return refused;
  const opened = openWorkspace(options.workspace, context);
  if (!opened.ok) return refuse(opened.error, false, terminal);
  const [drain, now] = [new AbortController(), new AbortController()];
  const stopListening = context.onInterrupt(() => (drain.signal.aborted ? now : drain).abort());
  const settings = {
    workspace: opened.value.workspace,
    labels: options.labels,
    slots: options.concurrency ?? availableParallelism(),
    drainMs: options.drain,
    ...(options.http === undefined
      ? {}
      : {
          http: {
            host: options.host,
            port: options.http === true ? usualPort : options.http,
            allowedHosts: options.allowHost,
          },
        }),
  };
  const worked = await context.work(settings, { drain: drain.signal, now: now.signal });
  stopListening();
  if (!worked.ok) return refuse([worked.error], false, terminal);
  const left = worked.value.length;
  if (left > 0) terminal.writeError(`${countOf(left, "run")} ${left === 1 ? "was" : "were"} left to other workers.\n`);
  return exitCodes.success;
}
