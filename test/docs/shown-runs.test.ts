import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Command, readRecipes } from "./recipe.ts";

/** What is printed is compared without ids and times, so these have to be right by themselves. */
const documents = ["docs/durable-runs.md", "docs/recipes.md"].flatMap((file) =>
  readRecipes(readFileSync(file, "utf8").replaceAll(/^```sh\n[\s\S]*?^```$/gm, "")).map(({ title, steps }) => ({
    title,
    commands: steps.flatMap((step) => (step.kind === "commands" ? step.commands : [])),
  })),
);
const sections = documents.filter(({ commands }) => commands.some(({ output }) => idsIn(output).size > 0));

test("there are sections that show runs", () => {
  expect(sections.length).toBeGreaterThan(10);
});

describe.each(sections)("$title", ({ commands }) => {
  test("a run keeps its id, and another one has another", () => {
    const seen = new Set<string>();
    /** Whether a run has begun whose id is not shown yet. */
    let isNew = false;
    for (const { text, output } of commands) {
      if (/\bfrond (?:run|rerun)\b/.test(text)) isNew = true;
      const ids = idsIn(output);
      if (ids.size === 0) continue;
      expect(
        [...ids].filter((id) => !seen.has(id)),
        text,
      ).toHaveLength(isNew ? 1 : 0);
      isNew = false;
      for (const id of ids) seen.add(id);
    }
  });

  test("a run takes no less time than what is shown of it", () => {
    for (const command of commands) {
      const total = command.output.flatMap((line) => timesIn(line, /^(?:success|failure) .* in (\S+?)(?::|$| \()/));
      if (total.length === 0) continue;
      expect(total[0], command.text).toBeGreaterThanOrEqual(timeShown(command));
    }
  });
});

function idsIn(output: readonly string[]): ReadonlySet<string> {
  return new Set(output.join("\n").match(/\brun_[0-9a-z]+/g));
}

/** Delays one after the other, and the longest block. */
function timeShown({ output }: Command): number {
  const delays = output.flatMap((line) =>
    timesIn(line, /next attempt in (\S+)$|^sleeps .* for (\S+)$|limit of (\S+)$/),
  );
  const blocks = output.flatMap((line) => timesIn(line, /^(?:ok|FAILED) +\S+ (\d\S*?)(?::|$)/));
  return Math.max(
    0,
    ...blocks,
    delays.reduce((sum, one) => sum + one, 0),
  );
}

function timesIn(line: string, pattern: RegExp): number[] {
  const written = pattern.exec(line)?.slice(1).find(Boolean);
  if (written === undefined) return [];
  const [, number, unit] = /^([\d.]+)(ms|s)$/.exec(written) ?? [];
  if (number === undefined) throw new Error(`This is no time: ${written}`);
  return [Number(number) * (unit === "s" ? 1000 : 1)];
}
