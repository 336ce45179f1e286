import { emitKeypressEvents } from "node:readline";
import type { ReadStream } from "node:tty";

export interface Key {
  /** Of a key that is no character; empty where it is one. `continued`: the program was suspended, and the screen is to be drawn. */
  readonly name: string;
  /** What it writes. Several characters where they were pasted. */
  readonly text?: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
}

/** What a person types, key by key. */
export interface Keyboard {
  /**
   * Hands over keys from now on. What was typed before is dropped: it was not meant for what is asked now. Returns how to stop; until
   * then nothing is echoed, and the keys that end or suspend a program do so here.
   */
  listen(handler: (key: Key) => void): Promise<() => void>;
}

const pasteOn = "\u001b[?2004h";
const pasteOff = "\u001b[?2004l";

/** For keys that were typed before anybody asked to arrive, and be dropped. */
const settleMs = 20;

/** Signals that the keys send where a terminal handles them itself. */
const signals: Readonly<Record<string, NodeJS.Signals>> = { c: "SIGINT", z: "SIGTSTP", "\\": "SIGQUIT" };

export function createKeyboard(stdin: ReadStream, write: (text: string) => void): Keyboard {
  let hasListener = false;
  return {
    async listen(handler) {
      if (hasListener) throw new Error("Somebody else reads the keyboard.");
      hasListener = true;
      let isSettled = false;
      let pasted: string | undefined;
      const onKeypress = (text: string | undefined, pressed: PressedKey): void => {
        const key = keyOf(text, pressed);
        const signal = key.ctrl && !key.meta ? signals[pressed.name ?? pressed.sequence ?? ""] : undefined;
        if (signal !== undefined && pasted === undefined) {
          // Where nobody waits for it, a signal would end the program and leave the terminal as it is.
          // It goes to all that were started together, as the terminal would send it.
          // Who is stopped with it is stopped when the terminal is given back: before, the shell would take it from us.
          const whom = signal === "SIGTSTP" ? process.pid : 0;
          if (process.listenerCount(signal) > 0) process.kill(whom, signal);
          else if (signal === "SIGINT") handler(plainKey("escape"));
          return;
        }
        if (!isSettled) return;
        if (pressed.name === "paste-start") pasted = "";
        else if (pressed.name === "paste-end") {
          const all = pasted ?? "";
          pasted = undefined;
          if (all !== "") handler({ ...plainKey(""), text: all });
        } else if (pasted !== undefined) pasted += (text ?? "").replaceAll("\r", "\n");
        else handler(key);
      };
      const begin = (): void => {
        stdin.setRawMode(true);
        write(pasteOn);
      };
      const restore = (): void => {
        write(pasteOff);
        stdin.setRawMode(false);
      };
      const goOn = (): void => {
        begin();
        handler(plainKey("continued"));
      };
      // Once for all: a second call for the same stream would tell each key twice.
      emitKeypressEvents(stdin);
      stdin.on("keypress", onKeypress);
      begin();
      stdin.resume();
      // Whoever suspends the program has the terminal for themselves until it goes on.
      process.prependListener("SIGTSTP", restore);
      process.on("SIGCONT", goOn);
      process.on("exit", restore);
      await new Promise((resolve) => setTimeout(resolve, settleMs));
      isSettled = true;
      return () => {
        process.off("SIGTSTP", restore);
        process.off("SIGCONT", goOn);
        process.off("exit", restore);
        stdin.off("keypress", onKeypress);
        restore();
        stdin.pause();
        hasListener = false;
      };
    },
  };
}

/** As Node tells it. */
interface PressedKey {
  readonly name?: string;
  readonly sequence?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

function plainKey(name: string): Key {
  return { name, ctrl: false, meta: false, shift: false };
}

function keyOf(text: string | undefined, { name = "", ctrl = false, meta = false, shift = false }: PressedKey): Key {
  const isCharacter = text !== undefined && !ctrl && !meta && !/\p{Cc}/u.test(text);
  return { name: isCharacter ? "" : name, ctrl, meta, shift, ...(isCharacter ? { text } : {}) };
}
