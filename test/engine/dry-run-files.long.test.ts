import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { childNodes } from "../../src/engine/run-node.ts";
import { applyForecast } from "../rig/apply-forecast.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { clearDirectory, readTree } from "../rig/file-tree.ts";
import { foresee } from "../rig/foresee.ts";
import { longTimeout, scaled } from "../rig/scale.ts";

/** A workspace with something of every kind. */
function layOut(root: string): void {
  clearDirectory(root);
  mkdirSync(join(root, "dir/deep"), { recursive: true });
  mkdirSync(join(root, "empty"));
  writeFileSync(join(root, "file"), "one\ntwo\nthree\n");
  writeFileSync(join(root, "bare"), "no end of line");
  writeFileSync(join(root, "dir/inner"), "inner\n");
  writeFileSync(join(root, "dir/deep/one"), "1\n");
  writeFileSync(join(root, "state.json"), '{"a": {"b": 1}, "list": [1, 2]}\n');
  chmodSync(join(root, "file"), 0o640);
  symlinkSync("file", join(root, "link"));
  symlinkSync("dir", join(root, "way"));
}

const path = fc.constantFrom(
  "file",
  "bare",
  "dir",
  "dir/inner",
  "dir/deep",
  "dir/deep/one",
  "dir/new",
  "new",
  "new/one",
  "empty",
  "state.json",
  "link",
  "way/inner",
  "file/below",
  ".git/config",
  "../outside",
);
const text = fc.constantFrom("", "one\n", "one\ntwo\nthree\n", "a\nb", "größer\n", "line\n".repeat(30));
const flag = fc.boolean();
const mode = fc.constantFrom(undefined, "600", "755");

const record = (type: string, inputs: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Step> =>
  fc.record({ type: fc.constant(type), inputs: fc.record(inputs) }) as fc.Arbitrary<Step>;

interface Step {
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

const operation = fc.constantFrom(
  { type: "replace_text", old_text: "two", new_text: "2" },
  { type: "delete_lines", line_start: 1, line_end: 1 },
  { type: "insert_lines", line_start: 2, content: "between" },
  { type: "regex_replace", pattern: "o(.)", replacement: "$1o" },
);

/** One for each type of block that only reads and changes files. */
const steps = {
  CreateFile: { path, content: text, overwrite: flag, create_parents: flag, mode },
  EditFile: { path, operations: fc.array(operation, { minLength: 1, maxLength: 2 }), create_if_missing: flag },
  ReadFile: { path, required: flag },
  CopyFile: { from: path, to: path, overwrite: flag, recursive: flag, create_parents: flag },
  MoveFile: { from: path, to: path, overwrite: flag, create_parents: flag },
  DeleteFile: { path, recursive: flag, missing_ok: flag },
  MakeDir: { path },
  RenderTemplate: {
    template: fc.constantFrom("Hello {{ name }}\n", "{{ missing }}"),
    variables: fc.constant({ name: "fern" }),
    output_path: path,
  },
  ReadJSONState: { path, required: flag },
  WriteJSONState: { path, data: fc.constantFrom({ a: 1 }, { b: [true, null] }) },
  MergeJSONState: { path, updates: fc.constantFrom({ a: { c: 2 } }, { list: [] }), create_if_missing: flag },
} as const;

const anyStep = fc.oneof(...Object.entries(steps).map(([type, inputs]) => record(type, inputs)));

/** Blocks one after the other, whatever becomes of those before; only what could not run at all keeps the next from running. */
function workflowOf(all: readonly Step[]): { readonly blocks: readonly object[]; readonly outputs: object } {
  const blocks = all.map(({ type, inputs }, index) => {
    const given = Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined));
    const before = index === 0 ? [] : [{ block: `s${index - 1}`, required: false }];
    return { id: `s${index}`, type, inputs: given, depends_on: before };
  });
  const outputs = Object.fromEntries(all.map((_, index) => [`s${index}`, `\${blocks.s${index}.outputs}`]));
  return { blocks, outputs };
}

const endings: Readonly<Record<string, string>> = {
  "would run": "success",
  "would fail": "failed",
  "would skip": "skipped",
};

function modeOf(file: string): string {
  return (lstatSync(file).mode & 0o1777).toString(8).padStart(4, "0");
}

async function compareWithRun(engine: TestEngine, all: readonly Step[]): Promise<void> {
  layOut(engine.workspace);
  const before = readTree(engine.workspace);
  const workflow = workflowOf(all);
  const forecast = await foresee(engine, workflow);
  expect(readTree(engine.workspace)).toEqual(before);
  const { response, state } = await engine.run(workflow);
  const foretold = forecast.blocks.map(({ block, verdict, why }) => [block, endings[verdict], why ?? null]);
  const happened = childNodes(state.root).map(({ path: block, record: { metadata } }) => [
    block,
    metadata.succeeded ? "success" : metadata.skipped ? "skipped" : "failed",
    metadata.message,
  ]);
  expect(foretold).toEqual(happened);
  expect(forecast.outputs).toEqual(response.outputs);
  expect(applyForecast(before, forecast)).toEqual(readTree(engine.workspace));
  for (const { path: changed, change, mode: wanted } of forecast.files ?? []) {
    if (change !== "created" && wanted === undefined) continue;
    expect(modeOf(join(engine.workspace, changed))).toBe(wanted);
  }
}

test(
  "what a dry run tells of file blocks is what they do: endings, outputs, files",
  async () => {
    const engine = createTestEngine();
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 6 }), (all) => compareWithRun(engine, all)),
      { numRuns: scaled({ slice: 25, long: 2_000 }) },
    );
  },
  longTimeout,
);

test.each(Object.keys(steps))(
  "%s alone does what a dry run tells of it",
  async (type) => {
    const engine = createTestEngine();
    const step = record(type, steps[type as keyof typeof steps]);
    await fc.assert(
      fc.asyncProperty(step, (one) => compareWithRun(engine, [one])),
      { numRuns: scaled({ slice: 5, long: 200 }) },
    );
  },
  longTimeout,
);
