import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestEngine, type TestEngine } from "../../rig/engine.ts";
import type { Attack } from "./attack.ts";
import { corpus } from "./corpus.ts";
import { isRunnable, judge, runAttacks, type Verdict } from "./judge-attacks.ts";

interface Judged {
  readonly kind: string;
  readonly attack: Attack;
  readonly verdict: Verdict;
  readonly executed: boolean;
}

let engine: TestEngine;
const all: Judged[] = [];

beforeAll(async () => {
  engine = openTestEngine();
  const judged = corpus.flatMap(({ kind, attacks }) =>
    attacks.map((attack) => ({ kind, attack, verdict: judge(engine, attack) })),
  );
  const accepted = judged.filter(({ attack, verdict }) => verdict === "accepted" && isRunnable(attack));
  const ran = new Set(
    await runAttacks(
      engine,
      accepted.map(({ attack }) => attack),
    ),
  );
  all.push(...judged.map((one) => ({ ...one, executed: ran.has(one.attack) })));
  process.stdout.write(summarise(all));
});

afterAll(() => engine.close());

describe.each(corpus)("$kind", ({ attacks }) => {
  const named = (wanted: (one: Judged) => boolean): string[] =>
    all.filter((one) => attacks.includes(one.attack) && wanted(one)).map(({ attack }) => attack.name);

  test("no accepted value is executed", () => {
    expect(named(({ attack, executed }) => executed && attack.expect !== "unseen")).toEqual([]);
  });

  test("what evaluates a value is refused, or at least warned of where a program decides", () => {
    expect(named(({ attack, verdict }) => attack.expect === "refused" && verdict !== "refused")).toEqual([]);
    expect(named(({ attack, verdict }) => attack.expect === "warned" && verdict === "accepted")).toEqual([]);
  });

  test("what only looks like an attack is accepted", () => {
    expect(named(({ attack, verdict }) => attack.expect === "harmless" && verdict === "refused")).toEqual([]);
  });
});

function summarise(judged: readonly Judged[]): string {
  const line = (kind: string, ones: readonly Judged[]): string => {
    const among = (wanted: (attack: Attack) => boolean): Judged[] => ones.filter(({ attack }) => wanted(attack));
    const count = (from: readonly Judged[], verdict: Verdict): number =>
      from.filter((one) => one.verdict === verdict).length;
    const figures = (from: readonly Judged[]): string => {
      const executed = from.filter((one) => one.executed).length;
      const idle = count(from, "accepted") - executed;
      return `${executed} executed, ${count(from, "refused")} refused, ${count(from, "warned")} warned, ${idle} not run`;
    };
    const attacks = among(({ expect }) => expect === "refused" || expect === "warned");
    const unseen = among(({ expect }) => expect === "unseen");
    const harmless = among(({ expect }) => expect === "harmless");
    return [
      `${kind}: ${attacks.length} attacks: ${figures(attacks)}`,
      ...(unseen.length === 0 ? [] : [`${unseen.length} beyond sight: ${figures(unseen)}`]),
      `${harmless.length} harmless: ${count(harmless, "refused")} refused, ${count(harmless, "warned")} warned\n`,
    ].join("; ");
  };
  const lines = corpus.map(({ kind }) =>
    line(
      kind,
      judged.filter((one) => one.kind === kind),
    ),
  );
  return `${lines.join("")}${line("all", judged)}`;
}
