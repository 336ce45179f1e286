import { fstatSync } from "node:fs";
import { Readable } from "node:stream";
import type { Greeter } from "./greeter.ts";
import { defined } from "./util/defined.ts";

/** What has happened before the server is loaded. */
export interface Greeted {
  /** All that the client has said, and will say, but for a question for the tools that has its answer. */
  readonly input: Readable;
  /** The id of a hello that has its answer. The server has to hear it, to know its client, and must not answer it again. */
  readonly hello?: string | number;
  /** The client knows the tools that come with Frond, and no others. */
  readonly hasTools: boolean;
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
  const said = await hearClient(stdin, greeter);
  if (!stdin.readableEnded && said.length > 0) stdin.unshift(said);
  // Nothing can be put back into a stream that has ended.
  const input = stdin.readableEnded ? Readable.from([said]) : stdin;
  return { input, hasTools: greeter.hasListedTools, ...defined({ hello: greeter.hello }) };
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
      const mayGoOn = greeter.take(said.toString("utf8", taken, end));
      // To list tools is work, and the server would do it for nobody.
      if (greeter.hasListedTools) said = Buffer.concat([said.subarray(0, taken), said.subarray(end + 1)]);
      if (!mayGoOn) return false;
      taken = end + 1;
    }
    return greeter.hello !== undefined;
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
