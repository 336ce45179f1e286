import { Writable } from "node:stream";

export interface ClaimedStdout {
  /** Only what is written to it goes to standard output. */
  readonly stream: Writable;
  /** Resolves when the reader has taken all of it, or nothing for so long; after the signal that is not waited for again. */
  end(patienceMs: number, signal: AbortSignal): Promise<void>;
}

/**
 * Takes standard output for a protocol. What else this process writes to it, a library's banner or a forgotten print, goes to standard
 * error.
 */
export function claimStdout(): ClaimedStdout {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  let onTaken = (): void => {};
  const writePieces = (bytes: Uint8Array, done: (error?: Error | null) => void): void => {
    write(bytes.subarray(0, pieceBytes), (error) => {
      onTaken();
      if (error || bytes.length <= pieceBytes) done(error);
      else writePieces(bytes.subarray(pieceBytes), done);
    });
  };
  const stream = new Writable({ write: (chunk: Uint8Array, _encoding, done) => writePieces(chunk, done) });
  stdout.on("error", (error) => stream.destroy(error));
  return {
    stream,
    end: (patienceMs, signal) =>
      new Promise((resolve) => {
        const patience = setTimeout(resolve, patienceMs);
        onTaken = () => {
          if (!signal.aborted) patience.refresh();
        };
        stream.end(() => {
          clearTimeout(patience);
          resolve();
        });
      }),
  };
}

/** So that a reader who takes a long message slowly is seen to take it. */
const pieceBytes = 65_536;
