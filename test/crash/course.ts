import type { OnInterrupted } from "../../src/block/define-block.ts";
import type { RunEvent } from "../../src/engine/events.ts";

/** A promise to act, made durable before acting. */
export interface Intent {
  readonly path: string;
  /** The idempotency key of the block. */
  readonly key: string;
  readonly attempt: number;
  /** `run`, or the answer that the block goes on with. */
  readonly step: string;
  /** Whether an attempt before it ended by itself. */
  readonly isTriedAgain: boolean;
  /** Of the event. */
  readonly sequence: number;
  /** What the journal says came of it. */
  readonly end: "open" | "finished" | "paused" | "interrupted";
}

/** The lives of the blocks of a run, as its events tell them. */
export interface Course {
  readonly intents: readonly Intent[];
  /** By address, with the attempts around it: what became of blocks that were interrupted and did not run again. */
  readonly decided: ReadonlyMap<string, "fail" | "done">;
  /** The blocks in each of the attempts around them. */
  readonly lives: readonly LifeTold[];
  readonly isCancelled: boolean;
  /** What should not have happened, in words. */
  readonly faults: readonly string[];
}

export interface LifeTold {
  readonly path: string;
  readonly key: string | undefined;
  readonly attempts: number;
  /** How many of its attempts have ended without being the last. */
  readonly endedAttempts: number;
  /** What was done about interruptions. */
  readonly actions: readonly OnInterrupted[];
}

type BlockEvent = Extract<RunEvent, { readonly path: string }>;

type Stage =
  | "waiting"
  | "running"
  | "asking"
  | "answered"
  | "asleep"
  | "awake"
  | "between passes"
  | "between attempts"
  | "to be tried again"
  | "to be run again"
  | "to be asked about"
  | "asked about"
  | "to be adopted"
  | "to fail"
  | "ended";

const afterInterruption = { rerun: "to be run again", ask: "to be asked about", fail: "to fail" } as const;
const afterDecision: Readonly<Record<string, Stage>> = {
  rerun: "to be run again",
  done: "to be adopted",
  fail: "to fail",
};

const afterSleep: Readonly<Partial<Record<Stage, Stage>>> = {
  asleep: "awake",
  "between passes": "running",
  "between attempts": "to be tried again",
};

/** Where a block has to be for an event; for what is not here, anywhere but at its end. */
const stagesBefore: Readonly<Partial<Record<BlockEvent["type"], readonly Stage[]>>> = {
  "block-started": ["waiting", "to be run again", "to be tried again"],
  "block-resumed": ["answered", "to be run again"],
  "process-started": ["running"],
  "block-interrupted": ["running"],
  "attempt-ended": ["running"],
  "block-sleeping": ["running"],
  "block-woken": ["asleep", "between passes", "between attempts"],
  "block-paused": ["running", "to be asked about"],
  "question-answered": ["asking", "asked about"],
};

/** Follows every block through its stages, by rules of its own: it shares no code with what folds events into state. */
export function followCourse(events: readonly RunEvent[]): Course {
  const lives = new Map<string, Life>();
  const all: Life[] = [];
  const keys = new Map<string, string>();
  const faults: string[] = [];
  for (const [index, event] of events.entries()) {
    const fault = (what: string): void => void faults.push(`event ${index + 1}, ${event.type}: ${what}`);
    if (events[index - 1]?.type === "run-finished") fault("it comes after the end of the run");
    if (!("path" in event)) continue;
    const { path } = event;
    const life = lives.get(path) ?? new Life(path, addressOf(path, lives));
    if (!lives.has(path)) all.push(life);
    lives.set(path, life);
    life.take(event, index + 1, fault);
    if (event.type !== "block-started") continue;
    const { idempotencyKey: key } = event;
    if ((keys.get(key) ?? life.address) !== life.address) fault(`${life.address} has the key of ${keys.get(key)}`);
    keys.set(key, life.address);
    // In a new attempt everything inside it begins anew.
    for (const other of lives.keys()) if (other.startsWith(`${path}/`)) lives.delete(other);
  }
  return {
    intents: all.flatMap(({ intents }) => intents),
    decided: new Map(all.flatMap(({ address, decided }) => (decided ? [[address, decided] as const] : []))),
    lives: all,
    isCancelled: events.some(({ type }) => type === "run-cancelling" || type === "block-cancelling"),
    faults,
  };
}

/** `deploy@2/build`: the build in the second attempt at deploy. */
function addressOf(path: string, lives: ReadonlyMap<string, Life>): string {
  const names = path.split("/");
  const around = names.slice(0, -1).map((name, index) => {
    const { attempts } = lives.get(names.slice(0, index + 1).join("/")) as Life;
    return attempts > 1 ? `${name}@${attempts}` : name;
  });
  return [...around, names.at(-1)].join("/");
}

