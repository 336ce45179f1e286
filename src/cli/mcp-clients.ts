import { printableJson } from "../util/printable-json.ts";
import { quoteWord } from "../util/quote-word.ts";

/** The command that starts a server. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Of the system it is started on, as Node names it. */
  readonly platform: string;
}

/** A program that starts MCP servers: how it is told of one. */
export interface McpClient {
  readonly name: string;
  readonly title: string;
  readonly format: "json" | "toml";
  /** What it puts for the directory of the project, where it does; else a server works in the directory it is started in. */
  readonly workspaceVariable?: string;
  /** It starts servers in no directory of use. */
  readonly needsWorkspace?: true;
  /** Its file in a project, where it reads one. */
  readonly project?: ProjectFile;
  file(platform: string): string;
  /** What that file has to hold: data where it is JSON, else text. */
  config(launch: Launch): object | string;
  /** The command that writes it there, where the client has one that can write all of it. */
  add?(launch: Launch): string;
  /** What it asks its user before a workflow can be run. */
  readonly asks?: string;
}

export interface ProjectFile {
  readonly path: string;
  /** Names in the directory of a project that tell that somebody uses the client there. */
  readonly marks: readonly string[];
}

const serverName = "frond";

const projectOr = (project: string, user: string): string => `${project} in the project, or ${user} for all of them`;

function words(...all: readonly string[]): (launch: Launch) => string {
  return ({ command, args, platform }) =>
    [...all, ...[command, ...args].map((word) => quoteWord(word, platform))].join(" ");
}

const plainEntry = ({ command, args }: Launch): object => ({ command, args });
const typedEntry = (launch: Launch): object => ({ type: "stdio", ...plainEntry(launch) });

export const mcpClients: readonly McpClient[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    format: "json",
    project: { path: ".mcp.json", marks: [".mcp.json", ".claude", "CLAUDE.md"] },
    file: () => projectOr(".mcp.json", "~/.claude.json"),
    config: (launch) => ({ mcpServers: { [serverName]: typedEntry(launch) } }),
    add: words("claude mcp add --scope project", serverName, "--"),
    asks: "When it starts in the project, Claude Code asks whether to use what .mcp.json names.",
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    format: "json",
    needsWorkspace: true,
    file: (platform) => desktopFiles[platform] ?? "~/.config/Claude/claude_desktop_config.json",
    config: (launch) => ({ mcpServers: { [serverName]: plainEntry(launch) } }),
  },
  {
    name: "cursor",
    title: "Cursor",
    format: "json",
    workspaceVariable: "${workspaceFolder}",
    project: { path: ".cursor/mcp.json", marks: [".cursor", ".cursorrules"] },
    file: () => projectOr(".cursor/mcp.json", "~/.cursor/mcp.json"),
    config: (launch) => ({ mcpServers: { [serverName]: typedEntry(launch) } }),
  },
  {
    name: "vscode",
    title: "VS Code",
    format: "json",
    workspaceVariable: "${workspaceFolder}",
    project: { path: ".vscode/mcp.json", marks: [".vscode"] },
    file: () => `${projectOr(".vscode/mcp.json", "mcp.json of the user profile")} (MCP: Open User Configuration)`,
    config: (launch) => ({ servers: { [serverName]: typedEntry(launch) } }),
    add: (launch) =>
      `code --add-mcp ${quoteWord(JSON.stringify({ name: serverName, ...typedEntry(launch) }), launch.platform)}`,
  },
  {
    name: "codex",
    title: "Codex",
    format: "toml",
    project: { path: ".codex/config.toml", marks: [".codex", "AGENTS.md"] },
    file: () => "~/.codex/config.toml, or .codex/config.toml in a project that Codex trusts",
    config: writeToml,
    asks: 'Codex asks before it runs a workflow; `codex exec` refuses instead, unless you add default_tools_approval_mode = "approve".',
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    format: "json",
    project: { path: ".gemini/settings.json", marks: [".gemini", "GEMINI.md"] },
    file: () => projectOr(".gemini/settings.json", "~/.gemini/settings.json"),
    config: (launch) => ({ mcpServers: { [serverName]: plainEntry(launch) } }),
    add: addToGemini,
    asks: "Gemini CLI starts servers only in folders that you trust: it asks when it starts in another.",
  },
  {
    name: "opencode",
    title: "opencode",
    format: "json",
    project: { path: "opencode.json", marks: ["opencode.json", ".opencode"] },
    file: () => projectOr("opencode.json", "~/.config/opencode/opencode.json"),
    config: ({ command, args }) => ({ mcp: { [serverName]: { type: "local", command: [command, ...args] } } }),
  },
];

const desktopFiles: Readonly<Record<string, string>> = {
  darwin: "~/Library/Application Support/Claude/claude_desktop_config.json",
  win32: "%APPDATA%\\Claude\\claude_desktop_config.json",
};

/**
 * It gives up on a call after 300 seconds, and then says no more than when its user interrupts it, which ends the run. So it is to
 * have more patience than a call can ask for.
 */
const callSeconds = 660;
/** It hands on only few variables that it is not told of; with another state directory a person would not find what asks them. */
const ownVariables: readonly string[] = [
  "FROND_STATE_DIR",
  "XDG_STATE_HOME",
  "WORKFLOWS_TEMPLATE_PATHS",
  "FROND_MAX_PROCESSES",
  "FROND_SLOTS",
  "FROND_BROWSER",
  "FROND_BROWSER_SANDBOX",
  "FROND_BUDGET_USD",
  "FROND_DATABASE_URL",
  "FROND_DATABASE_URL_FILE",
  "FROND_DBOS",
  "FROND_MAX_DEPTH",
  "FROND_MAX_NODES",
  "FROND_MAX_RECORDED_MB",
  "FROND_MAX_UNDO_MB",
  "FROND_PG",
  "FROND_PLAYWRIGHT",
  "FROND_PRICES_FILE",
  "FROND_RETENTION_DAYS",
  "FROND_RETENTION_GB",
  "FROND_SANDBOX_READ",
  "FROND_HOST",
  "FROND_WORKSPACES_DIR",
  "FROND_LOG_LEVEL",
];

const tomlList = (texts: readonly string[]): string => `[${texts.map((text) => printableJson(text)).join(", ")}]`;

function writeToml({ command, args }: Launch): string {
  return [
    `[mcp_servers.${serverName}]`,
    `command = ${printableJson(command)}`,
    `args = ${tomlList(args)}`,
    `env_vars = ${tomlList(ownVariables)}`,
    `tool_timeout_sec = ${callSeconds}`,
    "",
  ].join("\n");
}

/** It takes what looks like an option for its own, until it is told that no more of those come. */
function addToGemini({ command, args, platform }: Launch): string {
  const first = args.findIndex((arg) => arg.startsWith("-"));
  const marked = first < 0 ? args : args.toSpliced(first, 0, "--");
  return ["gemini mcp add", serverName, ...[command, ...marked].map((word) => quoteWord(word, platform))].join(" ");
}
