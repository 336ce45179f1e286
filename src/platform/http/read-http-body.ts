import type { IncomingMessage } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import type { TakeChunk } from "../../block/ports.ts";
import { HttpFailure } from "./http-failure.ts";

type Chunks = AsyncIterable<Uint8Array>;

const mostCodings = 5;

/**
 * The body of a response, decompressed as it comes. Neither it nor any form it has on the way may be longer than the limit. Where
 * somebody takes it, nothing of it is kept.
 */
export async function readHttpBody(response: IncomingMessage, maxBytes: number, take?: TakeChunk): Promise<Uint8Array> {
  const { "content-encoding": encoding = "", "content-length": length } = response.headers;
  if (Number(length) > maxBytes) throw tooLarge(maxBytes);
  const codings = encoding
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > mostCodings) throw new HttpFailure("bad-response", "answers with a body compressed too often");
  let chunks = limited(received(response), maxBytes);
  for (const coding of codings.reverse()) chunks = limited(decoded(chunks, coding), maxBytes);
  const kept: Uint8Array[] = [];
  for await (const chunk of chunks) {
    if (take === undefined) kept.push(chunk);
    else if (take(chunk) === "enough") break;
  }
  return Buffer.concat(kept);
}

async function* received(response: IncomingMessage): Chunks {
  try {
    yield* response;
  } catch (error) {
    const isBroken = (error as NodeJS.ErrnoException).code === "ECONNRESET";
    throw isBroken ? new HttpFailure("bad-response", "broke off in the middle of its answer") : error;
  }
}

async function* limited(chunks: Chunks, maxBytes: number): Chunks {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function tooLarge(maxBytes: number): HttpFailure {
  return new HttpFailure("too-large", `answers with more than ${maxBytes / 1_000_000} MB`);
}

async function createDecoder(coding: string, firstByte: number): Promise<Duplex> {
  const zlib = process.getBuiltinModule("node:zlib");
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "deflate":
      // Some servers send bare deflate data where the standard asks for zlib's wrapping, which always begins with an 8.
      return (firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
    case "br":
      return zlib.createBrotliDecompress();
    default:
      throw new HttpFailure("bad-response", `answers with a body compressed as '${coding}', which can't be read`);
  }
}

async function* decoded(chunks: Chunks, coding: string): Chunks {
  const coded = chunks[Symbol.asyncIterator]();
  const first = await coded.next();
  // No body at all is also one that is not compressed.
  if (first.done === true) return;
  const decoder = await createDecoder(coding, first.value[0] ?? 0);
  let failedBefore: unknown;
  const source = async function* (): Chunks {
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => coded };
    } catch (error) {
      failedBefore = error;
      throw error;
    }
  };
  // Whoever reads the decoder hears of what fails.
  pipeline(source, decoder, () => {});
  try {
    yield* decoder;
  } catch {
    throw failedBefore ?? new HttpFailure("bad-response", `answers with a body that is not valid ${coding}`);
  }
}
