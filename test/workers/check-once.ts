import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Fleet } from "../rig/fleet.ts";
import { shell, workflow } from "../rig/frond.ts";

/** Numbers that look random and are the same in every run of the tests. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x7fff_ffff) * below) % below;
  };
}

/** Blocks that depend on some of those before them, and each leave a line behind when they begin and when they end. */
export function irregularWorkflow(name: string, count: number, random: (below: number) => number): string {
  const blocks = Array.from({ length: count }, (_, index) => {
    const needed = new Set<string>();
    for (let edges = random(3); edges > 0 && index > 0; edges--) needed.add(`b${random(index)}`);
    const mark = (what: string): string => `echo ${what} b${index} >> $(pwd)/$FROND_RUN_ID.txt`;
    return shell(`b${index}`, `${mark("begin")}; sleep 0.${random(3)}${random(10)}; ${mark("end")}`, {
      depends_on: [...needed],
      on_interrupted: "rerun",
    });
  });
  return workflow(name, blocks);
}

/** Every block has ended once; what was done more often was interrupted in between, and that is on record. */
export async function checkOnce(fleet: Fleet, runId: string, count: number): Promise<void> {
  const events = await fleet.events(runId);
  const lines = readFileSync(join(fleet.frond.directory, `${runId}.txt`), "utf8").split("\n");
  for (let index = 0; index < count; index++) {
    const of = (type: string): number =>
      events.filter((event) => event.type === type && "path" in event && event.path === `b${index}`).length;
    const done = (what: string): number => lines.filter((line) => line === `${what} b${index}`).length;
    expect([of("block-finished"), `b${index}`]).toEqual([1, `b${index}`]);
    expect(done("end")).toBeGreaterThanOrEqual(1);
    expect(done("begin")).toBeLessThanOrEqual(1 + of("block-interrupted"));
  }
}
