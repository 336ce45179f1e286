import { afterAll, describe, expect, test } from "vitest";
import { openTestEngine } from "../rig/engine.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import type { GeneratedBlock } from "./generate-flow.ts";
import { generateBlock, generateValue } from "./generate-script.ts";
import { Random } from "./random.ts";
import { Canary, runBatch, type Script, shells, tryAssemble } from "./run-shell.ts";
import { fillIn, spellValues } from "./spell-values.ts";

const scripts = scaled({ slice: 50, long: 50_000 });
const seed = Number(process.env.FROND_FUZZ_SEED ?? 1);
/** Small where one that runs its value is enough. */
const batchSize = scaled({ slice: 15, long: 100 });

const canary = new Canary();
const engine = openTestEngine();
afterAll(async () => {
  canary.remove();
  await engine.close();
});

interface Case extends Script {
  readonly block: GeneratedBlock;
  readonly value: string;
}

/** Gives the script with the value in it, or undefined when it refuses to. */
type Compiler = (block: GeneratedBlock, value: string, shell: string) => Pick<Script, "script" | "prelude"> | undefined;

interface Found {
  readonly ran: number;
  readonly hits: readonly Case[];
}

/** Runs generated scripts until `wanted` have run, or until as many values as `enough` were run. */
function findExecutions(shell: string, compile: Compiler, wanted: number, enough: number): Found {
  const random = new Random(seed);
  const hits: Case[] = [];
  let ran = 0;
  while (ran < wanted && hits.length < enough) {
    const cases: Case[] = [];
    while (cases.length < Math.min(batchSize, wanted - ran)) {
      const block = generateBlock(random, shell);
      const value = generateValue(random, random.pick([canary.command, canary.program]));
      const script = compile(block, value, shell);
      if (script !== undefined) cases.push({ block, value, ...script, ...surroundings(block, value) });
    }
    const outcomes = runBatch(shell, cases, canary);
    hits.push(...cases.filter((_, index) => outcomes[index]?.ran));
    ran += cases.length;
  }
  return { ran, hits };
}

function surroundings({ stdin = "", env = {} }: GeneratedBlock, value: string): Pick<Script, "stdin" | "env"> {
  const filled = Object.entries(env).map(([name, text]) => [name, fillIn(text, { v: value })]);
  return { stdin: fillIn(stdin, { v: value }), env: Object.fromEntries(filled) };
}

/** As `frond validate` judges it. A percent sign in a format changes text and runs nothing. */
const frond: Compiler = (block, value, shell) => {
  const { diagnostics } = engine.check({
    inputs: { v: { type: "string", description: "A value" } },
    blocks: [{ id: "it", type: "Shell", inputs: { ...block, shell } }],
  });
  const isRefused = diagnostics.some(
    ({ level, code }) => level === "error" || (level === "warning" && code !== "value-in-format"),
  );
  const holdsValue = JSON.stringify(block).includes("${inputs.v}");
  if (isRefused || !holdsValue) return undefined;
  const assembled = tryAssemble(block.command, value);
  return assembled.ok ? assembled.value : undefined;
};

const written = /\$\{inputs\.v\}/g;
const pasting: Compiler = ({ command }, value) => ({
  script: command.replaceAll(written, () => value),
  prelude: "",
});
const quoting: Compiler = ({ command }, value) => {
  const quoted = `'${value.replaceAll("'", "'\\''")}'`;
  return { script: command.replaceAll(written, () => quoted), prelude: "" };
};
const neverRefusing: Compiler = ({ command }, value) => ({ script: spellValues(command, { v: value }), prelude: "" });

describe.each(shells)("%s", (shell) => {
  test("a value never becomes shell source in generated scripts", { timeout: longTimeout }, () => {
    // FROND_FUZZ_COUNT counts all executions instead of stopping at the first batch that has one.
    const enough = process.env.FROND_FUZZ_COUNT === undefined ? 1 : Number.POSITIVE_INFINITY;
    const wanted = Math.ceil(scripts / shells.length);
    const { ran, hits } = findExecutions(shell, frond, wanted, enough);
    if (enough > 1) process.stdout.write(`${shell}: ${hits.length} of ${ran} accepted scripts ran their value\n`);
    expect(hits.slice(0, 5).map(({ block, value }) => ({ block, value }))).toEqual([]);
    expect(ran).toBeGreaterThanOrEqual(wanted);
  });

  test.each([
    ["pastes", pasting],
    ["always quotes", quoting],
    ["spells well but refuses nothing", neverRefusing],
  ])("the same scripts find a compiler that %s", (_, compiler) => {
    expect(findExecutions(shell, compiler, 500, 1).hits).not.toEqual([]);
  });
});
