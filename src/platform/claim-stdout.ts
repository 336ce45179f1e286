import { Writable } from "node:stream";

/**
 * Takes standard output for a protocol: only what is written to the stream given back goes there. Whatever else this process
 * writes to it, a library's banner or a forgotten print, goes to standard error.
 */
export function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, encoding, done) => void write(chunk, encoding, done),
  });
  stdout.on("error", (error) => output.destroy(error));
  return output;
}
