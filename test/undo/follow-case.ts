import type { Diagnostic } from "../../src/diagnostic/diagnostic.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import type { CaseGround, OpenCase } from "./open-case.ts";
import { repositoryState } from "./repository-state.ts";
import { takeBack } from "./take-back.ts";
import { compareSnapshots, findTouched, partOf, type TreeSnapshot, takeSnapshot } from "./tree-snapshot.ts";
import { commitWitness, quietArea, type UndoCase } from "./undo-case.ts";

/** What has come up in a case, by name. */
export type Tally = Map<string, number>;

/** Runs a case and takes it back in every way; what is not as it should be, in words. */
export async function followCase(
  made: UndoCase,
  ground: CaseGround,
  tally: Tally = new Map(),
): Promise<readonly string[]> {
  const open = ground.open(made);
  try {
    const { plan, diagnostics } = open.engine.check(made.root);
    const errors = diagnostics.filter(({ level }) => level === "error");
    // Commands that run beside what is taken back by itself have to be isolated, and this is said before anything runs.
    if (plan === undefined && errors.every(isAboutIsolation)) {
      tally.set("refused", (tally.get("refused") ?? 0) + 1);
      return [];
    }
    return await new CaseCourse(made, open, tally).follow();
  } finally {
    await open.close();
  }
}

/** Of a workflow that is called, only the message tells. */
function isAboutIsolation({ code, message }: Diagnostic): boolean {
  return code === "needs-isolated" || message.endsWith("what each of them changes can't be told apart.");
}

class CaseCourse {
  readonly #made: UndoCase;
  readonly #open: OpenCase;
  readonly #tally: Tally;
  readonly #workspace: string;
  readonly #before: TreeSnapshot;
  readonly #violations: string[] = [];

  constructor(made: UndoCase, open: OpenCase, tally: Tally) {
    this.#made = made;
    this.#open = open;
    this.#tally = tally;
    this.#workspace = open.engine.workspace;
    this.#before = takeSnapshot(this.#workspace);
  }

  async follow(): Promise<readonly string[]> {
    const repository = repositoryState(this.#workspace);
    const { runId, rollback, events, isolated } = await this.#run();
    const after = takeSnapshot(this.#workspace);
    const { memory } = this.#open;
    this.#count("attempts and groups taken back", memory.compared);
    this.#violations.push(...memory.differences);
    this.#count("files changed", events.filter(({ type }) => type === "file-changed").length);
    this.#count("commands observed", events.filter(({ type }) => type === "changes-observed").length);
    this.#count("commands isolated", isolated);
    if (rollback === undefined) await this.#takeBack(runId, after);
    else await this.#checkRollback(runId, rollback, after);
    const quiet = findTouched(partOf(this.#before, quietArea), takeSnapshot(this.#workspace), () => false);
    this.#violations.push(...quiet.map((line) => `touched without a reason: ${line}`));
    if (repositoryState(this.#workspace) !== repository) this.#violations.push("the index or a ref has changed");
    if (repository !== "no repository") this.#count("in repositories");
    return this.#violations;
  }

  async #run(): Promise<CaseRun> {
    const { root, cancelAfter } = this.#made;
    let seen = 0;
    let cancel = (): void => {};
    const run = await this.#open.engine.start(root, {
      onEvents(events) {
        seen += events.length;
        if (cancelAfter !== undefined && seen > cancelAfter) cancel();
      },
    });
    cancel = () => {
      cancel = () => {};
      this.#count("cancelled");
      void run.cancel().catch(() => {});
    };
    const { state, events } = await run.settled;
    const metadata = state.root.record.metadata as { readonly outcome: string; readonly rollback?: Rollback };
    this.#count(`ended with ${metadata.outcome}`);
    const isCancelled = events.some(({ type }) => type === "run-cancelling");
    const hasFailed = metadata.outcome !== "success" && !isCancelled;
    // A block with a word of its own leads to what that says.
    const own = new Map(
      (root.blocks as readonly { id: string; on_failure?: string }[]).map((one) => [one.id, one.on_failure]),
    );
    const leadsToIt = Object.entries(state.root.record.blocks).some(
      ([id, record]) => record.metadata.failed && (own.get(id) ?? "rollback") === "rollback",
    );
    if (root.on_failure === "rollback" && hasFailed && leadsToIt && metadata.rollback === undefined) {
      this.#violations.push("nothing was rolled back");
    }
    const isolated = [...state.nodes.values()].filter(
      ({ block, record }) => block?.definition.effects === "isolated" && record.metadata.outcome === "success",
    );
    return { runId: run.runId, rollback: metadata.rollback, events, isolated: isolated.length };
  }

  async #checkRollback(runId: string, { state, conflicts }: Rollback, after: TreeSnapshot): Promise<void> {
    this.#count("rolled back");
    if (state !== "complete") this.#violations.push(`the rollback is ${state}: ${JSON.stringify(conflicts)}`);
    const committed = this.#open.memory.seen(commitWitness);
    if (committed !== undefined) this.#count("rolled back to a commit point");
    this.#compare("after the rollback", committed ?? this.#before, after);
    const { problem } = await takeBack(this.#open.engine, runId);
    if (problem !== undefined) this.#violations.push(`undo after the rollback: ${problem}`);
    this.#compare("after an undo of what was rolled back", this.#before);
  }

  async #takeBack(runId: string, after: TreeSnapshot): Promise<void> {
    this.#count("undone");
    const { engine } = this.#open;
    const first = await takeBack(engine, runId);
    if (first.problem !== undefined) this.#violations.push(`undo: ${first.problem}`);
    this.#compare("after the undo", this.#before);
    const untouched = findTouched(this.#before, after, () => false).map((line) => line.slice(0, line.indexOf(": was")));
    const mayBe = new Set([...untouched, ...changedPaths(this.#before, after)]);
    const touched = findTouched(this.#before, takeSnapshot(this.#workspace), (path) => mayBe.has(path));
    this.#violations.push(...touched.map((line) => `touched by the undo: ${line}`));
    const again = await takeBack(engine, runId);
    if (again.problem !== undefined) this.#violations.push(`undo once more: ${again.problem}`);
    this.#compare("after a second undo", this.#before);
    if (first.runId === undefined) return;
    this.#count("redone");
    const redone = await takeBack(engine, first.runId);
    if (redone.problem !== undefined) this.#violations.push(`undo of the undo: ${redone.problem}`);
    this.#compare("after an undo of the undo", after);
    if (redone.runId === undefined) return;
    const back = await takeBack(engine, redone.runId);
    if (back.problem !== undefined) this.#violations.push(`undo of the redo: ${back.problem}`);
    this.#compare("after an undo of the redo", this.#before);
  }

  #compare(when: string, expected: TreeSnapshot, found = takeSnapshot(this.#workspace)): void {
    this.#violations.push(...compareSnapshots(expected, found).map((line) => `${when}: ${line}`));
  }

  #count(what: string, by = 1): void {
    this.#tally.set(what, (this.#tally.get(what) ?? 0) + by);
  }
}

interface CaseRun {
  readonly runId: string;
  readonly rollback: Rollback | undefined;
  readonly events: readonly RunEvent[];
  /** How many commands were isolated and succeeded. */
  readonly isolated: number;
}

interface Rollback {
  readonly state: string;
  readonly conflicts?: unknown;
}

function changedPaths(before: TreeSnapshot, after: TreeSnapshot): string[] {
  return [...before.keys()].filter((path) => !after.has(path));
}
