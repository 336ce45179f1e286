import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTree } from "../rig/file-tree.ts";
import { createFrond, type Frond } from "../rig/frond.ts";
import { runIdIn } from "../rig/person.ts";

const steps = [
  { step_id: "write", action_type: "create_file", path: "src/greet.txt", content: "Hello\n" },
  { step_id: "edit-it", action_type: "modify_file", path: "a.txt", old_text: "one", new_text: "two" },
  { step_id: "check", action_type: "run_command", command: "echo seen > seen.txt; exit ${CODE:-0}", max_retries: 0 },
];
const prose = `Here is what I would do:

\`\`\`json
${JSON.stringify({ overview: "Greet the world", steps }, null, 2)}
\`\`\`
`;

function start(): Frond {
  return createFrond({ "plan.md": prose, "a.txt": "one\n" });
}

function tree({ directory }: Frond): unknown {
  return readTree(directory);
}

test("a plan runs as a workflow does, and frond undo takes it back", async () => {
  const frond = start();
  const before = tree(frond);
  const { code, stdout, stderr } = await frond.run(["plan", "run", "plan.md"]);
  expect([code, frond.read("a.txt"), frond.read("seen.txt")]).toEqual([0, "two\n", "seen\n"]);
  const runId = runIdIn(stdout);
  expect(stdout).toMatch(/^steps 3 of 3 completed\nsuccess greet-the-world run_\w+ in /m);
  expect(stderr).toBe(`  Take back what it changed: frond undo ${runId}\n`);
  expect((await frond.run(["undo", runId, "--yes"])).code).toBe(0);
  expect(tree(frond)).toEqual(before);
});

test("a plan whose last step fails ends with exit code 1 and the tree as it was", async () => {
  const frond = start();
  const before = tree(frond);
  const { code, stdout } = await frond.run(["plan", "run", "plan.md"], { env: { CODE: "3" } });
  expect([code, stdout]).toEqual([1, expect.stringContaining("steps 2 of 3 completed, 1 failed, 3 rolled back\n")]);
  expect(tree(frond)).toEqual(before);
});

test("--on-failure says what a failure leads to, and what was done can still be undone", async () => {
  const frond = start();
  const before = tree(frond);
  const { stdout } = await frond.run(["plan", "run", "plan.md", "--on-failure", "stop"], { env: { CODE: "3" } });
  expect([frond.read("a.txt"), frond.read("seen.txt")]).toEqual(["two\n", "seen\n"]);
  expect((await frond.run(["undo", runIdIn(stdout), "--yes"])).code).toBe(0);
  expect(tree(frond)).toEqual(before);
});

test("a dry run shows how files would change, and changes none", async () => {
  const frond = start();
  const before = tree(frond);
  const { code, stdout } = await frond.run(["plan", "run", "plan.md", "--dry-run"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("-one\n+two\n")]);
  expect(tree(frond)).toEqual(before);
  expect((await frond.json(["runs"])).reply).toMatchObject({ runs: [] });
});

test("with --json a run gives its counts, how long it took and the undo", async () => {
  const frond = start();
  const { code, reply } = await frond.json(["plan", "run", "plan.md"]);
  const { run_id: runId } = reply as { run_id: string };
  const counts = { total: 3, completed: 3, failed: 0, skipped: 0, rolled_back: 0 };
  expect([code, reply]).toEqual([
    0,
    expect.objectContaining({
      status: "success",
      steps: counts,
      duration_ms: expect.any(Number),
      message: `Take back what it changed: frond undo ${runId}`,
    }),
  ]);
  expect((await frond.json(["show", runId])).reply).toMatchObject({ steps: counts });
});

