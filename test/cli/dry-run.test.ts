import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTree } from "../rig/file-tree.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";

const deploy = workflow(
  "deploy",
  [
    shell("build", "touch built && echo ${inputs.stage}"),
    { id: "notes", type: "CreateFile", inputs: { path: "notes.md", content: "# ${inputs.stage}\nnew\n" } },
    { id: "ask", type: "Prompt", inputs: { prompt: "Deploy?", audience: "human", choices: ["yes", "no"] } },
    shell("push", "push ${inputs.stage} ${blocks.build.stdout}", { condition: "${blocks.ask.response} == 'yes'" }),
    shell("skip", "never", { condition: "${inputs.stage} == 'production'" }),
    {
      id: "each",
      for_each: ["a", "b"],
      blocks: [shell("test", "test ${each.value}")],
    },
  ],
  {
    inputs: { stage: { type: "string", default: "test" } },
    outputs: { stage: "${inputs.stage}", pushed: "${blocks.push.succeeded}" },
  },
);

/** Everything of a directory that a change would leave a trace in. */
function stamps(root: string): readonly string[] {
  const all = [root, ...readdirSync(root, { recursive: true }).map((name) => join(root, String(name)))];
  return all.sort().map((path) => {
    const { mtimeNs, ctimeNs, mode, size, ino } = lstatSync(path, { bigint: true });
    return [path, mtimeNs, ctimeNs, mode, size, ino].join(" ");
  });
}

function createProject(): Frond {
  return createFrond({ "deploy.yaml": deploy, "notes.md": "# test\nold\n" });
}

test("a dry run prints a line for each block, what it would be given, the diffs and what is not known", async () => {
  const frond = createProject();
  const { code, stdout } = await frond.run(["run", "deploy.yaml", "--dry-run"]);
  expect(stdout).toBe(`\
· build (Shell) would run
    command: touch built && echo test
· notes (CreateFile) would run
    path: notes.md
    content: # test new
· ask (Prompt) would run
    prompt: Deploy?
    audience: human
    choices: ["yes","no"]
? push (Shell) may run: Its condition depends on response of 'ask'.
    command: push test \${blocks.build.stdout}
- skip (Shell) would skip: The condition is false: \${inputs.stage} == 'production'
· each would run
  · [0] a would run
    · test (Shell) would run
        command: test a
  · [1] b would run
    · test (Shell) would run
        command: test b

changed notes.md
--- a/notes.md
+++ b/notes.md
@@ -1,2 +1,2 @@
 # test
-old
+new

stage: test
pushed: depends on how 'push' ends

Commands, calls and the like are not run: they are taken to succeed, and files that they would write are not there.
dry run deploy: 8 would run, 1 may run, 1 would skip; nothing was run or changed
`);
  expect(code).toBe(0);
});

test("a dry run leaves no trace: not in the workspace, not in the state directory", async () => {
  const frond = createProject();
  await frond.run(["run", "deploy.yaml", "--dry-run"]);
  expect(() => lstatSync(frond.state)).toThrow("ENOENT");
  await frond.alone.run(["run", "deploy.yaml", "--idempotency-key", "a"]);
  const before = [...stamps(frond.directory), ...stamps(frond.state)];
  const tree = readTree(frond.directory);
  expect((await frond.alone.run(["run", "deploy.yaml", "--dry-run"])).code).toBe(0);
  expect(readTree(frond.directory)).toEqual(tree);
  expect([...stamps(frond.directory), ...stamps(frond.state)]).toEqual(before);
  expect((await frond.json(["runs"])).reply).toMatchObject({ runs: [{ workflow: "deploy" }] });
});

test("a dry run says with its exit code whether the run would fail, and what is wrong with how it was called", async () => {
  const reads = workflow("reads", [{ id: "read", type: "ReadFile", inputs: { path: "missing" } }], {
    inputs: { count: { type: "integer", default: 1 } },
  });
  const frond = createFrond({ "reads.yaml": reads });
  const failing = await frond.run(["run", "reads.yaml", "--dry-run"]);
  expect(failing.stdout).toContain("✗ read (ReadFile) would fail: the file 'missing' does not exist");
  expect(failing.stdout).toContain("\n  would fail: 'read' failed: the file 'missing' does not exist\n");
  expect(failing.code).toBe(1);
  const wrong = await frond.run(["run", "reads.yaml", "--dry-run", "--input", "count=many"]);
  expect([wrong.code, wrong.stdout]).toEqual([2, ""]);
  const both = await frond.run(["run", "reads.yaml", "--dry-run", "--idempotency-key", "a"]);
  expect(both.code).toBe(2);
  expect(both.stderr).toContain("--idempotency-key");
});

test("a dry run as JSON is one document with every block, file and output", async () => {
  const { code, reply } = await createProject().json(["run", "deploy.yaml", "--dry-run"]);
  expect(code).toBe(0);
  expect(reply).toMatchObject({
    status: "dry_run",
    workflow: "deploy",
    outputs: { stage: "test" },
    unknown_outputs: { pushed: "how 'push' ends" },
    files: [{ path: "notes.md", change: "changed", diff: expect.stringContaining("-old\n+new\n") }],
  });
  expect((reply as { blocks: readonly object[] }).blocks[3]).toEqual({
    block: "push",
    type: "Shell",
    verdict: "may run",
    why: "Its condition depends on response of 'ask'.",
    inputs: { command: "push test ${blocks.build.stdout}" },
    not_run: true,
  });
});

test("the plan of a rerun says what would be reused, and why not the rest, and starts nothing", async () => {
  const blocks = (last: string): object[] => [shell("a", "echo a"), shell("b", last)];
  const frond = createFrond({ "w.yaml": workflow("w", blocks("false")) });
  await frond.run(["run", "w.yaml"]);
  frond.write("w.yaml", workflow("w", blocks("true")));
  const plan = await frond.run(["rerun", "last", "--plan"]);
  expect(plan.stdout).toMatch(/^A rerun of run_\w+\. Changed since: .*w\.yaml\. Files are as they are now/);
  expect(plan.stdout).toContain("✓ a (Shell) would be reused\n");
  expect(plan.stdout).toContain("· b (Shell) would run: It failed before.\n    command: true\n");
  expect(plan.code).toBe(0);
  const { reply } = await frond.json(["run", "w.yaml", "--reuse", "last", "--dry-run"]);
  expect(reply).toMatchObject({
    status: "dry_run",
    blocks: [{ verdict: "would be reused" }, { not_reused: "It failed before." }],
  });
  expect((await frond.json(["runs"])).reply).toMatchObject({ runs: [{ workflow: "w" }] });
});
