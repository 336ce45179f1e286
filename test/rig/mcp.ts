import {
  type CallToolResult,
  Client,
  type ClientCapabilities,
  type ElicitRequest,
  type ElicitResult,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, onTestFinished } from "vitest";
import { type AtEnd, bundleOf, createFrond, type Frond, frondProgram, mayNotBeKept } from "./frond.ts";
import { KeptTransport } from "./kept-transport.ts";
import { waitFor } from "./wait-for.ts";

export const eras = ["2025-11-25", "2026-07-28"] as const;
export type EraName = (typeof eras)[number];

/**
 * They differ in how a client comes in, asks, waits and listens. Tests of that are made in both; of what a tool does in one, and half of
 * them in each.
 */
export const oldEra: readonly EraName[] = ["2025-11-25"];
export const newEra: readonly EraName[] = ["2026-07-28"];

export interface ConnectOptions {
  readonly era?: EraName;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly capabilities?: ClientCapabilities;
  /** The person at the client. */
  readonly answer?: (request: ElicitRequest["params"]) => ElicitResult | Promise<ElicitResult>;
  /** Hears that the tools have changed. */
  readonly onToolsChanged?: () => void;
  /** In a process of its own: for a test of what that shows of itself, or leaves behind when it ends. */
  readonly alone?: true;
}

/** The official client, connected to a server of its own. */
export interface Connected {
  readonly client: Client;
  readonly pid: number;
  /** What the server has written to stderr so far. */
  log(): string;
  /** Resolves when it has written this. */
  logged(text: string): Promise<void>;
  /** Calls a tool and gives what it says, as data. */
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<Reply>;
}

export interface Reply {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  readonly data: any;
  /** All that it says, as a model reads it. */
  readonly text: string;
}

export function createClient(options: ConnectOptions): Client {
  const { era = "2025-11-25", capabilities = {}, answer, onToolsChanged } = options;
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: answer === undefined ? capabilities : { elicitation: { form: {} }, ...capabilities },
      ...(onToolsChanged === undefined
        ? {}
        : { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } } }),
      versionNegotiation: { mode: era === "2025-11-25" ? "legacy" : { pin: era } },
    },
  );
  if (answer !== undefined) client.setRequestHandler("elicitation/create", ({ params }) => answer(params));
  return client;
}

export function readReply({ isError, structuredContent, content }: CallToolResult): Reply {
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  if (structuredContent !== undefined && text !== JSON.stringify(structuredContent)) {
    throw new Error("The text of a reply is not its data.");
  }
  return { isError: isError === true, data: structuredContent, text };
}

/** One for all tests around it that leave nothing behind which another could see: to start one takes longer than most of them do. */
export function shareServer(options: ConnectOptions = {}): () => Connected {
  let server: Connected | undefined;
  beforeAll(async () => {
    const ends: (() => void | Promise<void>)[] = [];
    const atEnd: AtEnd = (end) => void ends.unshift(end);
    server = await connect(createFrond({}, atEnd), options, atEnd);
    return async () => {
      for (const end of ends) await end();
    };
  });
  return () => server as Connected;
}

export async function connect(
  frond: Frond,
  options: ConnectOptions = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Connected> {
  const client = createClient(options);
  let log = "";
  const transport = createTransport(frond, options, (text) => {
    log += text;
  });
  atEnd(() => client.close());
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    log: () => log,
    logged: (text) => waitFor(`the log to hold ${text}`, () => log.includes(text)),
    call: async (name, given = {}) => readReply(await client.callTool({ name, arguments: { ...given } })),
  };
}

function createTransport(
  { env: base, directory }: Frond,
  { args = [], env: added = {}, alone }: ConnectOptions,
  onLog: (text: string) => void,
): KeptTransport | StdioClientTransport {
  const env = { ...base, ...added };
  if (alone !== true && !mayNotBeKept(env)) {
    return new KeptTransport({ bundle: bundleOf("serve"), args: ["serve", ...args], directory, env }, onLog);
  }
  const command = [frondProgram, "serve", ...args];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: command,
    env,
    cwd: directory,
    stderr: "pipe",
  });
  transport.stderr?.on("data", (chunk: Buffer) => onLog(chunk.toString()));
  return transport;
}
