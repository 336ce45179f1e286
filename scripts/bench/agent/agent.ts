import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { literalCalls } from "../../../test/rig/literal-calls.ts";
import { waitFor } from "../../../test/rig/wait-for.ts";

/** What a task costs a model. */
export interface Spent {
  calls: number;
  /** Characters of the calls: names of tools and arguments. */
  sent: number;
  /** Characters of the replies, as the model reads them. */
  received: number;
}

/** A reply. */
export interface Heard {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each task knows what it asked for
  readonly data: any;
}

/** A directory with a home and a state of its own, and a server that can be killed in it. */
export class Agent {
  readonly #root: string = realpathSync(mkdtempSync(join(tmpdir(), "frond-agent-")));
  readonly #program: string;
  readonly workspace: string = join(this.#root, "work");
  readonly #env: Readonly<Record<string, string>> = {
    PATH: process.env.PATH ?? "",
    HOME: join(this.#root, "home"),
    XDG_STATE_HOME: join(this.#root, "state"),
  };
  #connected: { readonly client: Client; readonly transport: StdioClientTransport } | undefined;
  #spent: Spent = { calls: 0, sent: 0, received: 0 };
  /** Hears of every call. */
  readonly #onCall: (line: string) => void;

  constructor(program: string, onCall: (line: string) => void) {
    this.#program = program;
    this.#onCall = onCall;
    for (const directory of [this.workspace, join(this.#root, "home")]) mkdirSync(directory);
  }

  /** What has been spent since this was asked last. */
  takeSpent(): Spent {
    const spent = this.#spent;
    this.#spent = { calls: 0, sent: 0, received: 0 };
    return spent;
  }

  async connect(): Promise<void> {
    const client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode: "legacy" } });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [this.#program, "serve"],
      env: { ...this.#env },
      cwd: this.workspace,
      stderr: "ignore",
    });
    await client.connect(transport);
    this.#connected = { client, transport };
  }

  /** What a client puts into the model's context before anything else, in bytes, and the names in it. */
  async listTools(): Promise<{ readonly bytes: number; readonly names: readonly string[] }> {
    const { tools } = await this.#client().listTools();
    return { bytes: Buffer.byteLength(JSON.stringify(tools)), names: tools.map(({ name }) => name) };
  }

  /** Kills the server as `kill -9` does, and starts another. */
  async killServer(): Promise<void> {
    const { client, transport } = this.#connected ?? {};
    const { pid } = transport ?? {};
    if (client === undefined || typeof pid !== "number") throw new Error("There is no server.");
    const gone = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    process.kill(pid, "SIGKILL");
    await gone;
    await this.connect();
  }

  async call(tool: string, args: object = {}): Promise<Heard> {
    const texts = await this.#ask(tool, args);
    const text = texts.join("");
    const sent = tool.length + JSON.stringify(args).length;
    this.#spent.calls++;
    this.#spent.sent += sent;
    this.#spent.received += text.length;
    this.#onCall(
      `${String(text.length).padStart(7)}  ${tool}(${shorten(JSON.stringify(args))})\n${" ".repeat(9)}${shorten(text)}`,
    );
    // A page of text may come beside, or instead of, what is data.
    return { text, data: texts[0]?.startsWith("{") ? JSON.parse(texts[0]) : {} };
  }

  /**
   * Makes the call that a reply names, literally: the first of a tool, if one is asked for. `own` is what only the model can know,
   * such as its answer to a question; it takes the place of what the call shows as an example.
   */
  follow({ data, text }: Heard, tool?: string, own: object = {}): Promise<Heard> {
    const calls = literalCalls(String(data.message ?? ""));
    const named = calls.find((call) => tool === undefined || call.tool === tool);
    if (named === undefined)
      throw new Error(`No call${tool === undefined ? "" : ` of ${tool}`} in the message of: ${text}`);
    return this.call(named.tool, { ...named.args, ...own });
  }

  /** Waits until a command of a workflow has made a file. */
  sees(path: string): Promise<void> {
    return waitFor(path, () => existsSync(join(this.workspace, path)));
  }

  /** What an agent does with its own hands, or a person does: costs no call. */
  write(path: string, text: string): void {
    const file = join(this.workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  get env(): Readonly<Record<string, string>> {
    return this.#env;
  }

  async close(): Promise<void> {
    await this.#connected?.client.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  #client(): Client {
    if (this.#connected === undefined) throw new Error("There is no server.");
    return this.#connected.client;
  }

  /** What the model reads: the text of the reply, or of the error that the protocol has instead. */
  async #ask(name: string, args: object): Promise<readonly string[]> {
    try {
      const { content } = await this.#client().callTool({ name, arguments: { ...args } }, { timeout: 120_000 });
      return content.map((part) => (part.type === "text" ? part.text : ""));
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  }
}

function shorten(text: string): string {
  return text.length > 500 ? `${text.slice(0, 330)} ... ${text.slice(-150)}` : text;
}
