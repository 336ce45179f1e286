import { Option } from "commander";
import { paint } from "../../diagnostic/style.ts";
import type { ServerNews } from "../../runs/server-news.ts";
import { type ServerSettings, usualToolsets } from "../../runs/server-settings.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import { type DotenvOptions, dotenvOption, takeDotenv } from "../options/dotenv-option.ts";
import { parseList } from "../options/parse-list.ts";
import { parsePort, readServedDirectories, usualPort } from "../options/served-directories.ts";
import { countOf, refuse } from "../print-diagnostics.ts";
import { cleanLine } from "../text/visible-text.ts";

interface Options extends DotenvOptions {
  readonly workspace: string;
  readonly root?: readonly string[];
  readonly port?: number;
  readonly open: boolean;
  readonly readOnly?: true;
  readonly host: string;
  readonly allowHost: readonly string[];
  readonly recover?: true;
}

/** Where nobody names a port, the next one is tried when something else has it. */
const mostPorts = 10;

export const addUiCommand: AddCommand = (program, context, end) => {
  program
    .command("ui")
    .description(
      "open a web page that shows this project's runs and workflows, answers questions and takes things back",
    )
    .option("--workspace <dir>", "directory that runs work in", ".")
    .option("--root <dir...>", "directories whose runs are shown (default: the workspace)")
    .addOption(
      new Option(
        "--port <port>",
        `port to listen on, 0 for any that is free (default: ${usualPort}, or one of the next nine)`,
      ).argParser(parsePort),
    )
    .option("--no-open", "start no browser")
    .option("--read-only", "show everything, and change nothing")
    .option("--host <address>", "address to listen on; any but 127.0.0.1 lets other machines in", "127.0.0.1")
    .addOption(
      new Option("--allow-host <names>", "names, separated by commas, under which the page is reached as well")
        .argParser(parseList())
        .default([], "none"),
    )
    .option("--recover", "go on with runs whose process is gone or whose time to wake has come, as long as this runs")
    .addOption(dotenvOption())
    .action(async (options: Options) => end(await serveUi(options, context)));
};

async function serveUi(options: Options, context: CliContext): Promise<number> {
  const { terminal } = context;
  if (context.serve === undefined) throw new Error("This part of Frond has no server.");
  const refused = takeDotenv(options, false, context);
  if (refused !== undefined) return refused;
  const directories = readServedDirectories(options, context);
  if (!directories.ok) return refuse([directories.error], false, terminal);
  const { port, host, allowHost, recover } = options;
  const settings: ServerSettings = {
    ...directories.value,
    toolsets: usualToolsets,
    isReadOnly: options.readOnly === true,
    allowsInline: true,
    allowed: [],
    allowsUnsafe: true,
    exposed: [],
    http: {
      host,
      ports: port === undefined ? Array.from({ length: mostPorts }, (_, index) => usualPort + index) : [port],
      allowedHosts: allowHost,
      recovers: recover === true,
      drainMs: 0,
      joins: true,
    },
  };
  let showing: Promise<void> | undefined;
  const served = await context.serve(settings, (news) => {
    if (news.kind === "ended") terminal.write(describeEnd(news));
    else showing = showLink(news, directories.value.roots, options, context);
  });
  await showing;
  return served.ok ? exitCodes.success : refuse([served.error], false, terminal);
}

type Opened = Exclude<ServerNews, { kind: "ended" }>;

async function showLink(
  { kind, url, link }: Opened,
  roots: readonly string[],
  { open }: Options,
  { terminal, desktop }: CliContext,
): Promise<void> {
  const project = roots.map(cleanLine).join(", ");
  const is = kind === "opened" ? "is served at" : "is served already, by another process, at";
  terminal.write(`The page of ${paint(project, "bold", terminal.colour)} ${is} ${url}\n\n  ${link}\n\n`);
  const hasOpened = open && (await desktop.open(link));
  terminal.write(`${hasOpened ? "Your browser opens it." : howToOpen(url, desktop.remote)}\n`);
  terminal.write("The link lets one browser in, once, within ten minutes. For another, run `frond ui` again.\n");
  if (kind === "opened") terminal.write("Ctrl-C ends the page.\n");
}

function howToOpen(url: string, remote: string | undefined): string {
  if (remote === undefined) return "Open the link in a browser.";
  const { hostname, port } = new URL(url);
  return `Open the link in a browser of your own machine, after this command there:\n  ssh -L ${port}:${hostname}:${port} ${cleanLine(remote)}`;
}

/** What somebody has to know who has just ended it. */
function describeEnd({ left, asleep }: Extract<ServerNews, { kind: "ended" }>): string {
  const lines = ["", "The page is closed."];
  if (left.length > 0) {
    const were = left.length === 1 ? "was left where it is" : "were left where they are";
    lines.push(
      `${countOf(left.length, "run")} ${were}. Go on with:`,
      ...left.map((runId) => `  frond resume ${runId}`),
    );
  }
  if (asleep.length > 0) lines.push("Asleep until their time comes; then wake them with `frond recover`:");
  lines.push(...asleep.map((runId) => `  ${runId}`), "");
  return lines.join("\n");
}
