import { join } from "node:path";
import { Option } from "commander";
import { suggestName } from "../../diagnostic/did-you-mean.ts";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { type AddCommand, badDirectory, type CliContext, exitCodes } from "../context.ts";
import { type Launch, type McpClient, mcpClients } from "../mcp-clients.ts";
import { printJson, refuse } from "../print-diagnostics.ts";

interface Options {
  readonly npx?: true;
  readonly platform: string;
  readonly workspace?: string;
  readonly json?: true;
}

export const addMcpConfigCommand: AddCommand = (program, context, end) => {
  const names = mcpClients.map(({ name }) => name);
  program
    .command("mcp-config")
    .description("print the configuration that lets an MCP client start this Frond")
    .argument("<client>", names.join(", "))
    .argument("[args...]", "further arguments for `frond serve`, after --")
    .option("--npx", "let npx fetch the published package, instead of this installation")
    .option("--workspace <dir>", "directory that runs work in (default: the client's project)")
    .addOption(
      new Option("--platform <name>", "system the client runs on, with --npx")
        .choices(["linux", "darwin", "win32"])
        .default(context.installation.platform, "this one"),
    )
    .option("--json", "print one JSON document")
    .action((name: string, args: readonly string[], options: Options) => {
      const client = mcpClients.find((candidate) => candidate.name === name);
      const refused = (why: Problem): void => end(refuse([why], options.json === true, context.terminal));
      if (client === undefined)
        return refused(problem("unknown-client", `There is no client '${name}'.`, suggestName(name, names, "client")));
      const launch = describeLaunch(client, args, options, context);
      if (!launch.ok) return refused(launch.error);
      print(client, launch.value, options, context);
      end(exitCodes.success);
    });
};

function describeLaunch(
  client: McpClient,
  further: readonly string[],
  { npx, platform, workspace }: Options,
  { installation, packageRoot, platform: here }: CliContext,
): Result<Launch, Problem> {
  const isFetched = npx === true;
  const isHere = platform === installation.platform;
  if (!isHere && !isFetched) {
    const message = `The path of this installation means nothing on ${platform}.`;
    return err(problem("wrong-platform", message, "Add --npx for the published package."));
  }
  if (!isHere && client.needsWorkspace && workspace === undefined) {
    const message = `${client.title} starts servers in no project, so it has to be told of one.`;
    return err(problem("needs-workspace", message, "Add --workspace with a directory of that machine."));
  }
  const named = workspace ?? (client.needsWorkspace ? "." : undefined);
  // A directory of another machine can't be looked at.
  const real = named === undefined || !isHere ? undefined : here.realDirectory(named);
  if (real?.ok === false)
    return err({ ...badDirectory(real.error, "Give --workspace a directory that exists."), level: "error" });
  const directory = real?.value ?? named ?? client.workspaceVariable;
  const program = isFetched ? fetchedProgram(platform) : [installation.node, join(packageRoot, "dist", "main.js")];
  const [command = "", ...args] = [
    ...program,
    "serve",
    ...(directory === undefined ? [] : ["--workspace", directory]),
    ...further,
  ];
  return ok({ command, args, platform, isFetched });
}

/** On Windows npx is a script, which only a shell can start. */
function fetchedProgram(platform: string): readonly string[] {
  return [...(platform === "win32" ? ["cmd", "/c"] : []), "npx", "-y", "frond"];
}

function print(client: McpClient, launch: Launch, { json, platform }: Options, { terminal }: CliContext): void {
  const { name, title, format, asks } = client;
  const [file, config, add] = [client.file(platform), client.config(launch), client.add?.(launch)];
  if (json) {
    const { command, args } = launch;
    return printJson(
      { client: name, file, format, config, command, args, ...(add && { add }), ...(asks && { asks }) },
      terminal,
    );
  }
  if (typeof config === "string") terminal.write(config);
  else printJson(config, terminal);
  terminal.writeError(`For ${title}: this belongs in ${file}. Keep what else is in there.\n`);
  if (add !== undefined) terminal.writeError(`Or let it be added: ${add}\n`);
  if (asks !== undefined) terminal.writeError(`${asks}\n`);
}
