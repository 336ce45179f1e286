import { setTimeout as delay } from "node:timers/promises";
import { isatty, type ReadStream, type WriteStream } from "node:tty";
import { createKeyboard, type Keyboard } from "./asking/keyboard.ts";
import { StatusArea } from "./drawing/status-area.ts";
import { createGitHubCommands, disarm, type GitHubCommands } from "./output/github-commands.ts";
import { PatientWriter } from "./output/patient-writer.ts";
import { harmless } from "./text/visible-text.ts";

/**
 * The person's side of the command line. What a command gives goes to `write`, what is wrong to `writeError`. Nothing but this file
 * and the log of a server writes to a stream that may be a terminal, and each of them lets nothing through that a terminal would obey.
 */
export interface Terminal {
  write(text: string): void;
  writeError(text: string): void;
  /** Bytes as they are, for a program that reads them; on a terminal, what can be shown of them. */
  writeBytes(bytes: Uint8Array): void;
  /**
   * Resolves when everything written has left the process, or it has taken too long; with what went wrong, unless the reader merely
   * went away.
   */
  flush(longestMs?: number): Promise<string | undefined>;
  /** Lines below everything written, for a view that draws; used only when somebody sees them. */
  readonly area: StatusArea;
  /** Whether stdout is a terminal at all, also one that can't be drawn on. */
  readonly isTerminal: boolean;
  /** Whether anybody still reads stdout, as far as writing to it has shown. */
  readonly hasReader: boolean;
  /** Whether what is written to stdout is seen by a person as it comes, on a screen that can be drawn on. */
  readonly isInteractive: boolean;
  /** Comes when the terminal is known to be closed: nothing is written to it from then on, and nobody can be asked. */
  readonly gone: AbortSignal;
  /** Takes the terminal for closed. */
  leave(): void;
  /** Whether a person can be asked. */
  readonly canAsk: boolean;
  /** What that person types; used only when there is one. */
  readonly keyboard: Keyboard;
  readonly columns: number;
  readonly rows: number;
  /** Returns how to stop listening. */
  onResize(handler: () => void): () => void;
  readonly colour: boolean;
  readonly errorColour: boolean;
  readonly unicode: boolean;
  /** Where what is written is read by the runner of GitHub Actions. Nothing else that is written can make that do anything. */
  readonly github?: GitHubCommands;
}

export function createTerminal(
  stdout: WriteStream,
  stderr: WriteStream,
  stdin: ReadStream,
  environment: NodeJS.ProcessEnv,
): Terminal {
  let problem: string | undefined;
  let hasReader = true;
  const closed = new AbortController();
  const leave = (): void => {
    // Who was only told so, and still has it, leaves it as it was.
    if (!isClosed(stdout, 1)) area.clear();
    closed.abort();
  };
  const send = (writer: PatientWriter, { isTTY }: WriteStream, text: string | Uint8Array): void => {
    if (!closed.signal.aborted || isTTY !== true) writer.write(text);
  };
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    hasReader = false;
    // A reader that went away (`| head`, a closed terminal) is no reason for a stack trace; the run goes on and nobody listens.
    if (isClosed(stdout, 1)) leave();
    else if (error.code !== "EPIPE") problem ??= error.message;
  });
  stderr.on("error", () => {
    if (isClosed(stderr, 2)) leave();
  });
  // Nobody types any more: all a terminal says of that when nothing is written to it.
  const leaveIfClosed = (): void => {
    if (isClosed(stdin, 0)) leave();
  };
  stdin.on("end", leaveIfClosed).on("error", leaveIfClosed);
  // Some CI gives its jobs a terminal, at which nobody sits.
  const isInteractive = stdout.isTTY === true && !isDumb(environment) && !isCi(environment);
  const [out, errors] = [new PatientWriter(stdout), new PatientWriter(stderr)];
  const isGitHub = environment.GITHUB_ACTIONS === "true" && stdout.isTTY !== true;
  const root = environment.GITHUB_WORKSPACE ?? ".";
  const github = isGitHub
    ? createGitHubCommands(
        root,
        (line) => out.write(line),
        (line) => errors.write(line),
      )
    : undefined;
  const safe = (text: string, colour: boolean): string =>
    isGitHub ? disarm(harmless(text, colour)) : harmless(text, colour);
  const screen = {
    write: (text: string): void => send(out, stdout, text),
    get columns() {
      return stdout.columns || 80;
    },
  };
  const [colour, errorColour] = [stdout, stderr].map((stream) => wantsColour(stream, environment)) as [
    boolean,
    boolean,
  ];
  const area = new StatusArea(screen, colour);
  const decoder = new TextDecoder();
  const isTerminal = stdout.isTTY === true;
  if (isInteractive) giveBackTerminal(area);
  return {
    write: (text) => area.above(() => screen.write(safe(text, colour))),
    writeError: (text) => area.above(() => send(errors, stderr, safe(text, errorColour))),
    writeBytes: (bytes) =>
      area.above(() =>
        send(out, stdout, isTerminal ? harmless(decoder.decode(bytes, { stream: true }), false) : bytes),
      ),
    async flush(longestMs) {
      const all = Promise.all([out.drained(), errors.drained()]);
      const late = longestMs === undefined ? [] : [delay(longestMs, undefined, { ref: false })];
      await Promise.race([all, ...late]);
      return problem;
    },
    area,
    isTerminal,
    get hasReader() {
      return hasReader && !(isTerminal && closed.signal.aborted);
    },
    isInteractive,
    gone: closed.signal,
    leave,
    get canAsk() {
      return isInteractive && stdin.isTTY === true && !closed.signal.aborted;
    },
    keyboard: createKeyboard(stdin, screen.write),
    get columns() {
      return screen.columns;
    },
    get rows() {
      return stdout.rows || 24;
    },
    onResize(handler) {
      stdout.on("resize", handler);
      return () => stdout.off("resize", handler);
    },
    colour,
    errorColour,
    unicode: environment.TERM !== "linux",
    ...(github === undefined ? {} : { github }),
  };
}

/** Whether it was a terminal and is none any more, which the system says of one that was closed. */
function isClosed({ isTTY }: WriteStream | ReadStream, descriptor: number): boolean {
  return isTTY === true && !isatty(descriptor);
}

/** However the process ends or is suspended, the cursor is visible again and no half-drawn tree is left. */
function giveBackTerminal(area: StatusArea): void {
  process.once("exit", () => area.clear());
  process.on("SIGTSTP", () => {
    area.clear();
    // With all that were started together, as the key does it: npm may wait for this process, and a shell for npm.
    process.kill(0, "SIGSTOP");
  });
}

function isCi({ CI }: NodeJS.ProcessEnv): boolean {
  return CI !== undefined && !/^(?:|0|false|no)$/i.test(CI);
}

function wantsColour(stream: WriteStream, environment: NodeJS.ProcessEnv): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== "0";
  return stream.isTTY === true && !isDumb(environment);
}

/** One of which nothing is known can do nothing, as git takes it; on Windows nobody says what a terminal is. */
function isDumb({ TERM }: NodeJS.ProcessEnv): boolean {
  return TERM === "dumb" || (!TERM && process.platform !== "win32");
}
