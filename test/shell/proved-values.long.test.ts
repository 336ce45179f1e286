import { afterAll, describe, expect, test } from "vitest";
import { assembleScript } from "../../src/blocks/shell/assemble-script.ts";
import { judgeCommand } from "../../src/blocks/shell/compile-command.ts";
import { ShellInput, shellCommand } from "../../src/blocks/shell/shell-command.ts";
import { parseExpression } from "../../src/expression/parse-expression.ts";
import { type Proof, provenNumber } from "../../src/expression/proof.ts";
import type { Value } from "../../src/expression/value.ts";
import { knownValues } from "../../src/plan/prove-values.ts";
import { openTestEngine } from "../rig/engine.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import type { GeneratedBlock } from "./generate-flow.ts";
import { generateBlock, generateValue } from "./generate-script.ts";
import { Random } from "./random.ts";
import { Canary, runBatch, type Script, shells } from "./run-shell.ts";

const reference = "${inputs.v}";
const scripts = scaled({ slice: 44, long: 20_000 });
const seed = Number(process.env.FROND_FUZZ_SEED ?? 1);
/** Small where one that runs its value is enough. */
const batchSize = scaled({ slice: 15, long: 100 });

const canary = new Canary();
const engine = openTestEngine();
afterAll(async () => {
  canary.remove();
  await engine.close();
});

/** An input of which something is declared, and values that fit: among them the name of a program that must not run. */
interface Declared {
  readonly declaration: object;
  readonly fitting: (random: Random) => Value;
}

const { program } = canary;
const pieces = [
  program,
  "PATH",
  "BASH_ENV",
  "eval",
  "n",
  "z",
  "a",
  "0",
  "9",
  "/",
  ".",
  ":",
  "@",
  "%",
  "+",
  "=",
  ",",
  "_",
];

function wordOf(random: Random, allowed: RegExp): string {
  const length = 1 + random.below(4);
  const word = Array.from({ length }, () => random.pick(pieces.filter((piece) => allowed.test(piece)))).join("");
  return word.startsWith("-") ? `x${word}` : word;
}

const declared: readonly Declared[] = [
  { declaration: { type: "integer" }, fitting: (random) => random.pick([0, 7, -1, -999, 2 ** 53 - 1]) },
  { declaration: { type: "integer", minimum: 0 }, fitting: (random) => random.pick([0, 1, 80, 65_535]) },
  { declaration: { type: "number" }, fitting: (random) => random.pick([0.5, -0.25, 3, 1e300, -1e-7]) },
  { declaration: { type: "boolean" }, fitting: (random) => random.below(2) === 0 },
  { declaration: { type: "string", enum: ["echo", "n", "x"] }, fitting: (random) => random.pick(["echo", "n", "x"]) },
  { declaration: { type: "string", enum: ["3.11", "z"] }, fitting: (random) => random.pick(["3.11", "z"]) },
  {
    declaration: { type: "string", pattern: "[a-z]+" },
    fitting: (random) => random.pick([program, "eval", "n", "true"]),
  },
  {
    declaration: { type: "string", pattern: "[A-Za-z0-9_./:@%+=,][A-Za-z0-9_./:@%+=,-]*" },
    fitting: (random) => wordOf(random, /./),
  },
  {
    declaration: { type: "string", pattern: "[0-9.]+" },
    fitting: (random) => random.pick(["1.2.3", "0", "...", "08"]),
  },
];

interface Case extends Script {
  readonly block: GeneratedBlock;
  readonly declaration: object;
  readonly value: Value;
}

type Outcome = Pick<Script, "script" | "prelude"> | "refused" | "refused when it arrives";
type Compiler = (block: GeneratedBlock, declaration: object, value: Value, shell: string) => Outcome;

interface Found {
  readonly ran: number;
  readonly refusedLate: number;
  readonly hits: readonly Case[];
}

/** Runs generated scripts until `wanted` have run, or until as many values as `enough` were run. */
function findExecutions(shell: string, compile: Compiler, wanted: number, enough: number): Found {
  const random = new Random(seed);
  const hits: Case[] = [];
  let ran = 0;
  let refusedLate = 0;
  while (ran < wanted && hits.length < enough) {
    const cases: Case[] = [];
    while (cases.length < Math.min(batchSize, wanted - ran)) {
      const generated = generateBlock(random, shell).command;
      const block = { command: random.below(3) === 0 ? asProgramText(random, generated) : generated };
      const { declaration, fitting } = random.pick(declared);
      const isFitting = random.below(3) > 0;
      const value = isFitting ? fitting(random) : generateValue(random, random.pick([canary.command, program]));
      const outcome = compile(block, declaration, value, shell);
      if (outcome === "refused when it arrives") refusedLate += 1;
      else if (outcome !== "refused") cases.push({ block, declaration, value, ...outcome });
    }
    const outcomes = runBatch(shell, cases, canary);
    hits.push(...cases.filter((_, index) => outcomes[index]?.ran));
    ran += cases.length;
  }
  return { ran, refusedLate, hits };
}

