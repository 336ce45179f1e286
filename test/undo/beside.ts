import { createHash } from "node:crypto";
import { absolutePath } from "../../src/block/rooted-path.ts";
import { type Effect, effectsOf } from "../../src/changes/effects.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import { systemPath } from "../../src/platform/files/file-paths.ts";
import { createRandom } from "../crash/random.ts";
import { type ForeignEdit, writeAsBystander } from "./bystander.ts";
import { writePath } from "./byte-path.ts";
import type { CaseGround, OpenCase } from "./open-case.ts";
import { type TakenBack, takeBack } from "./take-back.ts";
import { compareSnapshots, type TreeSnapshot, takeSnapshot } from "./tree-snapshot.ts";
import { type CaseLimits, makeCase } from "./undo-case.ts";

/** What somebody wrote beside a run, and when: after so many of its events. */
interface EditBeside extends ForeignEdit {
  readonly bytes: Buffer;
  readonly after: number;
}

type Count = (what: string) => void;

/** Somebody writes while a run is under way; then the run is taken back, and that too. What is not as it should be, in words. */
export async function followBeside(
  seed: number,
  { limits, areas, ground, count }: { limits: CaseLimits; areas: readonly string[]; ground: CaseGround; count: Count },
): Promise<readonly string[]> {
  const random = createRandom(seed + 7_000_000);
  const { cancelAfter: _, ...made } = makeCase(seed, limits);
  const open = ground.open(made);
  const { engine } = open;
  try {
    const before = takeSnapshot(engine.workspace);
    const wanted = new Set(Array.from({ length: 1 + random(4) }, () => 1 + random(50)));
    const events: RunEvent[] = [];
    const edits: EditBeside[] = [];
    const run = await engine.start(made.root, {
      onEvents(group) {
        events.push(...group);
        const due = [...wanted].filter((at) => at <= events.length);
        for (const at of due) {
          wanted.delete(at);
          for (const { path, bytes } of writeAsBystander(random, engine.workspace, areas)) {
            if (bytes !== undefined) edits.push({ path, bytes, after: events.length });
          }
        }
      },
    });
    await run.settled;
    return await new BesideCourse({ open, before, edits, events, count }).follow(run.runId);
  } finally {
    await open.close();
  }
}

interface BesideParts {
  readonly open: OpenCase;
  readonly before: TreeSnapshot;
  readonly edits: readonly EditBeside[];
  readonly events: readonly RunEvent[];
  readonly count: Count;
}

class BesideCourse {
  readonly #parts: BesideParts;
  readonly #workspace: string;

  constructor(parts: BesideParts) {
    this.#parts = parts;
    this.#workspace = parts.open.engine.workspace;
  }

  async follow(runId: string): Promise<readonly string[]> {
    const { engine } = this.#parts.open;
    const left = takeSnapshot(this.#workspace);
    const undone = await takeBack(engine, runId);
    const end = takeSnapshot(this.#workspace);
    const lines = [...(await this.#findLost(left, end)), ...this.#findLeft(end, undone)];
    if (undone.runId === undefined) return lines;
    const redone = await takeBack(engine, undone.runId);
    const named = pathsOf(redone);
    const different = compareSnapshots(left, takeSnapshot(this.#workspace)).filter((line) => !named.has(pathIn(line)));
    return [...lines, ...different.map((line) => `after an undo of the undo: ${line}`)];
  }

  /** Bytes of theirs that are nowhere any more, and not because a command itself removed them. */
  async #findLost(left: TreeSnapshot, end: TreeSnapshot): Promise<readonly string[]> {
    const { edits, count } = this.#parts;
    const lost: string[] = [];
    for (const edit of edits) {
      count("edits beside a run");
      const sha256 = createHash("sha256").update(edit.bytes).digest("hex");
      const isKept = (await this.#parts.open.engine.engine.platform.blobs.get(sha256)) !== undefined;
      if (isIn(end, edit.bytes)) count("bytes in place beside a run");
      else if (isKept) count("bytes kept beside a run");
      else if (edits.some((one) => one.path === edit.path && one.after >= edit.after && one !== edit)) continue;
      else if (!isIn(left, edit.bytes) && this.#isReplacedAtOnce(edit, sha256)) count("bytes replaced at once");
      else lost.push(`${edit.path}: what somebody wrote there during the run is gone`);
    }
    return lost;
  }

  /** A command that ran then may have done so, or a block that had looked at the path already. */
  #isReplacedAtOnce({ path, after }: EditBeside, sha256: string): boolean {
    const { events } = this.#parts;
    const running = new Set<string>();
    for (const event of events.slice(0, after)) {
      if (event.type === "block-started") running.add(event.path);
      if (event.type === "attempt-ended" || event.type === "block-finished") running.delete(event.path);
    }
    const observed = new Set(
      events.filter(({ type }) => type === "observation-started").map((event) => (event as { path: string }).path),
    );
    if ([...running].some((one) => observed.has(one))) return true;
    const isThere = ({ at }: Effect): boolean =>
      writePath(Buffer.from(systemPath(absolutePath(at)))) === `${this.#workspace}/${path}`;
    const announced = events.flatMap((event, index) => {
      if (event.type !== "file-changed") return [];
      return event.changes.flatMap(effectsOf).map((effect) => ({ ...effect, index, by: event.path }));
    });
    const underWay = announced.some((effect) => effect.index < after && running.has(effect.by) && isThere(effect));
    const next = announced.find((effect) => effect.index >= after && isThere(effect));
    return underWay || (next !== undefined && !(next.before.kind === "file" && next.before.sha256 === sha256));
  }

  /** Paths that are neither as before, nor theirs, nor named as a conflict. What theirs lies in has to be there. */
  #findLeft(end: TreeSnapshot, undone: TakenBack): readonly string[] {
    const { before, edits } = this.#parts;
    const named = pathsOf(undone);
    const theirs = [...end]
      .filter(([, { what }]) => what.kind === "file" && edits.some(({ bytes }) => bytes.equals(what.bytes)))
      .map(([path]) => path);
    return compareSnapshots(before, end).filter((line) => {
      const path = pathIn(line);
      const holdsTheirs = end.get(path)?.what.kind === "directory" && theirs.some((one) => one.startsWith(`${path}/`));
      return !named.has(path) && !theirs.includes(path) && !holdsTheirs;
    });
  }
}

function isIn(tree: TreeSnapshot, bytes: Buffer): boolean {
  return [...tree.values()].some(({ what }) => what.kind === "file" && what.bytes.equals(bytes));
}

function pathIn(line: string): string {
  return line.slice(0, line.indexOf(": was"));
}

function pathsOf({ conflicts }: TakenBack): ReadonlySet<string> {
  return new Set(conflicts.map(({ path }) => writePath(Buffer.from(systemPath(path)))));
}
