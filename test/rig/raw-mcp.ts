import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { type Frond, frondProgram } from "./frond.ts";
import { waitFor } from "./wait-for.ts";

/** What a server says: a reply, or something nobody asked for. */
export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server process and a client that may send anything. */
export interface RawServer {
  readonly child: ChildProcessWithoutNullStreams;
  /** All that came so far; each line of stdout was one. */
  readonly messages: readonly Message[];
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>;
  /** Everything it has written to stdout. */
  spoken(): string;
  log(): string;
  send(text: string): void;
  request(id: string | number, method: string, params?: object): void;
  notify(method: string, params?: object): void;
  /** The answer to a request. */
  answer(id: string | number): Promise<Message>;
  until(what: string, found: (message: Message) => boolean): Promise<Message>;
}

export const tasks = "io.modelcontextprotocol/tasks";

/** What a request of the modern era carries. */
export function envelope(capabilities: object = {}): object {
  return {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    },
  };
}

export function startRaw(
  frond: Frond,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): RawServer {
  const child = spawn(process.execPath, [frondProgram, "serve", ...args], {
    cwd: frond.directory,
    env: { ...frond.env, ...env },
    stdio: "pipe",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const messages: Message[] = [];
  let spoken = "";
  let open = "";
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    spoken += text;
    const lines = (open + text).split("\n");
    open = lines.pop() ?? "";
    for (const line of lines) messages.push(JSON.parse(line) as Message);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  child.stdin.on("error", () => {});
  const send = (text: string): void => void child.stdin.write(text);
  const sendMessage = (message: object): void => send(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  async function until(what: string, found: (message: Message) => boolean): Promise<Message> {
    await waitFor(what, () => messages.some(found));
    return messages.find(found) as Message;
  }
  return {
    child,
    messages,
    ended: new Promise((resolve) => child.once("close", resolve)),
    spoken: () => spoken,
    log: () => log,
    send,
    request: (id, method, params) => sendMessage({ id, method, ...(params === undefined ? {} : { params }) }),
    notify: (method, params) => sendMessage({ method, ...(params === undefined ? {} : { params }) }),
    answer: (id) => until(`the answer to ${id}`, (message) => message.id === id && message.method === undefined),
    until,
  };
}

/** Opens a connection of the old era. */
export async function initialize(server: RawServer, capabilities: object = {}): Promise<void> {
  server.request("init", "initialize", {
    protocolVersion: "2025-11-25",
    capabilities,
    clientInfo: { name: "raw", version: "1" },
  });
  await server.answer("init");
  server.notify("notifications/initialized");
}