/** The script as a text that a shell is given to run, with the values pasted into it. */
function asProgramText(random: Random, script: string): string {
  const quoted = script
    .split(reference)
    .map((text) => text.replaceAll(/[\\"$`]/g, "\\$&"))
    .join(reference);
  const ways = [
    `bash -c "${quoted}"`,
    `sh -c "${quoted}" _ x`,
    `eval "${quoted}"`,
    `trap "${quoted}" EXIT`,
    `timeout 5 bash -c "${quoted}"`,
    `x=${reference}; bash -c "${quoted.replaceAll(reference, "$x")}"`,
    `x="a-${reference}"; bash -c "${quoted.replaceAll(reference, "$x")}"`,
    `f() { sh -c "${quoted.replaceAll(reference, "$1")}"; }; f ${reference}`,
    `bash <<EOF\n${quoted.replaceAll('\\"', '"')}\nEOF\n`,
    `sh -s a <<< "${quoted}"`,
  ];
  return random.pick(ways);
}

/** One in so many is also judged as `frond validate` does, which takes far longer. */
const validated = 50;
let judged = 0;

/** Whether there is nothing against the command. A percent sign in a format changes text and runs nothing. */
function isAccepted({ command }: GeneratedBlock, declaration: object, shell: string): boolean {
  if (!command.includes(reference)) return false;
  const isFine = ({ level, code }: { readonly level: string; readonly code: string }): boolean =>
    // A script that was damaged may name another input, of which nothing is declared.
    level === "hint" || code === "unknown-input" || (level === "warning" && code === "value-in-format");
  const plain = judgeCommand(command);
  // Where nothing is wrong with any text, nobody asks what is declared.
  const isAnyText = plain.ok && plain.value.problems.length === 0;
  const known = { proofOf: () => proofOf(declaration), inputOf: () => undefined };
  const found = isAnyText ? plain : judgeCommand(command, {}, known);
  const isSound = found.ok && found.value.command.syntax === undefined;
  const accepted = isSound && [...found.value.fixed, ...found.value.problems].every(isFine);
  judged += 1;
  if (judged % validated === 0) {
    const { diagnostics } = engine.check({
      inputs: { v: { description: "A value", ...declaration } },
      blocks: [{ id: "it", type: "Shell", inputs: { command, shell } }],
    });
    expect({ command, declaration, accepted: diagnostics.every(isFine) }).toEqual({ command, declaration, accepted });
  }
  return accepted;
}

const proofs = new Map<object, Proof | undefined>();

/** What the plan of a workflow proves of an input that is declared like that. */
function proofOf(declaration: object): Proof | undefined {
  if (!proofs.has(declaration)) {
    const input = { name: "v", required: true, range: { source: { name: "", text: "" }, start: 0, end: 0 } };
    const definition = { inputs: new Map([["v", { ...input, ...declaration }]]), blocks: [] };
    const known = knownValues(definition as never, {} as never, () => undefined);
    const path = parseExpression("inputs.v");
    proofs.set(declaration, path.ok ? known.proofOf(path.value) : undefined);
  }
  return proofs.get(declaration);
}

/** As a run does it, with a value that nobody has held against the declaration before. */
const frond: Compiler = (block, declaration, value, shell) => {
  if (!isAccepted(block, declaration, shell)) return "refused";
  const compiled = shellCommand.compile(block.command);
  if (!compiled.ok) return "refused";
  const known = { proofOf: () => proofOf(declaration), inputOf: () => undefined };
  if (compiled.value instanceof ShellInput) compiled.value.check(known);
  const resolved = compiled.value.resolve({ read: () => ({ found: true, value }) });
  return resolved.ok ? (resolved.value.compiled as Script) : "refused when it arrives";
};

/** Planted: what is declared is not looked at again. */
const trusting: Compiler = (block, declaration, value, shell) =>
  isAccepted(block, declaration, shell) ? assembled(block.command, value) : "refused";

/** Planted: any value passes for a number. */
const credulous: Compiler = ({ command }, _, value) => {
  const known = { proofOf: () => provenNumber("integer", 0), inputOf: () => undefined };
  const judged = judgeCommand(command, {}, known);
  const problems = judged.ok ? [...judged.value.fixed, ...judged.value.problems] : judged.error;
  return problems.some(({ level }) => level === "error") ? "refused" : assembled(command, value);
};

function assembled(command: string, value: Value): Outcome {
  const judged = judgeCommand(command);
  if (!judged.ok) return "refused";
  const { command: compiled } = judged.value;
  const result = assembleScript(
    compiled,
    compiled.values.map(() => value),
  );
  return result.ok ? result.value : "refused";
}

describe.each(shells)("%s", (shell) => {
  test("a value of which something is proved never runs in generated scripts", { timeout: longTimeout }, () => {
    const enough = process.env.FROND_FUZZ_COUNT === undefined ? 1 : Number.POSITIVE_INFINITY;
    const wanted = Math.ceil(scripts / shells.length);
    const { ran, refusedLate, hits } = findExecutions(shell, frond, wanted, enough);
    process.stdout.write(
      `${shell}: ${ran} scripts, ${hits.length} executions, ${refusedLate} values refused on arrival\n`,
    );
    expect(hits.slice(0, 5).map(({ block, declaration, value }) => ({ block, declaration, value }))).toEqual([]);
    expect(ran).toBeGreaterThanOrEqual(wanted);
    expect(refusedLate).toBeGreaterThan(0);
  });

  test.each([
    ["does not look again at what was declared", trusting],
    ["takes any value for a number", credulous],
  ])("the same scripts find a compiler that %s", { timeout: longTimeout }, (_, compiler) => {
    expect(findExecutions(shell, compiler, 3_000, 1).hits).not.toEqual([]);
  });
});
