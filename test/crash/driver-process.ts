import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { postgresVariables } from "../rig/postgres.ts";
import { type Job, killAtWriteVariable, type Role, type Said } from "./protocol.ts";

export interface DriverOptions {
  /** The bundled driver. */
  readonly program: string;
  readonly stateDirectory: string;
  /** The database that its journal is in, unless that is in the state directory. */
  readonly database?: string | undefined;
  readonly job: Job;
  /** By number or by name. */
  readonly killAtWrite?: number | string;
}

export interface DriverEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

type SaidOf<Kind> = Extract<Said, { say: Kind }>;

/**
 * Longer than any run of the rig takes on a busy machine; a server that is restarted meanwhile has to be waited for, too.
 * In ticks of this process, because a machine that stood still for a minute took that minute from its drivers as well.
 */
const [patienceTicks, serverPatienceTicks] = [30, 150];
const tickMs = 1_000;
/** For one that does not come to an end to tell what it waits for. */
const lastWordsMs = 2_000;

/** A driver that was started here, and that is never left behind: one that takes too long is killed. */
export class DriverProcess {
  readonly job: Job;
  readonly said: Said[] = [];
  readonly ended: Promise<DriverEnd>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #listeners = new Set<() => void>();
  #hasEnded = false;
  /** Whether it had to be killed because it did not come to an end. */
  hangs = false;

  constructor({ program, stateDirectory, database, job, killAtWrite }: DriverOptions) {
    this.job = job;
    const env = {
      PATH: process.env.PATH,
      FROND_STATE_DIR: stateDirectory,
      // From the first command on, because few drivers live for many.
      FROND_SLOTS: process.env.FROND_SLOTS ?? "1",
      ...(database !== undefined && postgresVariables(database)),
      ...(killAtWrite === undefined ? {} : { [killAtWriteVariable]: String(killAtWrite) }),
    };
    this.#child = spawn(process.execPath, [program, JSON.stringify(job)], { env, stdio: "pipe" });
    // One that is dead takes no orders any more.
    this.#child.stdin.on("error", () => {});
    let stderr = "";
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    createInterface(this.#child.stdout).on("line", (line) => this.#hear(line));
    let ticks = database === undefined ? patienceTicks : serverPatienceTicks;
    const timer = setInterval(() => {
      if (--ticks > 0) return;
      clearInterval(timer);
      this.hangs = true;
      this.signal("SIGCONT");
      this.signal("SIGUSR2");
      setTimeout(() => this.signal("SIGKILL"), lastWordsMs);
    }, tickMs);
    this.ended = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("close", (code, signal) => {
        clearInterval(timer);
        this.#hasEnded = true;
        this.#tell();
        resolve({ code, signal, stderr });
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  play(role: Role): void {
    this.write(JSON.stringify(role));
  }

  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Without effect when it has ended. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves to the first such thing it says; to nothing when it ends before. */
  async until<Kind extends Said["say"]>(...kinds: readonly Kind[]): Promise<SaidOf<Kind> | undefined> {
    for (;;) {
      const found = this.said.find((said): said is SaidOf<Kind> => kinds.includes(said.say as Kind));
      if (found !== undefined || this.#hasEnded) return found;
      await new Promise<void>((resolve) => this.#listeners.add(resolve));
    }
  }

  #hear(line: string): void {
    this.said.push(JSON.parse(line) as Said);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
