import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { systemPath } from "../../src/platform/files/file-paths.ts";
import { createRandom, pick } from "../crash/random.ts";
import { whyNotIsolated } from "../rig/isolation.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { followBeside } from "./beside.ts";
import { editAsBystander, type ForeignEdit } from "./bystander.ts";
import { writePath } from "./byte-path.ts";
import { CaseGround } from "./open-case.ts";
import { takeBack } from "./take-back.ts";
import { compareSnapshots, type TreeSnapshot, takeSnapshot } from "./tree-snapshot.ts";
import { type CaseLimits, makeCase } from "./undo-case.ts";

const [firstSeed = 1, lastSeed = firstSeed] = process.env.FROND_SEEDS?.split("-").map(Number) ?? [
  1,
  scaled({ slice: 8, long: 3_000 }),
];
const ground = new CaseGround();
afterAll(() => ground.close());
const canIsolate = (await whyNotIsolated()) === undefined;
const limits: CaseLimits = {
  kinds: ["undo"],
  effects: canIsolate ? ["observe", "observe", "isolated"] : ["observe"],
  mayRestore: false,
};
const areas = ["t0", "t1", "t2", "ignored"];
const tally = new Map<string, number>();

function count(what: string, by = 1): void {
  tally.set(what, (tally.get(what) ?? 0) + by);
}

type OnConflict = "keep" | "force";

/** Somebody edits what a run has left, and then the run is taken back. */
async function followBystander(seed: number): Promise<readonly string[]> {
  const random = createRandom(seed + 5_000_000);
  const onConflict: OnConflict = pick(random, ["keep", "keep", "force"]);
  const made = makeCase(seed, limits);
  const { engine, close } = ground.open(made);
  try {
    const before = takeSnapshot(engine.workspace);
    const run = await engine.start(made.root);
    await run.settled;
    const left = takeSnapshot(engine.workspace);
    const edits = Array.from({ length: 1 + random(4) }, () => editAsBystander(random, engine.workspace, areas)).flat();
    const edited = takeSnapshot(engine.workspace);
    const { conflicts } = await takeBack(engine, run.runId, { onConflict });
    const end = takeSnapshot(engine.workspace);
    count("edits", edits.length);
    count("conflicts", conflicts.length);
    const isStored = (bytes: Buffer): Promise<boolean> =>
      engine.engine.platform.blobs
        .get(createHash("sha256").update(bytes).digest("hex"))
        .then((got) => got !== undefined);
    const named = new Set(conflicts.map(({ path }) => writePath(Buffer.from(systemPath(path)))));
    return [
      ...(await findLost({ edits, edited, end, named, onConflict, isStored })),
      ...findLeft({ before, left, edited, end, named }),
    ].map((line) => `${onConflict}: ${line}`);
  } finally {
    await close();
  }
}

interface Look {
  readonly edits: readonly ForeignEdit[];
  readonly edited: TreeSnapshot;
  readonly end: TreeSnapshot;
  readonly named: ReadonlySet<string>;
  readonly onConflict: OnConflict;
  isStored(bytes: Buffer): Promise<boolean>;
}

/** Bytes of theirs that are neither in place nor kept. */
async function findLost({ edited, end, onConflict, isStored, edits }: Look): Promise<string[]> {
  const lost: string[] = [];
  for (const { path, bytes } of edits) {
    const [theirs, now] = [edited.get(path)?.what, end.get(path)?.what];
    if (bytes === undefined || theirs?.kind !== "file" || !theirs.bytes.equals(bytes)) continue;
    if (now?.kind === "file" && now.bytes.equals(bytes)) count("bytes in place");
    else if (onConflict === "force" && (await isStored(bytes))) count("bytes kept");
    else lost.push(`${path}: what somebody wrote there is gone`);
  }
  return lost;
}

interface Left {
  readonly before: TreeSnapshot;
  readonly left: TreeSnapshot;
  readonly edited: TreeSnapshot;
  readonly end: TreeSnapshot;
  readonly named: ReadonlySet<string>;
}

/** Paths that are neither as before, nor as somebody left them, nor named as a conflict. */
function findLeft({ before, left, edited, end, named }: Left): string[] {
  const pathOf = (line: string): string => line.slice(0, line.indexOf(": was"));
  const theirs = new Set(compareSnapshots(left, edited).map(pathOf));
  return compareSnapshots(before, end).filter((line) => {
    const path = pathOf(line);
    if (named.has(path)) return false;
    const isAsTheyLeftIt = theirs.has(path) && compareSnapshots(one(edited, path), one(end, path)).length === 0;
    return !isAsTheyLeftIt;
  });
}

function one(snapshot: TreeSnapshot, path: string): TreeSnapshot {
  const entry = snapshot.get(path);
  return entry === undefined ? new Map() : new Map([[path, entry]]);
}

test(
  "what somebody else wrote since is still there after an undo, or kept and named, and everything else is as it was",
  async () => {
    const failures: string[] = [];
    for (let seed = firstSeed; seed <= lastSeed && failures.length < 3; seed++) {
      const lines = await followBystander(seed).catch((error) => [`it throws: ${String(error.stack)}`]);
      if (lines.length > 0) failures.push(`seed ${seed} (once more: FROND_SEEDS=${seed}):\n  ${lines.join("\n  ")}`);
    }
    expect(failures.join("\n\n")).toBe("");
    if (lastSeed === firstSeed) return;
    for (const what of ["edits", "conflicts", "bytes in place", "bytes kept"])
      expect(tally.get(what), what).toBeGreaterThan(0);
  },
  longTimeout,
);

test(
  "what somebody else writes while a run is under way is still there after an undo, or comes again when that is undone",
  async () => {
    const failures: string[] = [];
    const parts = { limits, areas, ground, count };
    for (let seed = firstSeed; seed <= lastSeed && failures.length < 3; seed++) {
      const lines = await followBeside(seed, parts).catch((error) => [`it throws: ${String(error.stack)}`]);
      if (lines.length > 0) failures.push(`seed ${seed} (once more: FROND_SEEDS=${seed}):\n  ${lines.join("\n  ")}`);
    }
    expect(failures.join("\n\n")).toBe("");
    process.stderr.write(`${[...tally].map(([name, number]) => `${number} ${name}`).join(", ")}\n`);
    if (lastSeed === firstSeed) return;
    for (const what of ["edits beside a run", "bytes in place beside a run", "bytes kept beside a run"])
      expect(tally.get(what), what).toBeGreaterThan(0);
  },
  longTimeout,
);
