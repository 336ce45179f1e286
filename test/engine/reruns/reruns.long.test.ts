import { expect, test } from "vitest";
import { isInFinally, isWithin, type RunNode } from "../../../src/engine/run-node.ts";
import type { RunState } from "../../../src/engine/state.ts";
import { createRandom, pick, type Random } from "../../crash/random.ts";
import { TestMachine } from "../../rig/machine.ts";
import { longTimeout, scaled } from "../../rig/scale.ts";
import { type CaseEngine, type Disturbance, differences, type Left, openCase, undisturbed, whoRan } from "./course.ts";
import { type Edit, editCase } from "./edit-case.ts";
import { findBlocks } from "./find-blocks.ts";
import { type Case, type Family, type Maker, makeCase } from "./make-case.ts";
import { mayRun, notReusable, runsAlways } from "./may-run.ts";

/** FROND_SEEDS=7 tries one case again, FROND_SEEDS=1000-2000 others. */
const [firstSeed = 1, lastSeed = firstSeed] = process.env.FROND_SEEDS?.split("-").map(Number) ?? [
  1,
  scaled({ slice: 12, long: 20_000 }),
];
const tally = new Map<string, number>();

function count(what: string, by = 1): void {
  tally.set(what, (tally.get(what) ?? 0) + by);
}

function disturb(random: Random, family: Family, within: Case): Disturbance {
  const kind = pick(random, ["none", "none", "cancel", "die", "die-and-go-on", "leave-paused"] as const);
  const tags = [...findBlocks(within).values()].flatMap(({ block }) =>
    block.type === "Work" ? [String(block.inputs?.tag)] : [],
  );
  // An edit may have allowed failures, and one that is allowed is taken over.
  const mayBreak = family === "plain" && !JSON.stringify(within).includes('"allow_failure":true');
  const broken = mayBreak && random(2) === 0 && tags.length > 0 ? [pick(random, tags)] : [];
  return { kind, at: random(pick(random, [5, 20, 80])), broken: new Set(broken) };
}

function editSome(
  before: Case,
  maker: Maker,
  open: (edited: Case) => CaseEngine,
  counts: readonly number[],
): { now: Case; edits: Edit[] } {
  let now = before;
  const edits: Edit[] = [];
  const wanted = pick(maker.random, counts);
  for (let tries = 0; edits.length < wanted && tries < 20; tries++) {
    // Lists are edited most.
    const made = editCase(now, maker, pick(maker.random, ["", "", "element"]));
    if (made === undefined || !open(made.edited).isAccepted()) continue;
    now = made.edited;
    edits.push(made.edit);
    count(`edit: ${made.edit.name}`);
  }
  return { now, edits };
}

/** `fix`: it goes well, one thing is changed, and it is run again. `chain`: anything happens, again and again. */
async function followCase(seed: number, kind: "fix" | "chain"): Promise<void> {
  const family: Family = kind === "fix" || seed % 2 === 0 ? "plain" : "handling";
  const { made, maker } = makeCase(seed, family);
  const random = createRandom(seed + 1_000_000);
  const machine = new TestMachine();
  const opened: CaseEngine[] = [];
  const open = (of: Case): CaseEngine => {
    const engine = openCase(of, machine);
    opened.push(engine);
    return engine;
  };
  try {
    const first = open(made);
    if (!first.isAccepted()) return count("refused");
    let before = await first.run(kind === "fix" ? undisturbed : disturb(random, family, made));
    let text = made;
    const links = kind === "fix" ? 1 : 1 + random(3);
    for (let link = 1; link <= links; link++) {
      const { now, edits } = editSome(text, maker, open, kind === "fix" ? [1] : [0, 1, 1, 1, 2, 3]);
      const how = link === links ? undisturbed : disturb(random, family, now);
      const engine = open(now);
      const left = await engine.rerun(before.runId, how);
      count(`rerun of ${before.state.finished?.outcome ?? "unfinished"}`);
      checkTaken(left, before.state, now, edits, text);
      if (how.broken.size === 0) checkEconomy(left, before.state, now, edits);
      if (how.kind === "none" && how.broken.size === 0) {
        const full = await engine.run(undisturbed);
        const other = differences(left.state, full.state).join("\n");
        expect(
          other,
          `rerun of a run that ${before.state.finished?.message ?? "went well"}, after ${JSON.stringify(edits)}`,
        ).toBe("");
      }
      before = left;
      text = now;
    }
  } finally {
    for (const engine of opened) await engine.close();
    machine.close();
  }
}

function checkTaken({ state }: Left, before: RunState, now: Case, edits: readonly Edit[], text: Case): void {
  const { ran, reused } = whoRan(state);
  count("ran", ran.length);
  count("reused", reused.length);
  checkBefore(state, now, ran, reused);
  // The second of two edits may take back the first.
  const changed = new Set([...(edits.length === 1 ? (edits[0]?.changed ?? []) : []), ...notReusable(now)]);
  const wrong = reused.filter(({ block }) => changed.has(block?.definition.id ?? ""));
  expect(
    wrong.map(({ path }) => path),
    "reused though it was edited, or runs in every rerun",
  ).toEqual([]);
  const isSame = JSON.stringify([now.root, now.library]) === JSON.stringify([text.root, text.library]);
  const sameInputs = JSON.stringify(before.started.inputs) === JSON.stringify(state.started.inputs);
  const answered = reused.filter(({ record }) => record.inputs.asks === "human");
  if (!isSame || !sameInputs)
    expect(
      answered.map(({ path }) => path),
      "answered for something else",
    ).toEqual([]);
}

