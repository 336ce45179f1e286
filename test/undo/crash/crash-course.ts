import { compareSnapshots } from "../tree-snapshot.ts";
import { type Course, CrashGround } from "./crash-ground.ts";
import { findMissingBytes } from "./find-missing-bytes.ts";
import { tree, workflows } from "./scenario.ts";

/** Which processes are killed, one after the other, and at which of the points that each of them passes. */
export interface CrashPlan {
  readonly workflow: "rolled-back" | "plain";
  /** Of those that run the workflow. */
  readonly forward: readonly number[];
  /** Of those that take a plain run back. */
  readonly undo: readonly number[];
}

/** Where a run is when it loses its process. */
export const forwardPhases = ["before the run", "running", "stopping", "rolling back"] as const;
export const undoPhases = ["before the undo", "undoing"] as const;
export type CrashPhase = (typeof forwardPhases)[number] | (typeof undoPhases)[number] | "at the end";

export interface Kill {
  readonly phase: CrashPhase;
  /** `before rename workspace`. */
  readonly point: string;
}

export interface CrashReport {
  readonly kills: readonly Kill[];
  /** Why the tree is not what it was, or the runs do not come to their ends. */
  readonly violations: readonly string[];
  /** In which phase each point was that the first process passed, and the first one that undoes. */
  readonly points: { readonly forward: readonly CrashPhase[]; readonly undo: readonly CrashPhase[] };
}

const mostTries = 4;

export async function followCrashes(plan: CrashPlan): Promise<CrashReport> {
  const ground = new CrashGround(tree, workflows);
  try {
    return await new CrashCourse(ground, plan).follow();
  } finally {
    await ground.close();
  }
}

class CrashCourse {
  readonly #ground: CrashGround;
  readonly #plan: CrashPlan;
  readonly #kills: Kill[] = [];
  readonly #violations: string[] = [];

  constructor(ground: CrashGround, plan: CrashPlan) {
    this.#ground = ground;
    this.#plan = plan;
  }

  async follow(): Promise<CrashReport> {
    const { workflow, forward, undo } = this.#plan;
    const start = ["run", `${workflow}.yaml`];
    const first = await this.#let(start, forward, "run");
    if ((await this.#ground.runs()).length === 0) await this.#ground.run(start);
    await this.#finish();
    let second: Course | undefined;
    if (workflow === "plain") {
      const [run] = await this.#ground.runs();
      const takeBack = ["undo", run?.runId ?? "", "--yes"];
      second = await this.#let(takeBack, undo, "undo");
      await this.#finish();
      // What is taken back already stays so; what was not begun is done now.
      await this.#ground.run(takeBack);
      await this.#finish();
    }
    this.#violations.push(...compareSnapshots(this.#ground.before, this.#ground.snapshot()));
    return {
      kills: this.#kills,
      violations: this.#violations,
      points: {
        forward: first.passed.map(({ events }) => phaseOfRun(events)),
        undo: second?.passed.map(({ events }) => phaseOfUndo(events)) ?? [],
      },
    };
  }

  /** The first process is killed, then those that go on with what it has left. */
  async #let(args: readonly string[], kills: readonly number[], doing: "run" | "undo"): Promise<Course> {
    const first = await this.#ground.run(args, kills[0]);
    await this.#note(first, doing);
    for (const at of kills.slice(1)) await this.#note(await this.#ground.run(["recover"], at), doing);
    return first;
  }

  async #note({ killed }: Course, doing: "run" | "undo"): Promise<void> {
    if (killed === undefined) return;
    const runs = await this.#ground.runs();
    this.#violations.push(...findMissingBytes(this.#ground.stateDirectory, runs));
    const [own, ...undoing] = runs.map(({ events }) => new Set(events.map(({ type }) => type)));
    const phase = doing === "run" ? phaseOfRun(own ?? new Set()) : phaseOfUndo(undoing.at(-1) ?? new Set());
    this.#kills.push({ phase, point: killed });
  }

  /** As the next start does, until nothing is left to go on with. */
  async #finish(): Promise<void> {
    let said = "";
    for (let tries = 0; tries < mostTries; tries++) {
      const open = (await this.#ground.runs()).filter(({ finishedAt }) => finishedAt === null);
      if (open.length === 0) return;
      said = (await this.#ground.run(["recover"])).said;
    }
    this.#violations.push(`a run does not come to its end: ${said}`);
  }
}

function phaseOfRun(had: ReadonlySet<string>): CrashPhase {
  if (!had.has("run-started")) return "before the run";
  if (had.has("rollback-finished")) return "at the end";
  if (had.has("rollback-started")) return "rolling back";
  if (had.has("workflow-stopping")) return "stopping";
  return had.has("run-finished") ? "at the end" : "running";
}

function phaseOfUndo(had: ReadonlySet<string>): CrashPhase {
  if (!had.has("run-started")) return "before the undo";
  return had.has("run-finished") ? "at the end" : "undoing";
}
