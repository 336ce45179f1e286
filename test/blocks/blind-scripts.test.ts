import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Value } from "../../src/expression/value.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { clearDirectory, readTree } from "../rig/file-tree.ts";

/** Scripts written by people who knew the rule for `${...}` but not our code, each with the plain bash it should equal. */
interface BlindScript {
  readonly name: string;
  readonly command: string;
  readonly reference: string;
  readonly cases: readonly { readonly inputs: Readonly<Record<string, Value>> }[];
}

const file = new URL("../fixtures/blind-scripts.json", import.meta.url);
const scripts = JSON.parse(readFileSync(file, "utf8")) as BlindScript[];

/** Scripts with a value where bash evaluates text a second time: what they are refused for, and the form that is advised. */
const refused: Readonly<Record<string, { codes: string[]; advised: readonly (readonly [string, string])[] }>> = {
  "nested-command-substitution": {
    codes: ["value-in-backticks", "value-in-backticks"],
    advised: [
      ['`basename -- "${inputs.path}"`', '$(basename -- "${inputs.path}")'],
      ["`basename -- '${inputs.path}'`", "$(basename -- '${inputs.path}')"],
    ],
  },
  "integer-arithmetic": {
    codes: ["value-in-arithmetic", "value-in-arithmetic", "value-in-arithmetic"],
    advised: [
      ["(( spare = total - ${inputs.replicas} )) || true", "spare=$(( total - ${inputs.replicas} ))"],
      ["for ((i = 0; i < ${inputs.replicas}; i++))", "n=$(( ${inputs.replicas} ))\nfor ((i = 0; i < n; i++))"],
      ["if (( ${inputs.replicas} % 2 == 0 ))", "if [ $(( ${inputs.replicas} % 2 )) -eq 0 ]"],
    ],
  },
  "default-expansions": {
    codes: ["value-in-expansion", "value-in-expansion"],
    advised: [
      [': "${REGION:=${inputs.region}}"', 'region="${inputs.region}"\n: "${REGION:=$region}"'],
      ['"${note#"${inputs.stage}"}"', '"${note#"$stage"}"'],
      ["note=${inputs.note}", 'note=${inputs.note}\nstage="${inputs.stage}"'],
    ],
  },
};

function asAdvised(script: BlindScript): BlindScript {
  const { name, command } = script;
  const advised = refused[name]?.advised ?? [];
  return { ...script, command: advised.reduce((text, [from, to]) => text.replaceAll(from, to), command) };
}

interface Result {
  readonly exitCode: number;
  readonly stdout: string;
  readonly tree: Readonly<Record<string, string>>;
}

const environment = { PATH: process.env.PATH ?? "", HOME: "/home/somebody", LANG: "C.UTF-8" };

function definitionOf({ command, cases }: BlindScript): { blocks: object[]; inputs: object } {
  const [first] = cases;
  const declared = Object.entries(first?.inputs ?? {}).map(([name, value]) => [
    name,
    {
      type: isOneType(name, cases, value) ? typeName(value) : "json",
      required: false,
      description: "Given by the case",
    },
  ]);
  return { inputs: Object.fromEntries(declared), blocks: [{ id: "script", type: "Shell", inputs: { command } }] };
}

function isOneType(name: string, cases: BlindScript["cases"], value: Value): boolean {
  return cases.every(({ inputs }) => typeName(inputs[name] ?? null) === typeName(value));
}

function typeName(value: Value): string {
  if (Array.isArray(value)) return "list";
  if (Number.isInteger(value)) return "int";
  return typeof value === "number" ? "float" : typeof value === "boolean" ? "bool" : "string";
}

function runReference(reference: string, inputs: Readonly<Record<string, Value>>, directory: string): Result {
  const assign = Object.entries(inputs).map(([name, value]) => {
    const words = Array.isArray(value) ? `(${value.map(quote).join(" ")})` : quote(value);
    return `V_${name}=${words}`;
  });
  const ran = spawnSync("bash", ["-c", `${assign.join("\n")}\n${reference}`], {
    cwd: directory,
    env: environment,
    input: "",
    encoding: "utf8",
  });
  return { exitCode: ran.status ?? -1, stdout: ran.stdout, tree: readTree(directory) };
}

function quote(value: Value): string {
  return `'${String(value).replaceAll("'", `'\\''`)}'`;
}

async function runBlock(
  engine: TestEngine,
  script: BlindScript,
  inputs: Readonly<Record<string, Value>>,
): Promise<Result> {
  const { state } = await engine.run(definitionOf(script), { inputs });
  const { outputs, metadata } = state.root.record.blocks.script ?? {};
  expect(metadata?.status, metadata?.message ?? "").toBe("completed");
  return {
    exitCode: outputs?.exit_code as number,
    stdout: outputs?.stdout as string,
    tree: readTree(engine.workspace),
  };
}

const cases = scripts.flatMap((script) =>
  script.cases.map(({ inputs }, index) => ({
    name: script.name,
    number: index + 1,
    script: asAdvised(script),
    inputs,
    fits: fitsArithmetic(script.name, inputs),
  })),
);

function fitsArithmetic(name: string, inputs: Readonly<Record<string, Value>>): boolean {
  return name !== "integer-arithmetic" || Object.values(inputs).every((value) => /^-?\d+$/.test(String(value)));
}

test.each(cases.filter(({ fits }) => fits))(
  "the script $name does with case $number what its author's own bash does",
  async ({ script, inputs }) => {
    const engine = createTestEngine({ environment });
    const actual = await runBlock(engine, script, inputs);
    const canary = Object.keys(actual.tree).filter((path) => /(^|\/)CANARY$/.test(path));
    expect(canary).toEqual([]);
    clearDirectory(engine.workspace);
    expect(actual).toEqual(runReference(script.reference, inputs, engine.workspace));
  },
);

test.each(cases.filter(({ fits }) => !fits))(
  "a value in arithmetic that is no integer FAILS the block: $name, case $number",
  async ({ script, inputs }) => {
    const engine = createTestEngine({ environment });
    const { state } = await engine.run(definitionOf(script), { inputs });
    expect(state.root.record.blocks.script?.metadata).toMatchObject({ status: "failed" });
    expect(state.root.record.blocks.script?.metadata.message).toContain("must be an integer");
    expect(readTree(engine.workspace)).toEqual({});
  },
);

test.each(Object.entries(refused))(
  "the script %s is refused as written, for nothing but its evaluated places",
  (name, { codes }) => {
    const script = scripts.find((one) => one.name === name) as BlindScript;
    const { plan, diagnostics } = createTestEngine().check(definitionOf(script));
    expect(plan).toBeUndefined();
    expect(diagnostics.flatMap(({ level, code }) => (level === "error" ? [code] : []))).toEqual(codes);
  },
);

test("there are twenty scripts", () => {
  expect(scripts).toHaveLength(20);
});
