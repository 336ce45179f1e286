import type { OnInterrupted } from "../../src/block/define-block.ts";
import type { RunEvent } from "../../src/engine/events.ts";

/** A promise to act, made durable before acting. */
export interface Intent {
  readonly path: string;
  readonly attempt: number;
  /** `run`, or the answer that the block goes on with. */
  readonly step: string;
  /** Of the event. */
  readonly sequence: number;
  /** What the journal says came of it. */
  readonly end: "open" | "finished" | "paused" | "interrupted";
}

/** The lives of the blocks of a run, as its events tell them. */
export interface Course {
  readonly intents: readonly Intent[];
  /** By path: what became of blocks that were interrupted and did not run again. */
  readonly decided: ReadonlyMap<string, "fail" | "done">;
  /** By path: what was done about interruptions. */
  readonly actions: ReadonlyMap<string, readonly OnInterrupted[]>;
  readonly isCancelled: boolean;
  /** What should not have happened, in words. */
  readonly faults: readonly string[];
}

type BlockEvent = Extract<RunEvent, { readonly path: string }>;

type Stage =
  | "waiting"
  | "running"
  | "asking"
  | "answered"
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

/** Where a block has to be for an event; for what is not here, anywhere but at its end. */
const stagesBefore: Readonly<Partial<Record<BlockEvent["type"], readonly Stage[]>>> = {
  "block-started": ["waiting", "to be run again"],
  "block-resumed": ["answered", "to be run again"],
  "process-started": ["running"],
  "block-interrupted": ["running"],
  "block-paused": ["running", "to be asked about"],
  "question-answered": ["asking", "asked about"],
};

/** Follows every block through its stages, by rules of its own: it shares no code with what folds events into state. */
export function followCourse(events: readonly RunEvent[]): Course {
  const lives = new Map<string, Life>();
  const faults: string[] = [];
  for (const [index, event] of events.entries()) {
    const fault = (what: string): void => void faults.push(`event ${index + 1}, ${event.type}: ${what}`);
    if (events[index - 1]?.type === "run-finished") fault("it comes after the end of the run");
    if (!("path" in event)) continue;
    const life = lives.get(event.path) ?? new Life(event.path);
    lives.set(event.path, life);
    life.take(event, index + 1, fault);
  }
  const all = [...lives.values()];
  return {
    intents: all.flatMap(({ intents }) => intents),
    decided: new Map(all.flatMap(({ path, decided }) => (decided === undefined ? [] : [[path, decided] as const]))),
    actions: new Map(all.map(({ path, actions }) => [path, actions])),
    isCancelled: events.some(({ type }) => type === "run-cancelling" || type === "block-cancelling"),
    faults,
  };
}

class Life {
  readonly path: string;
  readonly intents: Intent[] = [];
  readonly actions: OnInterrupted[] = [];
  decided: "fail" | "done" | undefined;
  #stage: Stage = "waiting";
  #attempt = 0;
  #answer: string | undefined;
  #key: string | undefined;

  constructor(path: string) {
    this.path = path;
  }

  take(event: BlockEvent, sequence: number, fault: (what: string) => void): void {
    const { path } = this;
    const stages = stagesBefore[event.type];
    const isInPlace = stages === undefined ? this.#stage !== "ended" : stages.includes(this.#stage);
    if (!isInPlace) fault(`${path} is ${this.#stage}`);
    switch (event.type) {
      case "block-started":
        if (this.#answer !== undefined) fault(`${path} begins anew although it has its answer`);
        if (event.idempotencyKey !== (this.#key ?? event.idempotencyKey)) fault(`${path} has another idempotency key`);
        this.#key = event.idempotencyKey;
        this.#begin(event.attempt, this.#attempt + 1, event.inside.kind === "leaf", sequence, fault);
        return;
      case "block-resumed": {
        const next = this.#attempt + (this.#stage === "answered" ? 0 : 1);
        return this.#begin(event.attempt, next, true, sequence, fault);
      }
      case "block-interrupted":
        if (event.attempt !== this.#attempt) fault(`attempt ${event.attempt} of ${path} did not run`);
        if (event.action === "done") return fault(`${path} is taken for done, and it changes no files`);
        this.actions.push(event.action);
        return this.#leave("interrupted", afterInterruption[event.action]);
      case "block-paused":
        if (event.about === "interruption") return this.#leave("open", "asked about");
        this.#answer = undefined;
        return this.#leave("paused", "asking");
      case "question-answered":
        if (this.#stage === "asking") this.#answer = String(event.answer);
        this.#stage = this.#stage === "asking" ? "answered" : (afterDecision[String(event.answer)] ?? "ended");
        return;
      case "block-finished":
        if (event.status === "completed" && this.#stage !== "running" && this.#stage !== "to be adopted") {
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
    if (isLeaf) this.intents.push({ path: this.path, attempt, step: this.#answer ?? "run", sequence, end: "open" });
    this.#attempt = attempt;
    this.#stage = "running";
  }

  #leave(end: Intent["end"], stage: Stage): void {
    const intent = this.#stage === "running" ? this.intents.pop() : undefined;
    if (intent !== undefined) this.intents.push({ ...intent, end });
    this.#stage = stage;
  }
}
