import { afterAll, describe, expect, test } from "vitest";
import { carriers, Fresh } from "./carriers.ts";
import { Random } from "./random.ts";
import { Canary, runBatch, shells } from "./run-shell.ts";
import { sinks } from "./sinks.ts";
import { spellValues } from "./spell-values.ts";

const canary = new Canary();
afterAll(() => canary.remove());

/** Between them they run in every place that evaluates a value. */
const run = canary.program;
const values = [`a[$(${run})]`, `$(${run})`, `($(${run}))`, run];

/** Those commands that run at least one of the values when nothing is refused. */
function findRunning(shell: string, commands: readonly string[]): readonly string[] {
  const cases = commands.flatMap((command) =>
    values.map((value) => ({ command, script: spellValues(command, { v: value }), prelude: "" })),
  );
  const outcomes = runBatch(shell, cases, canary);
  return [...new Set(cases.filter((_, index) => outcomes[index]?.ran).map(({ command }) => command))];
}

describe.each(shells)("in %s", (shell) => {
  const isKnown = ({ bashOnly }: { bashOnly?: boolean }): boolean => shell === "bash" || bashOnly !== true;
  const carryTo = (use: (word: string) => string): string[] =>
    carriers.filter(isKnown).map(({ carry }) =>
      carry({
        random: new Random(1),
        fresh: new Fresh(),
        held: { word: "${inputs.v}" },
        rest: ({ word }) => use(word),
      }),
    );

  test("each carrier hands a value on", () => {
    const commands = carryTo((word) => `eval "${word}"`);
    expect(findRunning(shell, commands)).toEqual(commands);
  });

  test("no carrier runs a value itself", () => {
    const commands = carryTo((word) => `echo "${word}"`);
    expect(findRunning(shell, commands)).toEqual([]);
  });

  test("each sink that evaluates runs some value, and no other does", () => {
    const known = sinks.filter(isKnown);
    const written = known.map((sink) => ({
      sink,
      command: `v0="\${inputs.v}"\n${sink.use({ word: "$v0", name: "v0" })}`,
    }));
    const running = findRunning(
      shell,
      written.map(({ command }) => command),
    );
    expect(running).toEqual(written.filter(({ sink }) => sink.evaluates).map(({ command }) => command));
  });
});
