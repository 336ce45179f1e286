import { afterAll, describe, expect, test } from "vitest";
import { assembleScript } from "../../src/blocks/shell/assemble-script.ts";
import { compileCommand } from "../../src/blocks/shell/compile-command.ts";
import { scanCommands } from "../../src/blocks/shell/scan-commands.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { generateScript, generateValue, Random } from "./generate-script.ts";
import { Canary, runBatch, type Script, shells } from "./run-shell.ts";

const scripts = scaled({ slice: 400, long: 50_000 });
const seed = Number(process.env.FROND_FUZZ_SEED ?? 1);
const batchSize = 100;

const canary = new Canary();
afterAll(() => canary.remove());

interface Case extends Script {
  readonly source: string;
  readonly value: string;
}

/** Gives the script with the value in it, or undefined when it refuses to. */
type Compiler = (source: string, value: string) => Script | undefined;

/** Runs generated scripts until `wanted` have run; gives the first whose value was run. */
function findExecution(
  shell: string,
  compile: Compiler,
  wanted: number,
  start: number,
): { ran: number; hit: Case | undefined } {
  const random = new Random(start);
  let ran = 0;
  while (ran < wanted) {
    const cases: Case[] = [];
    while (cases.length < Math.min(batchSize, wanted - ran)) {
      const source = generateScript(random);
      const value = generateValue(random, canary.command);
      const script = compile(source, value);
      if (script !== undefined) cases.push({ source, value, ...script });
    }
    const outcomes = runBatch(shell, cases, canary);
    const hit = cases.find((_, index) => outcomes[index]?.ran);
    ran += cases.length;
    if (hit !== undefined) return { ran, hit };
  }
  return { ran, hit: undefined };
}

const frond: Compiler = (source, value) => {
  const compiled = compileCommand(source);
  if (!compiled.ok || compiled.value.values.length === 0) return undefined;
  // What goes through a pipe into a shell, or into the text of a program, is the one thing that only gets a warning.
  if (compiled.value.notes.some((note) => note.level === "warning" && note.code !== "value-in-format"))
    return undefined;
  const assembled = assembleScript(
    compiled.value,
    compiled.value.values.map(() => value),
  );
  return assembled.ok ? assembled.value : undefined;
};

const written = /\$\{inputs\.v\}/g;
const pasting: Compiler = (source, value) => ({ script: source.replaceAll(written, () => value), prelude: "" });
const quoting: Compiler = (source, value) => {
  const quoted = `'${value.replaceAll("'", "'\\''")}'`;
  return { script: source.replaceAll(written, () => quoted), prelude: "" };
};

/** Our own spelling without our refusals. */
const neverRefusing: Compiler = (source, value) => {
  const { scan, stop } = scanCommands(source);
  if (stop !== undefined || scan.values.length === 0) return undefined;
  const compiled = { segments: scan.segments, values: scan.values, notes: [] };
  const assembled = assembleScript(
    compiled,
    scan.values.map(() => value),
  );
  return assembled.ok ? assembled.value : undefined;
};

describe.each(shells)("%s", (shell) => {
  test("a value never becomes shell source in generated scripts", { timeout: longTimeout }, () => {
    const { ran, hit } = findExecution(shell, frond, Math.ceil(scripts / shells.length), seed);
    expect(hit).toBeUndefined();
    expect(ran).toBeGreaterThanOrEqual(Math.ceil(scripts / shells.length));
  });

  test.each([
    ["pastes", pasting],
    ["always quotes", quoting],
    ["spells well but refuses nothing", neverRefusing],
  ])("the same scripts find a compiler that %s", (_, compiler) => {
    expect(findExecution(shell, compiler, 500, seed).hit).toBeDefined();
  });
});
