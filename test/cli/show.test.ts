import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { loseRun, waitForGo } from "../rig/lose-run.ts";
import { TestScreen } from "../rig/screen.ts";

const lint = workflow(
  "lint",
  [
    shell("files", 'echo "checking ${each.value}"; [ "${each.value}" != b.ts ] || { echo wrong >&2; exit 3; }', {
      for_each: ["a.ts", "b.ts"],
    }),
    shell("after", "true", { depends_on: ["files"] }),
  ],
  { inputs: { level: { type: "string", description: "How strict", default: "high" } } },
);

const ask = workflow("ask", [{ id: "go", type: "Prompt", inputs: { prompt: "Really?", choices: ["yes", "no"] } }]);
const slow = workflow("slow", [
  shell("a", waitForGo("a")),
  shell("b", waitForGo("b")),
  shell("c", "true", { depends_on: ["a"] }),
]);

function withoutTimes(text: string): string[] {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(\d+s ago\)/g, "WHEN")
    .replaceAll(/\b\d+(ms|\.\ds)/g, "TIME")
    .replaceAll(/run_[0-9a-z]{16}/g, "RUN")
    .split("\n");
}

test("a run is shown as a tree with its inputs, and what is said after it has run", async () => {
  const frond = createFrond({ "lint.yaml": lint });
  const ran = await frond.run(["run", "lint.yaml", "--logs", "none"]);
  const { code, stdout, stderr } = await frond.run(["show", "last"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(withoutTimes(stdout)).toEqual([
    "lint RUN",
    `started WHEN, took TIME, in ${frond.directory}`,
    "",
    "inputs",
    "  level: high",
    "",
    "✗ lint TIME",
    "  ✗ files TIME 1/2, 1 failed",
    "    ✗ [1] b.ts TIME",
    "  - after  'files' failed, and is required.",
    "  All of files: frond show RUN files",
    "",
    "failed files/1 (b.ts): exit code 3: wrong",
    "  | checking b.ts",
    "failure lint RUN in TIME: files/1 failed",
    "  See the log: frond logs RUN files/1",
    "  Fix that, then run: frond rerun RUN",
    "",
  ]);
  expect((ran.stdout + ran.stderr).endsWith(stdout.slice(stdout.indexOf("failed files/1")))).toBe(true);
});

test("the tree is shown whole however small the screen, and no line of it is wider", async () => {
  const blocks = Array.from({ length: 30 }, (_, index) => shell(`block_with_a_long_name_${index}`, "true"));
  const frond = createFrond({ "many.yaml": workflow("many", blocks) });
  await frond.run(["run", "many.yaml"]);
  const shown = frond.startInTerminal(["show", "last"], { columns: 30, rows: 8, env: { NO_COLOR: "1" } });
  const { stdout } = await shown.ended;
  const tree = stdout.slice(stdout.indexOf("✓ many"));
  const screen = new TestScreen(30, 40);
  screen.write(tree);
  expect(screen.text().filter((line) => line.startsWith("  ✓ block_"))).toHaveLength(30);
});

test("of a run that waits it is told what it asks and how to answer", async () => {
  const frond = createFrond({ "ask.yaml": ask });
  await frond.run(["run", "ask.yaml"]);
  const { stdout } = await frond.run(["show", "last"]);
  expect(stdout).toContain("? ask\n  ? go  Really?\n");
  expect(stdout).toMatch(/Answer with: frond resume pause_\w+ --response 'yes'\n/);
  const { stdout: block } = await frond.run(["show", "last", "go"]);
  expect(block).toMatch(
    /^go of ask run_\w+\nwaits for an answer, started .*\nReally\?\nAnswer with: frond resume pause_/,
  );
});

test("of an interrupted run it is told which blocks were running, and how to go on", async () => {
  const frond = createFrond({ "slow.yaml": slow });
  const runId = await loseRun(frond, "slow.yaml", 2);
  const { stdout } = await frond.run(["show", runId]);
  expect(withoutTimes(stdout).slice(3)).toEqual([
    "~ slow 0/3",
    "  ~ a  was running when its process ended",
    "  ~ b  was running when its process ended",
    "  · c",
    "",
    "Running when its process ended: a, b",
    "interrupted slow RUN: The process that drove it is gone.",
    "  Go on with: frond resume RUN",
    "",
  ]);
  const { stdout: block } = await frond.run(["show", runId, "a"]);
  expect(withoutTimes(block).slice(0, 2)).toEqual([
    "a of slow RUN",
    "was running when its process ended, started WHEN",
  ]);
  expect(block).toContain("\n  | a begins\n");
});

test("a block is shown with what it was given, what it gave, and the end of its log", async () => {
  const noisy = workflow("noisy", [shell("loud", "seq 1 3000; printf '\\033[31mred\\n' >&2; exit 4")]);
  const frond = createFrond({ "noisy.yaml": noisy });
  await frond.run(["run", "noisy.yaml"]);
  const { stdout } = await frond.run(["show", "last", "/loud/"]);
  expect(withoutTimes(stdout)).toEqual([
    "loud of noisy RUN",
    "failed, started WHEN, took TIME",
    "exit code 4: red",
    "",
    "inputs",
    "  command: seq 1 3000; printf '\\033[31mred\\n' >&2; exit 4",
    "",
    "outputs",
    "  exit_code: 4",
    "",
    "end of the log (all of it: frond logs RUN loud)",
    ...Array.from({ length: 19 }, (_, index) => `  | ${2982 + index}`),
    "  | red",
    "",
  ]);
});

test("a command is shown as it is written, with the values that it was given below it, and a secret as its name", async () => {
  const command = 'echo npm publish --tag "${inputs.channel}" ${each.value}\n: "${secrets.TOKEN}"';
  const publish = workflow("publish", [shell("publish", command, { for_each: [["a b", "c"]] })], {
    inputs: { channel: { type: "string", description: "Where to", default: "beta; rm -rf /" } },
  });
  const frond = createFrond({ "publish.yaml": publish });
  await frond.run(["run", "publish.yaml"], { env: { FROND_SECRET_TOKEN: "tiger-stripes" } });
  const { stdout } = await frond.run(["show", "last", "publish/0"]);
  expect(stdout).toContain(
    [
      "inputs",
      "  command:",
      '    echo npm publish --tag "${inputs.channel}" ${each.value}',
      '    : "${secrets.TOKEN}"',
      "  with ${inputs.channel} = 'beta; rm -rf /'",
      '  with ${each.value} = \'["a b","c"]\'',
      "  with ${secrets.TOKEN} (a secret)",
      "",
      "outputs",
      "  exit_code: 0",
      "",
    ].join("\n"),
  );
  expect(stdout).toContain("\n  | npm publish --tag beta; rm -rf / a b c\n");
  expect(stdout).not.toContain("tiger-stripes");
});

test("the files that a block has changed are named, one a line", async () => {
  const filing = workflow("filing", [
    { id: "new", type: "CreateFile", inputs: { path: "notes/new.txt", content: "new\n" } },
    { id: "old", type: "CreateFile", inputs: { path: "old.txt", content: "newer\n", overwrite: true } },
  ]);
  const frond = createFrond({ "filing.yaml": filing, "old.txt": "old\n" });
  await frond.run(["run", "filing.yaml"]);
  expect((await frond.run(["show", "last", "new"])).stdout).toContain(
    "\nfiles\n  created  notes\n  created  notes/new.txt\n\n",
  );
  expect((await frond.run(["show", "last", "old"])).stdout).toContain("\nfiles\n  changed  old.txt\n\n");
});

test("a run with very many blocks stays readable: what went well is folded and counted, and how to see it is said", async () => {
  const frond = createFrond({
    "many.yaml": workflow("many", [
      ...Array.from({ length: 4 }, (_, at) => ({
        id: `group${at}`,
        blocks: Array.from({ length: 60 }, (_, inner) => ({
          id: `b${inner}`,
          type: "Wait",
          inputs: { duration: "0s" },
        })),
      })),
      shell("bad", "exit 3"),
    ]),
  });
  await frond.run(["run", "many.yaml"]);
  const { stdout } = await frond.run(["show", "last"]);
  const tree = withoutTimes(stdout).slice(3);
  expect(tree.length).toBeLessThan(110);
  expect(tree.slice(0, 4)).toEqual([
    "✗ many TIME",
    "  ✓ group0 TIME 60/60",
    "  ✓ group1 TIME 60/60",
    "  ✓ group2 TIME 60/60",
  ]);
  expect(tree).toContain("  All of group0: frond show RUN group0");
  const { stdout: group } = await frond.run(["show", "last", "group0"]);
  expect(group.split("\n").filter((line) => line.startsWith("  ✓ b"))).toHaveLength(60);
});

test("what holds blocks is shown with the tree below it", async () => {
  const frond = createFrond({ "lint.yaml": lint });
  await frond.run(["run", "lint.yaml"]);
  const { stdout } = await frond.run(["show", "last", "files"]);
  expect(withoutTimes(stdout).slice(0, 8)).toEqual([
    "files of lint RUN",
    "failed, started WHEN, took TIME",
    "'1' (b.ts) failed: exit code 3: wrong",
    "",
    "✗ files TIME 1/2, 1 failed",
    "  ✓ [0] a.ts TIME",
    "  ✗ [1] b.ts TIME  exit code 3: wrong",
    "",
  ]);
});

test("as JSON a run is its detailed response with what it was given, and a block its record with the end of its log", async () => {
  const frond = createFrond({ "lint.yaml": lint });
  const { reply: ran } = await frond.json(["run", "lint.yaml", "--detailed"]);
  const { run_id: runId, blocks } = ran as { run_id: string; blocks: { files: { blocks: Record<string, object> } } };
  expect(await frond.json(["show", runId])).toEqual({
    code: 0,
    reply: { ...(ran as object), inputs: { level: "high" }, started_by: "command line", workspace: frond.directory },
  });
  expect(await frond.json(["show", runId, "files/1"])).toEqual({
    code: 0,
    reply: {
      run_id: runId,
      run_status: "failure",
      block: "files/1",
      ...blocks.files.blocks["1"],
      log_tail: "checking b.ts\nwrong\n",
    },
  });
});

test.each([
  ["filse", "Did you mean 'files'?"],
  ["files/7", "Did you mean 'files/0'?"],
  ["something", "Known: files, after."],
])("there is no block '%s', and the answer is: %s", async (block, fix) => {
  const frond = createFrond({ "lint.yaml": lint });
  await frond.run(["run", "lint.yaml"]);
  const message = expect.stringMatching(new RegExp(`^run_\\w+ has no block '${block}'\\.$`));
  expect(await frond.json(["show", "last", block])).toMatchObject({
    code: 2,
    reply: { errors: [{ code: "unknown-block", message, fix }] },
  });
});

test("a run that is not there is refused", async () => {
  expect(await createFrond().json(["show", "run_1"])).toMatchObject({
    code: 2,
    reply: { errors: [{ code: "unknown-run" }] },
  });
});

test("one value of a record is printed as it is, and nothing else", async () => {
  const frond = createFrond({ "a.yaml": workflow("a", [shell("a", "printf 'two\\n\"lines\"'")]) });
  await frond.run(["run", "a.yaml"]);
  const show = async (...args: string[]): Promise<string> => (await frond.run(["show", "last", ...args])).stdout;
  expect(await show("a", "--field", "stdout")).toBe('two\n"lines"');
  expect(await show("a", "--field", "inputs.command")).toBe("printf 'two\\n\"lines\"'");
  expect(await show("a", "--field", "outputs")).toBe('{"exit_code":0,"stdout":"two\\n\\"lines\\"","stderr":""}\n');
  expect(await show("--field", "status")).toBe("success");
  expect(await frond.run(["show", "last", "a", "--field", "stdot"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Did you mean 'stdout'?"),
  });
});