test("what a plan compiles to is a workflow: it validates, runs and is kept like any other", async () => {
  const frond = start();
  const shown = await frond.run(["plan", "compile", "plan.md"]);
  expect(shown.stdout).toMatch(
    /^name: greet-the-world\ndescription: Greet the world\ntags: \[plan\]\non_failure: rollback\n/,
  );
  expect((await frond.run(["plan", "compile", "plan.md", "-o", "out.yaml"])).stdout).toBe("Written: out.yaml\n");
  expect(frond.read("out.yaml")).toBe(shown.stdout);
  expect((await frond.run(["validate", "--strict", "out.yaml"])).code).toBe(0);
  const kept = await frond.run(["plan", "compile", "plan.md", "--save"]);
  expect([kept.code, kept.stdout]).toEqual([0, expect.stringContaining("Run it with: frond run greet-the-world")]);
  const ran = await frond.run(["run", "greet-the-world"]);
  expect([ran.code, frond.read("a.txt"), ran.stdout]).toEqual([
    0,
    "two\n",
    expect.stringContaining("steps 3 of 3 completed"),
  ]);
});

test("a plan comes on standard input as well, and its inputs are variables of its commands", async () => {
  const frond = createFrond();
  const plan = { inputs: { who: "nobody" }, steps: [{ tool: "bash", cmd: 'echo "Hello $who" > said' }] };
  const stdin = JSON.stringify(plan);
  const { code } = await frond.alone.run(["plan", "run", "-", "--input", "who=$(touch x) world"], { stdin });
  expect([code, frond.read("said"), existsSync(join(frond.directory, "x"))]).toEqual([
    0,
    "Hello $(touch x) world\n",
    false,
  ]);
  const unknown = await frond.alone.run(["plan", "run", "-", "--input", "whom=a"], { stdin });
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("Did you mean 'who'?")]);
});

test("check tells every problem at once, with exit code 2, and nothing is run", async () => {
  const frond = start();
  const good = await frond.run(["plan", "check", "plan.md"]);
  expect([good.code, good.stdout]).toEqual([0, "ok plan.md (3 steps, 3 waves)\n"]);
  frond.write(
    "bad.json",
    JSON.stringify([{ action_type: "run_comand" }, { action_type: "create_file", path: "made" }]),
  );
  for (const what of ["check", "run", "compile"]) {
    const bad = await frond.run(["plan", what, "bad.json"]);
    expect([bad.code, bad.stderr]).toEqual([
      2,
      [
        "error: Step 1 has the unknown action 'run_comand'. [unknown-action]\n  fix: Did you mean 'run_command'?\n",
        "error: Step 2 has no 'content', which create_file needs. [missing-field]\n",
      ].join(""),
    ]);
  }
  expect((await frond.json(["plan", "check", "bad.json"])).reply).toMatchObject({
    status: "failure",
    errors: [{ code: "unknown-action" }, { code: "missing-field" }],
  });
  const missing = await frond.run(["plan", "check", "none.json"]);
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringContaining("Give a plan file, or - for standard input."),
  ]);
});

test("a plan has what its steps spent, and no more starts than its budget has room for", async () => {
  const spending = (id: string): object => ({
    step_id: id,
    tool: "bash",
    cmd: `echo '{"usd": 0.02}' > "$FROND_SPEND_FILE"; touch ${id}`,
    cost: 0.02,
  });
  const frond = createFrond({ "plan.json": JSON.stringify([spending("a"), spending("b")]) });
  expect((await frond.json(["plan", "run", "plan.json"])).reply).toMatchObject({
    status: "success",
    spend: { usd: 0.04 },
  });
  const { code, reply } = await frond.json(["plan", "run", "plan.json", "--budget", "usd=0.03,on_exceeded=stop"]);
  expect([code, reply]).toMatchObject([1, { status: "failure", spend: { usd: 0.02 }, steps: { completed: 1 } }]);
});

test("an option of another deed is refused", async () => {
  const frond = start();
  const { code, stderr } = await frond.run(["plan", "compile", "plan.md", "--dry-run"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--dry-run has no meaning where a plan is compiled.")]);
  rmSync(join(frond.directory, "plan.md"));
  expect((await frond.run(["plan", "look", "plan.md"])).code).toBe(2);
});