class Life implements LifeTold {
  readonly path: string;
  readonly address: string;
  readonly intents: Intent[] = [];
  readonly actions: OnInterrupted[] = [];
  decided: "fail" | "done" | undefined;
  attempts = 0;
  endedAttempts = 0;
  key: string | undefined;
  #stage: Stage = "waiting";
  #answer: string | undefined;
  #until = "";
  /** What the attempt before the one to come ended with. */
  #last: string | null = null;

  constructor(path: string, address: string) {
    this.path = path;
    this.address = address;
  }

  take(event: BlockEvent, sequence: number, fault: (what: string) => void): void {
    const { path } = this;
    const stages = stagesBefore[event.type];
    const isInPlace = stages === undefined ? this.#stage !== "ended" : stages.includes(this.#stage);
    if (!isInPlace) fault(`${path} is ${this.#stage}`);
    switch (event.type) {
      case "block-started":
        if (this.#answer !== undefined) fault(`${path} begins anew although it has its answer`);
        if (event.idempotencyKey !== (this.key ?? event.idempotencyKey)) fault(`${path} has another idempotency key`);
        this.key = event.idempotencyKey;
        this.#begin(event.attempt, this.attempts + 1, event.inside.kind === "leaf", sequence, fault);
        return;
      case "block-resumed": {
        const next = this.attempts + (this.#stage === "answered" ? 0 : 1);
        return this.#begin(event.attempt, next, true, sequence, fault);
      }
      case "block-interrupted":
        if (event.attempt !== this.attempts) fault(`attempt ${event.attempt} of ${path} did not run`);
        if (event.action === "done") return fault(`${path} is taken for done, and it changes no files`);
        this.actions.push(event.action);
        return this.#leave("interrupted", afterInterruption[event.action]);
      case "attempt-ended":
        if (event.attempt !== this.attempts) fault(`attempt ${event.attempt} of ${path} did not run`);
        this.endedAttempts++;
        this.#answer = undefined;
        this.#until = event.retryAt;
        this.#last = event.message;
        return this.#leave("finished", "between attempts");
      case "block-sleeping":
        this.#until = event.until;
        return this.#leave("finished", event.about === "repeat" ? "between passes" : "asleep");
      case "block-woken":
        if (event.at < this.#until) fault(`${path} is woken at ${event.at}, not at ${this.#until}`);
        this.#stage = afterSleep[this.#stage] ?? this.#stage;
        return;
      case "block-paused":
        if (event.about === "interruption") return this.#leave("open", "asked about");
        this.#answer = undefined;
        return this.#leave("paused", "asking");
      case "question-answered":
        if (this.#stage === "asking") this.#answer = String(event.answer);
        this.#stage = this.#stage === "asking" ? "answered" : (afterDecision[String(event.answer)] ?? "ended");
        return;
      case "block-finished":
        if (event.status === "completed" && !this.#mayComplete(event.message)) {
          fault(`${path} is completed although it is ${this.#stage}`);
        }
        if (this.#stage === "to fail") this.decided = "fail";
        if (this.#stage === "to be adopted") this.decided = "done";
        return this.#leave("finished", "ended");
      case "block-skipped":
        if (this.#stage === "running") fault(`${path} is running`);
        this.#stage = "ended";
        return;
      case "process-started":
      case "block-cancelling":
        return;
    }
  }

  #begin(attempt: number, expected: number, isLeaf: boolean, sequence: number, fault: (what: string) => void): void {
    if (attempt !== expected) fault(`it is attempt ${attempt} of ${this.path}, not ${expected}`);
    const { path, key = "", endedAttempts } = this;
    const intent = { path, key, attempt, step: this.#answer ?? "run", isTriedAgain: endedAttempts > 0 };
    if (isLeaf) this.intents.push({ ...intent, sequence, end: "open" });
    this.attempts = attempt;
    this.#stage = "running";
  }

  /** One that was to be tried again may end as it did before, when the loop around it stops; where it had failed it says why. */
  #mayComplete(message: string | null): boolean {
    if (["running", "awake", "to be adopted"].includes(this.#stage)) return true;
    if (!["between attempts", "to be tried again"].includes(this.#stage)) return false;
    return this.#last === null ? message === null : message?.startsWith(`${this.#last}; not tried again: `) === true;
  }

  #leave(end: Intent["end"], stage: Stage): void {
    const intent = this.#stage === "running" ? this.intents.pop() : undefined;
    if (intent !== undefined) this.intents.push({ ...intent, end });
    this.#stage = stage;
  }
}
