import type { IncomingMessage } from "node:http";

/**
 * The body of a request, or why there is none. The rest of one that is too large is read and thrown away as it comes: a client that
 * is cut off while it sends never sees why.
 */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | "too large" | "broken off"> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= mostBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve("too large");
      }
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", () => resolve("broken off"));
  });
}
