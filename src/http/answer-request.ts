import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/**
 * Answers a request of Node, whose body has been read, with what is answered to the same request of the web. Resolves when all of it
 * is sent or nobody is there to read it.
 */
export async function answerRequest(
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const given = await answer(toWebRequest(request, body, gone.signal));
  response.writeHead(given.status, Object.fromEntries(given.headers));
  // Whoever listens wants to know that they do, long before there is something to tell.
  response.flushHeaders();
  if (given.body === null) {
    response.end();
    return;
  }
  try {
    await pipeline(Readable.fromWeb(given.body as ReadableStream<Uint8Array>), response);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

function toWebRequest(
  { method = "GET", url = "/", headers }: IncomingMessage,
  body: Buffer,
  signal: AbortSignal,
): Request {
  const given = Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: given,
    signal,
    // What asks for something has no body that anybody reads.
    ...(body.length === 0 || method === "GET" || method === "HEAD" ? {} : { body }),
  });
}