/** Whatever it came to: what comes before a block may have done something that no value tells. */
function checkBefore({ nodes }: RunState, now: Case, ran: readonly RunNode[], reused: readonly RunNode[]): void {
  const blocks = findBlocks(now);
  const always = runsAlways(now);
  // What cleans up inside of it is nothing to those after it.
  const acted = ran.filter((node) => !always.has(node.block?.definition.id ?? "") && !isInFinally(node));
  const wrong = reused.filter((node) => {
    for (let at: RunNode | undefined = node; at?.parent !== undefined; at = at.parent) {
      const before = comesBefore(at, blocks).map((path) => nodes.get(path));
      if (before.some((one) => one !== undefined && acted.some((leaf) => isWithin(leaf, one)))) return true;
    }
    return false;
  });
  expect(wrong.map(({ path }) => path).join(), "reused though something before it ran").toBe("");
}

/** Addresses of what it depends on, of what it cleans up after, or of the pass that it builds on. */
function comesBefore(node: RunNode, blocks: ReturnType<typeof findBlocks>): string[] {
  const around = node.path.split("/").slice(0, -1);
  const beside = (key: string | number): string => [...around, key].join("/");
  const { index } = node.element ?? {};
  if (index !== undefined) return node.block?.definition.repeat === undefined ? [] : [beside(index - 1)];
  const { block, isFinally, workflow } = blocks.get(node.key) ?? {};
  const main = isFinally ? (workflow?.blocks ?? []).map(({ id }) => id) : [];
  return [...(block?.depends_on ?? []).map((on) => (typeof on === "string" ? on : on.block)), ...main].map(beside);
}

function checkEconomy(left: Left, before: RunState, now: Case, edits: readonly Edit[]): void {
  const { state } = left;
  const { ran } = whoRan(state);
  // What cleans up after a cancelled run reads that it was.
  if (state.cancelRequested) return;
  if (edits.length === 1) checkElements(left, before, now, edits[0] as Edit);
  const isRepeated = edits.length === 0 && before.finished?.outcome === "success";
  if (isRepeated) count("nothing to do");
  const allowed = isRepeated ? runsAlways(now) : mayRun(now, edits, before);
  const needless = ran.filter(({ block, askedPerson, stage }) => {
    const asks = askedPerson || stage.kind === "asking";
    return !allowed.has(block?.definition.id ?? "") && !asks && (isRepeated || hasNoAsker(now));
  });
  const reasons = needless.map(({ path, record }) => [path, record.metadata.not_reused]);
  expect(JSON.stringify(reasons), `ran without a reason: ${JSON.stringify(edits)}`).toBe("[]");
}

/** Of a loop whose list alone was edited, no more passes run than there are elements that were not in it before. */
function checkElements({ state }: Left, before: RunState, now: Case, { loop }: Edit): void {
  const { nodes } = state;
  const { ran } = whoRan(state);
  const found = loop === undefined ? undefined : findBlocks(now).get(loop);
  if (found === undefined || before.finished?.outcome !== "success" || !hasNoAsker(now)) return;
  if (/each\.(index|count|key|previous)/.test(JSON.stringify(found.block))) return;
  const always = runsAlways(now);
  const acted = ran.filter(({ block }) => !always.has(block?.definition.id ?? ""));
  for (const node of [...nodes.values()].filter(({ key, inside }) => key === loop && inside.kind === "loop")) {
    const [inside, then] = [node.inside, before.nodes.get(node.path)?.inside];
    if (inside.kind !== "loop" || then?.kind !== "loop") continue;
    const left = then.elements.map(identityOf);
    const fresh = inside.elements.map(identityOf).filter((one) => {
      const at = left.indexOf(one);
      if (at !== -1) left.splice(at, 1);
      return at === -1;
    });
    count("lists compared");
    const again = inside.passes.filter((pass) => acted.some((one) => isWithin(one, pass)));
    expect(again.length, `passes of ${node.path} that ran`).toBeLessThanOrEqual(fresh.length);
  }
}

function identityOf({ key, value }: { readonly key: unknown; readonly value: unknown }): string {
  return JSON.stringify([typeof key === "string" ? key : null, value]);
}

/** A question that is asked again lets what follows it run. */
function hasNoAsker(now: Case): boolean {
  return !JSON.stringify(now).includes('"human"');
}

/** With what differs, which is longer than a message shows. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { actual } = error as { readonly actual?: unknown };
  return `${error.message}\n${actual}\n${error.stack}`;
}

test.each(["fix", "chain"] as const)(
  "a rerun comes to what a run of the edited text comes to, and runs nothing that has no reason to: %s",
  {
    timeout: longTimeout,
  },
  async (kind) => {
    const failures: string[] = [];
    for (let seed = firstSeed; seed <= lastSeed && failures.length < 5; seed++) {
      await followCase(seed, kind).catch((error) => failures.push(`seed ${seed}: ${describe(error)}`));
    }
    expect(failures.join("\n\n")).toBe("");
  },
);

test("what is looked at comes up", () => {
  if (lastSeed - firstSeed < 11) return;
  const needed = ["ran", "reused", "nothing to do", "lists compared", "rerun of success", "rerun of failure"];
  for (const what of [...needed, "rerun of unfinished"]) expect(tally.get(what), what).toBeGreaterThan(0);
});
