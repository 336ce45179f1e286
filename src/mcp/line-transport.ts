import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/server";
import { defined } from "../util/defined.ts";
import { cancelledId } from "./cancelled-id.ts";

const parseError = -32_700;
const invalidRequest = -32_600;

/** Longer than any message a client means to send; what is longer is passed over without being kept. */
const longestLine = 10_000_000;

/**
 * The protocol as lines on a pair of streams. Whatever a client sends, it gets an answer and the connection goes on: what is no
 * message is answered with an error, and only the end of the input ends it.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #decoder = new StringDecoder("utf8");
  /** Ids of requests that have no answer yet. One that is cancelled gets none. */
  readonly #open = new Set<string | number>();
  #answered: string | number | undefined;
  #line = "";
  #isTooLong = false;
  #isClosed = false;

  /** `answered` is the id of a request that will come, and whose answer the client has already. */
  constructor(input: Readable, output: Writable, answered?: string | number) {
    this.#input = input;
    this.#output = output;
    this.#answered = answered;
  }

  async start(): Promise<void> {
    this.#input.on("data", (chunk: Buffer) => this.#read(this.#decoder.write(chunk)));
    this.#input.on("end", () => void this.close());
    this.#input.on("error", () => void this.close());
    // Nobody reads any more: as good as gone.
    this.#output.on("error", () => void this.close());
    this.#input.resume();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.pause();
    this.onclose?.();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      this.#open.delete(message.id ?? "");
      if (message.id !== undefined && message.id === this.#answered) {
        this.#answered = undefined;
        return Promise.resolve();
      }
    }
    return this.#write(message);
  }

  #write(message: object): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      // A failed write is told by the stream's own error.
      this.#output.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }

  #read(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#extend(text.slice(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#extend(text.slice(start));
  }

  #extend(text: string): void {
    if (this.#line.length + text.length > longestLine) this.#isTooLong = true;
    this.#line = this.#isTooLong ? "" : this.#line + text;
  }

  #endLine(): void {
    const line = this.#line.trim();
    const isTooLong = this.#isTooLong;
    this.#line = "";
    this.#isTooLong = false;
    if (isTooLong)
      this.#refuse(parseError, `A message has at most ${longestLine} characters; a longer one was passed over.`);
    else if (line !== "") this.#receive(line);
  }

  #receive(line: string): void {
    let data: unknown;
    try {
      data = JSON.parse(line);
    } catch {
      return this.#refuse(parseError, "The line is not JSON. Each message is one line of JSON.");
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(data);
    } catch {
      return this.#refuse(invalidRequest, "This is not a JSON-RPC 2.0 message.", idOf(data));
    }
    if (isJSONRPCRequest(message)) {
      const { id } = message;
      if (this.#open.has(id))
        return this.#refuse(
          invalidRequest,
          `The id ${JSON.stringify(id)} belongs to a request that has no answer yet.`,
        );
      this.#open.add(id);
    }
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) this.#open.delete(cancelled);
    this.onmessage?.(message);
  }

  /** The protocol leaves the id out where it can't be read; of a request whose id is taken it would be the other's answer. */
  #refuse(code: number, message: string, id?: string | number): void {
    this.onerror?.(new Error(message));
    void this.#write({ jsonrpc: "2.0", ...defined({ id }), error: { code, message } });
  }
}

function idOf(data: unknown): string | number | undefined {
  const id = typeof data === "object" && data !== null ? (data as { id?: unknown }).id : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
