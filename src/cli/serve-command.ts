import { Option } from "commander";
import type { ServerSettings, Toolset } from "../service/server-settings.ts";
import { toolsets } from "../service/server-settings.ts";
import { type AddCommand, badDirectory, type CliContext, exitCodes } from "./context.ts";
import { parseList } from "./parse-list.ts";
import { refuse } from "./print-diagnostics.ts";

interface Options {
  readonly workspace?: string;
  readonly root?: readonly string[];
  readonly toolsets: readonly Toolset[];
  readonly readOnly?: true;
  readonly inline: boolean;
  readonly unsafe: boolean;
  readonly expose: readonly string[];
}

export const addServeCommand: AddCommand = (program, context, end) => {
  program
    .command("serve")
    .description("serve MCP clients, on standard input and output")
    .option("--workspace <dir>", "directory that runs work in (default: CLAUDE_PROJECT_DIR, else this one)")
    .option("--root <dir...>", "directories that a client may choose a workspace in (default: the workspace)")
    .addOption(
      new Option("--toolsets <names>", "which tools to offer, separated by commas")
        .argParser(parseList(toolsets))
        .default(toolsets, toolsets.join(",")),
    )
    .option("--read-only", "offer only tools that change nothing")
    .option("--no-inline", "offer no tool that runs workflows given as text")
    .option("--no-unsafe", "run nothing that says `unsafe: true`, in any workflow")
    .addOption(
      new Option("--expose <names>", "workflows that become tools of their own, separated by commas")
        .argParser(parseList())
        .default([], "those that say `expose: tool`"),
    )
    .action(async (options: Options) => end(await serve(options, context)));
};

async function serve(options: Options, context: CliContext): Promise<number> {
  const { outside, terminal, clientDirectory } = context;
  if (context.serve === undefined) throw new Error("This part of Frond has no server.");
  const workspace = outside.realDirectory(options.workspace ?? clientDirectory ?? ".");
  if (!workspace.ok)
    return refuse([badDirectory(workspace.error, "Give --workspace a directory that exists.")], false, terminal);
  const roots: string[] = [];
  for (const path of options.root ?? [workspace.value]) {
    const root = outside.realDirectory(path);
    if (!root.ok) return refuse([badDirectory(root.error, "Give --root a directory that exists.")], false, terminal);
    roots.push(root.value);
  }
  const settings: ServerSettings = {
    workspace: workspace.value,
    roots,
    toolsets: options.toolsets,
    isReadOnly: options.readOnly === true,
    allowsInline: options.inline,
    allowsUnsafe: options.unsafe,
    exposed: options.expose,
  };
  await context.serve(settings);
  return exitCodes.success;
}
