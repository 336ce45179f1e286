import { fstatSync } from "node:fs";
import { Readable } from "node:stream";
import type { EarlyAnswers, Greeter } from "./greeter.ts";

/** What has happened before the server is loaded. */
export interface Greeted {
  /** All that the client has said, and will say: the server has to know its client. */
  readonly input: Readable;
  /** The server must not answer these again. */
  readonly answers: EarlyAnswers;
}

/** A client that has the answer to its hello asks for more at once, or not for a while. */
const patienceMs = 10;

/**
 * Lets a client that has said hello by now be answered before the server is loaded: many ask for nothing but the tools for a while, and
 * wait for them.
 */
export async function greet(greeter: Greeter): Promise<Greeted | undefined> {
  if (!isConnection(0)) return undefined;
  const { stdin } = process;
  const { answers } = greeter;
  const said = await hearClient(stdin, greeter);
  // Nothing can be put back into a stream that has ended.
  if (stdin.readableEnded) return { input: Readable.from([said]), answers };
  if (said.length > 0) stdin.unshift(said);
  return { input: stdin, answers };
}

function isConnection(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/** What a client says as long as it is answered; the stream is paused then. */
function hearClient(stdin: Readable, greeter: Greeter): Promise<Buffer> {
  let said = Buffer.alloc(0);
  let taken = 0;
  /** Tells whether more can be answered. */
  const hear = (chunk: Buffer): boolean => {
    said = Buffer.concat([said, chunk]);
    for (let end = said.indexOf("\n", taken); end >= 0; end = said.indexOf("\n", taken)) {
      const line = said.toString("utf8", taken, end);
      taken = end + 1;
      if (!greeter.take(line)) return false;
    }
    return greeter.answers.size > 0;
  };
  return new Promise((resolve) => {
    const end = (): void => {
      clearImmediate(giveUp);
      clearTimeout(patience);
      stdin.off("data", onData).off("end", end).pause();
      resolve(said);
    };
    const onData = (chunk: Buffer): void => {
      clearImmediate(giveUp);
      if (hear(chunk)) patience ??= setTimeout(end, patienceMs);
      else end();
    };
    stdin.on("data", onData).on("end", end);
    let patience: NodeJS.Timeout | undefined;
    // The event loop has looked at it once by then.
    let giveUp = setImmediate(() => {
      giveUp = setImmediate(end);
    });
  });
}
