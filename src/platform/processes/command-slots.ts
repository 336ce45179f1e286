import { existsSync } from "node:fs";
import { CommandSlot, perl, type SlotCommand } from "./command-slot.ts";
import { OpenDescriptors } from "./open-descriptors.ts";
import type { OutputPipes } from "./output-pipes.ts";
import type { ProcessOutput } from "./process-output.ts";
import { slotProgram } from "./slot-program.ts";
import { fitsSlot, type SlotRequest, writeSlotRequest } from "./slot-request.ts";
import type { StartRequest } from "./start-process.ts";

/** `always`: the first commands wait for their slots, which costs more than it saves. */
export type SlotUse = "when it pays" | "always" | "never";

export function slotUse(setting: string | undefined): SlotUse {
  if (setting === "0") return "never";
  return setting === "1" ? "always" : "when it pays";
}

export interface SlotsOptions {
  readonly use: SlotUse;
  readonly pipes: OutputPipes;
  /** Told of slots as of commands. */
  readonly supervisor: { add(group: number): void; remove(group: number): void };
}

/** A command that a slot was asked to start. */
export interface AskedCommand extends SlotCommand {
  readonly stdout: ProcessOutput;
  readonly stderr: ProcessOutput;
  /** Gives up a start that has not come by then: a slot answers at once, unless it is stopped or a file system does not answer. */
  end(graceMs: number): void;
  /** To be called when nobody waits for its end any more: a slot that has not told it by then is of no use. */
  done(): void;
}

/** What a slot costs is saved by about that many commands. */
const commandsPerSlot = 4;
const mostSlots = 64;
/** Of slots that have never started a command; what fails again and again has a reason that stays. */
const mostFailures = 3;
/** A slot that was not needed for that long ends. */
const idleMs = 60_000;

/** Slots are made as commands come that find none, and only when that many have come that their costs are saved soon. */
export class CommandSlots {
  readonly #options: SlotsOptions;
  readonly #program: string | undefined;
  readonly #all = new Set<CommandSlot>();
  readonly #idle: CommandSlot[] = [];
  #commandsWithout = 0;
  #failures = 0;
  #fewestIdle = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: SlotsOptions) {
    this.#options = options;
    this.#program = options.use !== "never" && existsSync(perl) ? slotProgram() : undefined;
  }

  /** Nothing when the command has to be started without a slot. */
  ask(request: StartRequest): AskedCommand | undefined {
    if (this.#program === undefined || !fitsSlot(request)) return undefined;
    const slot = this.#take(this.#program);
    if (slot === undefined) return undefined;
    const open = new OpenDescriptors(this.#options.pipes);
    try {
      const written = writeSlotRequest(request, open);
      if (written !== undefined) return this.#run(slot, written, open);
    } catch {
      // Whoever starts it without a slot will say what is lacking.
    }
    open.abandon();
    this.#release(slot);
    return undefined;
  }

  #run(slot: CommandSlot, { bytes, ...outputs }: SlotRequest, open: OpenDescriptors): AskedCommand {
    const command = slot.run(bytes);
    let patience: NodeJS.Timeout | undefined;
    let isOver = false;
    void command.started.then(() => {
      isOver = true;
      clearTimeout(patience);
      open.close();
    });
    let isFree = false;
    void command.ended.then(() => {
      isFree = true;
      this.#release(slot);
    });
    const end = (graceMs: number) => {
      clearTimeout(patience);
      if (!isOver) patience = setTimeout(() => void slot.end(), graceMs);
    };
    const done = () => {
      if (!isFree) void slot.end();
    };
    return { ...command, ...outputs, end, done };
  }

  #take(program: string): CommandSlot | undefined {
    const idle = this.#idle.pop();
    this.#fewestIdle = Math.min(this.#fewestIdle, this.#idle.length);
    if (idle !== undefined) return idle;
    if (this.#all.size >= mostSlots || this.#failures >= mostFailures) return undefined;
    if (this.#options.use === "always") return this.#start(program);
    if (++this.#commandsWithout < commandsPerSlot) return undefined;
    this.#commandsWithout = 0;
    const slot = this.#start(program);
    if (slot !== undefined) this.#release(slot);
    return undefined;
  }

  #start(program: string): CommandSlot | undefined {
    const { add, remove } = this.#options.supervisor;
    try {
      const slot: CommandSlot = new CommandSlot(program, () => {
        if (slot.hasFailed) this.#failures += 1;
        this.#all.delete(slot);
        const index = this.#idle.indexOf(slot);
        if (index >= 0) this.#idle.splice(index, 1);
        if (slot.pid !== undefined) remove(slot.pid);
      });
      if (slot.pid !== undefined) add(slot.pid);
      this.#all.add(slot);
      return slot;
    } catch {
      this.#failures += 1;
      return undefined;
    }
  }

  #release(slot: CommandSlot): void {
    if (!slot.isLiving) return;
    this.#idle.push(slot);
    this.#watch ??= setInterval(() => this.#endNeedless(), idleMs).unref();
  }

  /** The one that was used last is used next, so the first ones are those that nobody needed. */
  #endNeedless(): void {
    for (const slot of this.#idle.splice(0, this.#fewestIdle)) void slot.end();
    this.#fewestIdle = this.#idle.length;
  }

  /** For when no command runs any more. */
  async close(): Promise<void> {
    clearInterval(this.#watch);
    await Promise.all([...this.#all].map((slot) => slot.end()));
  }
}
