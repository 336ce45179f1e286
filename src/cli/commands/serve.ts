import { Option } from "commander";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import type { HttpSettings, ServerSettings, Toolset } from "../../runs/server-settings.ts";
import { toolsets, usualToolsets } from "../../runs/server-settings.ts";
import { defined } from "../../util/defined.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import { type DotenvOptions, dotenvOption, takeDotenv } from "../options/dotenv-option.ts";
import { parseList } from "../options/parse-list.ts";
import { parseTime } from "../options/parse-time.ts";
import { parsePort, readServedDirectories, usualPort } from "../options/served-directories.ts";
import { refuse } from "../print-diagnostics.ts";

interface Options extends DotenvOptions {
  readonly workspace?: string;
  readonly root?: readonly string[];
  readonly toolsets: readonly Toolset[];
  readonly readOnly?: true;
  readonly inline: boolean;
  readonly allow: readonly string[];
  readonly unsafe: boolean;
  readonly expose: readonly string[];
  readonly http?: number | true;
  readonly host?: string;
  readonly allowHost?: readonly string[];
  readonly recover?: true;
  readonly drain?: number;
}

export const addServeCommand: AddCommand = (program, context, end) => {
  program
    .command("serve")
    .description("serve MCP clients, on standard input and output or over HTTP")
    .option("--workspace <dir>", "directory that runs work in (default: CLAUDE_PROJECT_DIR, else this one)")
    .option("--root <dir...>", "directories that a client may choose a workspace in (default: the workspace)")
    .addOption(
      new Option("--toolsets <names>", "which tools to offer, separated by commas")
        .argParser(parseList(toolsets))
        .default(usualToolsets, usualToolsets.join(",")),
    )
    .option("--read-only", "offer only tools that change nothing")
    .option("--no-inline", "run no workflow given as text, and none whose inputs decide which program runs")
    .addOption(
      new Option("--allow <names>", "workflows that --no-inline lets take commands, separated by commas")
        .argParser(parseList())
        .default([], "none"),
    )
    .option("--no-unsafe", "run nothing that says `unsafe: true`, in any workflow")
    .addOption(
      new Option("--expose <names>", "workflows that become tools of their own, separated by commas")
        .argParser(parseList())
        .default([], "those that say `expose: tool`"),
    )
    .addOption(
      new Option(
        "--http [port]",
        `serve over HTTP, at /mcp; ${usualPort} when no port is given, 0 for any that is free`,
      ).argParser(parsePort),
    )
    .option("--host <address>", "address to listen on with --http (default: 127.0.0.1, for this machine only)")
    .addOption(
      new Option("--allow-host <names>", "names, separated by commas, under which --http is reached as well").argParser(
        parseList(),
      ),
    )
    .option(
      "--recover",
      "with --http: go on with runs whose process is gone or whose time to wake has come, at the start and from then on",
    )
    .addOption(
      new Option(
        "--drain <time>",
        "with --http: let runs go on for so long, such as 10m, when told to end by SIGTERM or Ctrl-C; again ends it at once",
      ).argParser(parseTime),
    )
    .addOption(dotenvOption())
    .action(async (options: Options) => end(await serve(options, context)));
};

async function serve(options: Options, context: CliContext): Promise<number> {
  const { terminal, clientDirectory } = context;
  if (context.serve === undefined) throw new Error("This part of Frond has no server.");
  const refused = takeDotenv(options, false, context);
  if (refused !== undefined) return refused;
  const directories = readServedDirectories(
    { ...options, workspace: options.workspace ?? clientDirectory ?? "." },
    context,
  );
  if (!directories.ok) return refuse([directories.error], false, terminal);
  const http = httpSettings(options);
  if (!http.ok) return refuse([http.error], false, terminal);
  const settings: ServerSettings = {
    ...directories.value,
    toolsets: options.toolsets,
    isReadOnly: options.readOnly === true,
    allowsInline: options.inline,
    allowed: options.allow,
    allowsUnsafe: options.unsafe,
    exposed: options.expose,
    queuesRuns: http.value !== undefined && context.platform.dispatch !== undefined,
    ...defined({ http: http.value }),
  };
  const served = await context.serve(settings);
  return served.ok ? exitCodes.success : refuse([served.error], false, terminal);
}

function httpSettings({ http, host, allowHost, recover, drain }: Options): Result<HttpSettings | undefined, Problem> {
  if (http !== undefined) {
    const port = http === true ? usualPort : http;
    return ok({
      ports: [port],
      host: host ?? "127.0.0.1",
      allowedHosts: allowHost ?? [],
      recovers: recover === true,
      drainMs: drain ?? 0,
      joins: false,
    });
  }
  if (recover) {
    const fix = "Add --http; or run `frond recover`, which ends when the runs have.";
    return err(problem("usage", "--recover needs --http: any other server ends with its client.", fix));
  }
  const [stray] = Object.entries({ "--host": host, "--allow-host": allowHost, "--drain": drain }).flatMap(
    ([option, value]) => (value === undefined ? [] : [option]),
  );
  if (stray === undefined) return ok(undefined);
  return err(problem("usage", `${stray} has no meaning without --http.`, `Add --http, or leave ${stray} out.`));
}
