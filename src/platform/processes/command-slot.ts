import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { constants } from "node:os";
import { getSystemErrorName } from "node:util";
import type { ProcessIdentity } from "../../block/ports.ts";
import { engineMark } from "./engine-mark.ts";
import { identityHere } from "./process-identity.ts";
import { parseTableEntry } from "./process-table.ts";
import type { Exit } from "./running-process.ts";
import { slotName } from "./slot-program.ts";

/** How the start of a command went. */
export type SlotStart =
  | ProcessIdentity
  /** Its directory or its program could not be used. */
  | { readonly problem: Error }
  /** It has not run, for reasons that are none of its own. */
  | undefined;

/** How it ended: with a problem where the program could not be used after all, with nothing where the slot has died. */
export type SlotEnd = Exit | { readonly problem: Error } | undefined;

export interface SlotCommand {
  readonly started: Promise<SlotStart>;
  readonly ended: Promise<SlotEnd>;
}

export const perl = "/usr/bin/perl";

/**
 * A small process that starts commands for us, one at a time: to start one from here would copy the page tables of a large process,
 * and nothing else happens here meanwhile. Each command leads a session of its own, to which the slot does not belong.
 */
export class CommandSlot {
  readonly #child: ChildProcess;
  readonly #socket: Socket | undefined;
  readonly #gone: Promise<void>;
  #text = "";
  #isLiving = true;
  #isNeeded = true;
  #hasServed = false;
  #onStart: (start: SlotStart) => void = () => {};
  #onEnd: (end: SlotEnd) => void = () => {};
  #problem: Error | undefined;

  constructor(program: string, onGone: () => void) {
    this.#child = spawn(perl, ["-e", program, slotName], {
      cwd: "/",
      // Nothing else, because any command can read what its parent was started with.
      env: { PATH: process.env.PATH ?? "/usr/bin:/bin", ...engineMark() },
      // One end of a socket of Node's, for both directions.
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    this.#child.unref();
    this.#socket = this.#child.stdout instanceof Socket ? this.#child.stdout : undefined;
    this.#socket?.unref();
    this.#socket?.on("data", (chunk: Buffer) => this.#read(chunk.toString("latin1")));
    // What has happened to it is told by its close.
    this.#socket?.on("error", () => {});
    this.#gone = new Promise((resolve) => {
      const onClose = () => {
        if (!this.#isLiving) return;
        this.#isLiving = false;
        this.#onStart(undefined);
        this.#onEnd(undefined);
        onGone();
        resolve();
      };
      this.#socket?.once("close", onClose);
      this.#child.once("error", onClose);
    });
  }

  /** Nothing when it could not be started, which its end tells too. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isLiving(): boolean {
    return this.#isLiving;
  }

  /** Gone by itself, without ever having started a command. */
  get hasFailed(): boolean {
    return !(this.#isLiving || this.#hasServed) && this.#isNeeded;
  }

  /** To be called again when the command before has ended. */
  run(request: Buffer): SlotCommand {
    const started = new Promise<SlotStart>((resolve) => {
      this.#onStart = resolve;
    });
    const ended = new Promise<SlotEnd>((resolve) => {
      this.#onEnd = resolve;
    });
    this.#problem = undefined;
    if (this.#isLiving) {
      this.#socket?.ref();
      this.#socket?.write(request);
    } else {
      this.#onStart(undefined);
      this.#onEnd(undefined);
    }
    return { started, ended };
  }

  /** Ends it at once, with what it has not started yet; what runs already is in a group of its own. Also one that was stopped. */
  end(): Promise<void> {
    this.#isNeeded = false;
    const { pid, exitCode, signalCode } = this.#child;
    if (pid !== undefined && exitCode === null && signalCode === null) {
      try {
        process.kill(-pid, "SIGKILL");
      } catch {
        // It was faster.
      }
    }
    if (this.#isLiving) this.#socket?.ref();
    return this.#gone;
  }

  #read(text: string): void {
    const lines = (this.#text + text).split("\n");
    this.#text = lines.pop() ?? "";
    for (const line of lines) this.#hear(line);
  }

  #hear(line: string): void {
    const reply = line.slice(1);
    const number = Number(reply);
    switch (line.charAt(0)) {
      case "s": {
        const { id, startTime } = parseTableEntry(reply);
        this.#hasServed = true;
        this.#onStart(identityHere(id, startTime));
        break;
      }
      case "o":
        this.#onStart(undefined);
        break;
      case "x":
        this.#problem = systemError(number);
        this.#onStart({ problem: this.#problem });
        break;
      case "e":
        this.#socket?.unref();
        // Of a child that was ended before it could say anything.
        this.#onStart(undefined);
        this.#onEnd(this.#problem === undefined ? exitOf(number) : { problem: this.#problem });
        break;
    }
  }
}

function systemError(number: number): Error {
  const code = getSystemErrorName(-number);
  return Object.assign(new Error(code), { code });
}

/** Of two names of a signal the first counts. */
const signalNames = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name as NodeJS.Signals]),
);

/** As the system tells a parent: the signal in the lowest seven bits, else the code above eight. */
function exitOf(status: number): Exit {
  const signal = status & 0x7f;
  if (signal === 0) return { code: status >> 8, signal: null };
  return { code: 128 + signal, signal: signalNames.get(signal) ?? null };
}
