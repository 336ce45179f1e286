import { afterAll, expect, test } from "vitest";
import { createRandom } from "../../crash/random.ts";
import { longTimeout, scaled } from "../../rig/scale.ts";
import {
  type CrashPhase,
  type CrashPlan,
  type CrashReport,
  followCrashes,
  forwardPhases,
  undoPhases,
} from "./crash-course.ts";

/** More only make the machine slower. */
const lanes = 2;
const isWhole = scaled({ slice: 0, long: 1 }) === 1;
/** The whole goes on, to show of what shape the violations are. */
const mostFailed = scaled({ slice: 3, long: 30 });
const reports: CrashReport[] = [];

async function followAll(plans: readonly CrashPlan[]): Promise<void> {
  const left = [...plans];
  const failed: string[] = [];
  const lane = async (): Promise<void> => {
    for (let plan = left.shift(); plan !== undefined && failed.length < mostFailed; plan = left.shift()) {
      const report = await followCrashes(plan);
      note(report, left.length);
      if (report.violations.length === 0) continue;
      const points = report.kills.map(({ phase, point }) => `${phase}, ${point}`).join("; then ");
      failed.push(`${JSON.stringify(plan)} killed ${points}\n  ${report.violations.join("\n  ")}`);
      say(`VIOLATION ${failed.at(-1)}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  expect(failed.join("\n\n")).toBe("");
}

let killed = 0;

/** Says how far it is after each fifty kills. */
function note(report: CrashReport, left: number): void {
  reports.push(report);
  const before = killed;
  killed += report.kills.length;
  if (Math.floor(killed / 50) > Math.floor(before / 50)) {
    say(`${killed} kills in ${Math.round(performance.now() / 1000)} s, ${left} plans left of this test`);
  }
}

function say(text: string): void {
  if (isWhole) process.stderr.write(`${text}\n`);
}

/** The whole takes every point; a slice takes a few of each phase, spread evenly. */
function choosePoints(points: readonly CrashPhase[], slice: Partial<Record<CrashPhase, number>>): number[] {
  if (isWhole) return points.map((_, index) => index + 1);
  return Object.entries(slice).flatMap(([phase, wanted]) => {
    const inside = points.flatMap((one, index) => (one === phase ? [index + 1] : []));
    const step = inside.length / wanted;
    return Array.from({ length: wanted }, (_, index) => inside[Math.floor((index + 0.5) * step)] ?? 1);
  });
}

const undisturbed = { forward: [], undo: [] } as const;

test(
  "a run is killed at any point of going on or of rolling back, and the tree comes back",
  async () => {
    const { points, violations } = await followCrashes({ workflow: "rolled-back", ...undisturbed });
    expect(violations).toEqual([]);
    say(`a run that is rolled back passes ${points.forward.length} points`);
    // Stopping has but four points, whose numbers differ a little from run to run: of one kill alone, many miss it.
    await followAll(
      choosePoints(points.forward, { "before the run": 1, running: 3, stopping: 2, "rolling back": 3 }).map((at) => ({
        workflow: "rolled-back",
        forward: [at],
        undo: [],
      })),
    );
  },
  longTimeout,
);

test(
  "an undo is killed at any point, the next start finishes it, and the tree comes back",
  async () => {
    const { points, violations } = await followCrashes({ workflow: "plain", ...undisturbed });
    expect(violations).toEqual([]);
    say(`an undo passes ${points.undo.length} points`);
    await followAll(
      choosePoints(points.undo, { "before the undo": 1, undoing: 3 }).map((at) => ({
        workflow: "plain",
        forward: [],
        undo: [at],
      })),
    );
  },
  longTimeout,
);

test(
  "a run and whoever goes on with it are killed, then its undo and whoever goes on with that, and the tree comes back",
  async () => {
    const random = createRandom(7);
    const count = scaled({ slice: 2, long: 200 });
    await followAll(
      Array.from({ length: count }, (_, index): CrashPlan => {
        // Who goes on passes what is left, so a number from anywhere is often one that it does not get to.
        const pair = (points: number): number[] => [1 + random(points), 1 + random(Math.ceil(points / 2))];
        if (index % 2 === 0) return { workflow: "rolled-back", forward: pair(800), undo: [] };
        return { workflow: "plain", forward: pair(540), undo: pair(230) };
      }),
    );
  },
  longTimeout,
);

test("kills fell into every phase, and on the journal, the workspace and the kept bytes", () => {
  const kills = reports.flatMap((report) => report.kills);
  const table = tabulate();
  // A run stops for a few points only, whose numbers differ from run to run: the slice can miss them.
  const certain = [...forwardPhases, ...undoPhases].filter((phase) => isWhole || phase !== "stopping");
  for (const phase of certain) {
    expect(kills.filter((kill) => kill.phase === phase).length, `${phase}\n${table}`).toBeGreaterThan(0);
  }
  for (const area of ["journal", "workspace", "blobs"]) {
    expect(kills.filter(({ point }) => point.endsWith(` ${area}`)).length, `${area}\n${table}`).toBeGreaterThan(0);
  }
});

afterAll(() => {
  const missed = reports.filter(({ kills }) => kills.length === 0).length;
  say(
    `${tabulate()}\n${reports.length} plans, ${killed} kills; ${missed} plans ended before the point that they were to die at`,
  );
});

/** Kills by where they fell. */
function tabulate(): string {
  const kills = reports.flatMap((report) => report.kills);
  const areas = ["journal", "workspace", "blobs", "process"];
  const rows = [...forwardPhases, ...undoPhases, "at the end"].map((phase) => {
    const cells = areas.map((area) => kills.filter((one) => one.phase === phase && one.point.endsWith(area)).length);
    return phase.padEnd(20) + cells.map((cell) => String(cell).padStart(12)).join("");
  });
  return [`${"kills".padEnd(20)}${areas.map((area) => area.padStart(12)).join("")}`, ...rows].join("\n");
}
