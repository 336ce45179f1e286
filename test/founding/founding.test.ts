import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { createRepository } from "../rig/git-repository.ts";
import { success } from "./case.ts";
import { type Programs, readCalls, writePrograms } from "./fake-programs.ts";
import { fileCases } from "./file-cases.ts";
import { otherCases } from "./other-cases.ts";
import { statusCases } from "./status-cases.ts";
import { worktreeCases } from "./worktree-cases.ts";

const workflows = Object.fromEntries(
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => [file.replace(".yaml", ""), readFileSync(join(import.meta.dirname, file), "utf8")]),
);

const cases = [...statusCases, ...otherCases, ...fileCases, ...worktreeCases];

const refused: Readonly<Record<string, readonly string[]>> = {
  "block-types": ["unknown-block-type", "unknown-block-type", "unknown-block-type"],
  "child-success": ["no-success-output"],
  "continue-on-error": ["dropped-input", "dropped-input"],
  internals: ["refused-name"],
  "success-shortcut": ["no-success-output"],
  "write-file": ["no-success-output"],
};

const programDirectory = mkdtempSync(join(tmpdir(), "frond-founding-"));
afterAll(() => rmSync(programDirectory, { recursive: true, force: true }));

const wellBehaved: Programs = Object.fromEntries(
  ["pytest", "notify", "kubectl", "deploy.sh", "alert.sh", "make", "git", "coverage-percent", "which-python"].map(
    (name) => [name, 0],
  ),
);

function openRuntime(programs: Programs, isRepository = false): TestEngine {
  const bin = mkdtempSync(join(programDirectory, "bin-"));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  const engine = createTestEngine({ workflows, environment: { PATH: `${bin}:${process.env.PATH}` } });
  const { git, ...others } = { ...wellBehaved, ...programs };
  const written = isRepository || git === undefined ? others : { git, ...others };
  for (const directory of [bin, engine.workspace]) writePrograms(directory, written);
  mkdirSync(join(engine.workspace, "build-cache"));
  if (isRepository) createRepository(engine.workspace);
  return engine;
}

/** The same workflow with one block told to work where there is no directory. */
function withCrash(text: string, id: string): string {
  const block = new RegExp(String.raw`(- id: ${id}\n[^]*?inputs:)(\s*\{\s*|\n\s*)(?=command:)`);
  const crashing = text.replace(block, (_, before: string, open: string) => {
    const next = open.includes("{") ? ", " : open;
    return `${before}${open}working_dir: no-such-directory${next}`;
  });
  expect(crashing).not.toBe(text);
  return crashing;
}

test.each(Object.keys(workflows))("%s is a sound workflow, or refused for the reason its text gives", (name) => {
  const { diagnostics } = openRuntime({}).check(workflows[name] as string);
  const problems = diagnostics.filter(({ level }) => level !== "hint").map(({ code }) => code);
  expect(problems).toEqual(Object.hasOwn(refused, name) ? refused[name] : []);
});

test("every founding workflow that can be run is run here", () => {
  const children = ["python-ci-pipeline", "run-tests", "deploy-production"];
  const run = new Set(cases.map(({ workflow }) => workflow));
  expect([...run, ...children, ...Object.keys(refused)].sort()).toEqual(Object.keys(workflows).sort());
});

describe.each(cases)("$workflow, when $when", (told) => {
  test("runs and skips the blocks the founding text says", async () => {
    const engine = openRuntime(told.programs ?? {}, told.isRepository);
    for (const [path, text] of Object.entries(told.finds ?? {})) writeFileSync(join(engine.workspace, path), text);
    const text = workflows[told.workflow] as string;
    const run = await engine.start(told.crashes === undefined ? text : withCrash(text, told.crashes), {
      inputs: told.inputs ?? {},
    });
    let outcome = await run.settled;
    for (const [block, answer] of Object.entries(told.answers ?? {})) {
      expect(outcome.response).toMatchObject({ status: "paused", pending: [{ block }] });
      expect(await run.answer(block, answer)).toEqual({ ok: true, value: undefined });
      outcome = await run.goOn();
    }
    const { record } = outcome.state.root;
    const ended = Object.entries(record.blocks).map(([id, { metadata }]) => [
      id,
      `${metadata.status}/${metadata.outcome}`,
    ]);
    expect(Object.fromEntries(ended)).toEqual(told.blocks);
    expect(`${record.metadata.status}/${record.metadata.outcome}`).toBe(told.run);
    expect(outcome.response.status).toBe(told.run === success ? "success" : "failure");
    if (told.outputs !== undefined) expect({ ...outcome.response.outputs }).toEqual(told.outputs);
    if (told.calls !== undefined) expect(readCalls(engine.workspace)).toEqual(told.calls);
    for (const [path, text] of Object.entries(told.leaves ?? {})) {
      expect(readFileSync(join(engine.workspace, path), "utf8")).toEqual(text);
    }
  });
});

test("the message of a failed command reaches the one that tells of it", async () => {
  const engine = openRuntime({ pytest: "echo 'two failed' >&2; exit 1" });
  const { state } = await engine.run(workflows["failure-handling"] as string);
  expect(state.root.record.blocks.notify_failure?.outputs.stdout).toBe("Tests failed: exit code 1: two failed\n");
});

test("a cleanup has cleaned up", async () => {
  const engine = openRuntime({});
  await engine.run(workflows["common-patterns"] as string);
  expect(existsSync(join(engine.workspace, "build-cache"))).toBe(false);
});

test("the branches of a diamond share a wave, and the merge comes after both", async () => {
  const { state } = await openRuntime({}).run(workflows.diamond as string);
  const { start, parallel_a: a, parallel_b: b, merge } = state.root.record.blocks;
  expect([start, a, b, merge].map((block) => block?.metadata.wave)).toEqual([0, 1, 1, 2]);
  expect(merge?.metadata.execution_order).toBe(3);
  expect(state.root.record.metadata).toMatchObject({ total_blocks: 4, execution_waves: 3 });
});
