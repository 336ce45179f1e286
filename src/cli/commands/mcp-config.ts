import { join } from "node:path";
import { suggestName } from "../../diagnostic/did-you-mean.ts";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { type AddCommand, badDirectory, type CliContext, exitCodes } from "../context.ts";
import { type Launch, type McpClient, mcpClients } from "../mcp-clients.ts";
import { printJson, refuse } from "../print-diagnostics.ts";

interface LaunchOptions {
  readonly workspace?: string;
}

interface Options extends LaunchOptions {
  readonly json?: true;
}

export const addMcpConfigCommand: AddCommand = (program, context, end) => {
  const names = mcpClients.map(({ name }) => name);
  program
    .command("mcp-config")
    .description("print the configuration that lets an MCP client start this Frond")
    .argument("<client>", names.join(", "))
    .argument("[args...]", "further arguments for `frond serve`, after --")
    .option("--workspace <dir>", "directory that runs work in (default: the client's project)")
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

/** How a client starts a server. */
export function describeLaunch(
  client: McpClient,
  further: readonly string[],
  { workspace }: LaunchOptions,
  { installation, packageRoot, platform }: CliContext,
): Result<Launch, Problem> {
  const named = workspace ?? (client.needsWorkspace ? "." : undefined);
  const real = named === undefined ? undefined : platform.realDirectory(named);
  if (real?.ok === false)
    return err({ ...badDirectory(real.error, "Give --workspace a directory that exists."), level: "error" });
  const directory = real?.value ?? client.workspaceVariable;
  const args = [
    join(packageRoot, "dist", "main.js"),
    "serve",
    ...(directory === undefined ? [] : ["--workspace", directory]),
    ...further,
  ];
  return ok({ command: installation.node, args, platform: installation.platform });
}

function print(client: McpClient, launch: Launch, { json }: Options, { terminal }: CliContext): void {
  const { name, title, format, asks } = client;
  const [file, config, add] = [client.file(launch.platform), client.config(launch), client.add?.(launch)];
  if (json) {
    const { command, args } = launch;
    return printJson(
      { client: name, file, format, config, command, args, ...(add && { add }), ...(asks && { asks }) },
      terminal,
    );
  }
  if (typeof config === "string") terminal.write(config);
  else printJson(config, terminal);
  terminal.writeError(`For ${title}: this belongs in ${file}. Keep what the file has already.\n`);
  if (add !== undefined) terminal.writeError(`Or add it with: ${add}\n`);
  if (asks !== undefined) terminal.writeError(`${asks}\n`);
}
