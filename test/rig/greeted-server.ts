import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createFrond, type Frond, frondProgram } from "./frond.ts";
import type { Message } from "./raw-mcp.ts";
import { waitFor } from "./wait-for.ts";

/** What nearly every client says of itself. */
export const plainClient = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
};

/** A server that was spoken to before it was there. */
export interface Greeted {
  readonly frond: Frond;
  spoken(): string;
  messages(): Message[];
  answer(id: number): Promise<Message>;
  send(text: string | Uint8Array): void;
}

/** A server whose client has said hello, and what follows it, before the process is there. */
export function hello(
  params: object,
  { args = [], follow = "", frond = createFrond() }: { args?: readonly string[]; follow?: string; frond?: Frond } = {},
): Greeted {
  const fifo = join(frond.directory, "input");
  execFileSync("mkfifo", [fifo]);
  const input = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
  rmSync(fifo);
  writeSync(input, `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n${follow}`);
  const child = spawn(process.execPath, [frondProgram, "serve", ...args], {
    cwd: frond.directory,
    env: frond.env,
    stdio: [input, "pipe", "ignore"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
    closeSync(input);
  });
  let spoken = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    spoken += text;
  });
  const messages = (): Message[] =>
    spoken
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Message);
  return {
    frond,
    spoken: () => spoken,
    messages,
    send: (text) => void writeSync(input, typeof text === "string" ? Buffer.from(text) : text),
    async answer(id) {
      const find = (): Message | undefined => messages().find((message) => message.id === id);
      await waitFor(`the answer to ${id}`, () => find() !== undefined);
      return find() as Message;
    },
  };
}

/** Whether the answer was given before the server was loaded: the server itself writes the result first. */
export async function isEarly(server: Greeted, id = 1): Promise<boolean> {
  await server.answer(id);
  return server.spoken().includes(`{"jsonrpc":"2.0","id":${id},"result"`);
}
