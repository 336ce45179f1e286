import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";

const runId = expect.stringMatching(/^run_[0-9a-z]{16}$/);
const duration = String.raw`\d+(ms|\.\ds)`;

const greet = workflow(
  "greet",
  [shell("hello", 'echo "Hello, ${inputs.name}!"'), shell("after", "true", { depends_on: ["hello"] })],
  {
    inputs: { name: { type: "string", description: "Whom", default: "world" } },
    outputs: { text: { value: "${trim(blocks.hello.stdout)}" } },
  },
);

const failing = workflow(
  "failing",
  [
    shell("bad", "echo one >&2; echo 'two \u001b[31mred' >&2; exit 7"),
    shell("next", "true", { depends_on: ["bad"] }),
    shell("other", "echo fine"),
  ],
  { outputs: { other: { value: "${trim(blocks.other.stdout)}" } } },
);

const asking = workflow("asking", [
  { id: "go", type: "Prompt", inputs: { prompt: "Ready.\nGo on?", choices: ["yes", "no"], default: "no" } },
]);

test("success is exit code 0, a line for each thing that happens, what commands write, the outputs and the result", async () => {
  const frond = createFrond({ "greet.yaml": greet });
  const { code, stdout, stderr } = await frond.run(["run", "greet.yaml"]);
  expect(stderr).toBe("");
  expect(stdout).toMatch(
    new RegExp(
      [
        "^run     greet run_[0-9a-z]{16}",
        "start   hello",
        "hello \\| Hello, world!",
        `ok      hello ${duration}`,
        "start   after",
        `ok      after ${duration}`,
        "text: Hello, world!",
        `success greet run_[0-9a-z]{16} in ${duration}\n$`,
      ].join("\n"),
    ),
  );
  expect(code).toBe(0);
});

test("with --json stdout is one document", async () => {
  const frond = createFrond({ "greet.yaml": greet });
  expect(await frond.json(["run", "greet.yaml", "-i", "name=you"])).toEqual({
    code: 0,
    reply: { status: "success", run_id: runId, workflow: "greet", outputs: { text: "Hello, you!" } },
  });
});

test("--detailed adds every block's record and the run's metadata", async () => {
  const frond = createFrond({ "greet.yaml": greet });
  const { reply } = await frond.json(["run", "greet.yaml", "--detailed"]);
  const metadata = {
    status: "completed",
    outcome: "success",
    execution_time_ms: expect.any(Number),
    started_at: expect.any(String),
    completed_at: expect.any(String),
    attempts: 1,
  };
  expect(reply).toEqual({
    status: "success",
    run_id: runId,
    workflow: "greet",
    outputs: { text: "Hello, world!" },
    blocks: {
      hello: {
        inputs: expect.objectContaining({ command: expect.any(String) }),
        outputs: expect.objectContaining({ exit_code: 0, stdout: "Hello, world!\n", stderr: "" }),
        metadata: { ...metadata, wave: 0, execution_order: 0 },
      },
      after: {
        inputs: { command: "true" },
        outputs: expect.objectContaining({ exit_code: 0, stdout: "", stderr: "" }),
        metadata: { ...metadata, wave: 1, execution_order: 1 },
      },
    },
    metadata: {
      ...metadata,
      wave: 0,
      run_id: runId,
      workflow_name: "greet",
      start_time: expect.any(String),
      total_blocks: 2,
      execution_waves: 2,
    },
  });
});

test("failure is exit code 1, with the reason and the end of stderr, free of escape sequences", async () => {
  const frond = createFrond({ "failing.yaml": failing });
  const { code, stdout } = await frond.run(["run", "failing.yaml", "--logs", "none"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`^FAILED  bad ${duration}: exit code 7: two red$`, "m"));
  expect(stdout).toContain("skipped next: 'bad' failed, and is required.\n");
  expect(stdout).toContain("other: fine\nfailed bad: exit code 7\n  | one\n  | two red\n");
  expect(stdout).toMatch(new RegExp(`^failure failing run_\\w+ in ${duration}: bad failed\n$`, "m"));
});

test("a block that ran longer than its limit is said to have timed out, not to have crashed", async () => {
  const slow = shell("slow", "sleep 60", { timeout: "100ms" });
  const frond = createFrond({ "slow.yaml": workflow("slow", [slow, shell("next", "true", { depends_on: ["slow"] })]) });
  const { code, stdout } = await frond.run(["run", "slow.yaml"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`^TIMEOUT slow ${duration}: ran longer than its limit of 100ms$`, "m"));
  expect(stdout).toContain("skipped next: 'slow' timed out, and is required.\n");
  expect(stdout).toMatch(
    /^failed slow: ran longer than its limit of 100ms\nfailure slow run_\w+ in \S+: slow timed out\n/m,
  );
});

test("a failure as JSON names the blocks that failed, and still has the outputs", async () => {
  const frond = createFrond({ "failing.yaml": failing });
  expect(await frond.json(["run", "failing.yaml"])).toEqual({
    code: 1,
    reply: {
      status: "failure",
      run_id: runId,
      workflow: "failing",
      outputs: { other: "fine" },
      failed_blocks: [
        {
          block: "bad",
          message: expect.stringMatching(/^exit code 7: two/),
          stderr_tail: "one\ntwo \u001b[31mred",
        },
      ],
      message: expect.stringMatching(/^See the log: frond logs run_\w+ bad\nFix that, then run: frond rerun run_\w+$/),
    },
  });
});

test("a failure that another block deals with is told as handled, and the run succeeds", async () => {
  const handled = workflow("handled", [
    shell("bad", "exit 1"),
    shell("mend", "true", { condition: "${blocks.bad.failed}", depends_on: ["bad"] }),
    shell("use", "true", { depends_on: ["mend"] }),
  ]);
  const frond = createFrond({ "handled.yaml": handled });
  expect(await frond.json(["run", "handled.yaml"])).toEqual({
    code: 0,
    reply: {
      status: "success",
      run_id: runId,
      workflow: "handled",
      handled_failures: [{ block: "bad", handled_by: ["mend"], message: "exit code 1" }],
      message: expect.stringMatching(/^See the log: frond logs run_\w+ bad$/),
    },
  });
  const { stdout } = await frond.run(["run", "handled.yaml"]);
  expect(stdout).toMatch(
    /^handled bad \(by mend\): exit code 1\nsuccess handled run_\w+ in \S+ \(1 failure handled by mend\)\n/m,
  );
  expect(stdout).not.toContain("failed bad");
});

test("what a command told on stdout before it failed is shown where stderr is empty", async () => {
  const frond = createFrond({ "lint.yaml": workflow("lint", [shell("lint", "echo a.js:1 no-console; exit 3")]) });
  const { code, reply } = await frond.json(["run", "lint.yaml"]);
  expect(code).toBe(1);
  expect(reply).toMatchObject({
    failed_blocks: [{ block: "lint", message: "exit code 3", stdout_tail: "a.js:1 no-console" }],
  });
  const { stdout } = await frond.run(["run", "lint.yaml", "--logs", "none"]);
  expect(stdout).toContain("failed lint: exit code 3\n  | a.js:1 no-console\n");
});

test("what a command told on stdout is shown also where stderr says no more than that it failed", async () => {
  const command =
    "echo 'a.ts(1,2): error TS1: bad'; printf '%s\\n' 'npm error code 2' 'npm error script failed' >&2; exit 2";
  const frond = createFrond({ "lint.yaml": workflow("lint", [shell("lint", command)]) });
  const { stdout } = await frond.run(["run", "lint.yaml", "--logs", "none"]);
  expect(stdout).toMatch(
    /^failed lint: exit code 2\n {2}\| a\.ts\(1,2\): error TS1: bad\n {2}\| npm error code 2\n {2}\| npm error script failed\n/m,
  );
});

test("of much on stderr and stdout together no more is repeated than of one of them", async () => {
  const command = "seq 1000; seq 1000 >&2; exit 1";
  const frond = createFrond({ "much.yaml": workflow("much", [shell("much", command)]) });
  const { reply } = await frond.json(["run", "much.yaml"]);
  const [failed] = (reply as { failed_blocks: { stderr_tail: string; stdout_tail?: string }[] }).failed_blocks;
  expect(failed?.stderr_tail).toMatch(/^\.\.\.[\d\n]{1999}0$/);
  expect(failed?.stdout_tail).toBeUndefined();
});

test("the reason of a failure is the line that speaks of an error, not whatever came last", async () => {
  const crash = "printf '%s\\n' 'SyntaxError: bad' '    at x.js:1' '' 'Node.js v20' >&2; exit 1";
  const frond = createFrond({ "crash.yaml": workflow("crash", [shell("go", crash)]) });
  expect((await frond.run(["run", "crash.yaml"])).stdout).toContain("failed go: exit code 1: SyntaxError: bad\n");
});

test("a question that nobody can be asked is exit code 3, and says what it waits for", async () => {
  const frond = createFrond({ "asking.yaml": asking });
  const { code, stdout } = await frond.run(["run", "asking.yaml"]);
  expect(code).toBe(3);
  const [, id] = /frond resume (pause_\w+)/.exec(stdout) ?? [];
  expect(stdout).toContain(
    `asks go:\n  Ready.\n  Go on?\n  (one of: yes, no)\n  Answer with: frond resume ${id} --response 'yes'\n`,
  );
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^paused asking run_\w+: waits for 1 answer$/);
});

test("a question as JSON has its checkpoint, its choices and its default", async () => {
  const frond = createFrond({ "asking.yaml": asking });
  const id = expect.stringMatching(/^pause_[0-9a-z]{16}_[0-9a-f]{10}$/);
  expect(await frond.json(["run", "asking.yaml"])).toEqual({
    code: 3,
    reply: {
      status: "paused",
      run_id: runId,
      workflow: "asking",
      paused_block_id: "go",
      checkpoint_id: id,
      prompt: "Ready.\nGo on?",
      audience: "llm",
      choices: ["yes", "no"],
      default: "no",
      message: expect.stringMatching(/^Answer with: frond resume pause_\w+ --response /),
    },
  });
});

test("a run that waits keeps its scratch directory, and leaves nothing behind in the workspace when it ends", async () => {
  const blocks = [
    shell("make", 'echo x > "$SCRATCH/file"'),
    { id: "ask", type: "Prompt", depends_on: ["make"], inputs: { prompt: "Go on?" } },
    shell("read", 'printf %s "$(cat "$SCRATCH/file")"', { depends_on: ["ask"] }),
  ];
  const outputs = { kept: "${blocks.read.stdout}" };
  const frond = createFrond({ "scratch.yaml": workflow("scratch", blocks, { outputs }) });
  expect((await frond.run(["run", "scratch.yaml"])).code).toBe(3);
  const answered = await frond.json(["resume", "last", "--response", "yes"]);
  expect(answered).toMatchObject({ code: 0, reply: { outputs: { kept: "x" } } });
  expect(existsSync(join(frond.directory, ".scratch"))).toBe(false);
});

test("a definition with errors is exit code 2 and runs nothing", async () => {
  const blocks = [shell("touch", "touch ran"), shell("bad", "echo ${blocks.nobody.stdout}")];
  const frond = createFrond({ "invalid.yaml": workflow("invalid", blocks) });
  const { code, reply } = await frond.json(["run", "invalid.yaml"]);
  expect(code).toBe(2);
  expect(reply).toEqual({
    status: "failure",
    error: "There is no block 'nobody'.",
    errors: [
      {
        code: "unknown-block",
        level: "error",
        message: expect.stringContaining("nobody"),
        block: "bad",
        fix: expect.any(String),
        file: "invalid.yaml",
        line: expect.any(Number),
        column: expect.any(Number),
        end_line: expect.any(Number),
        end_column: expect.any(Number),
      },
    ],
  });
  const { stdout, stderr } = await frond.run(["run", "invalid.yaml"]);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^invalid\.yaml:\d+:\d+: error: .*nobody/);
  expect(existsSync(join(frond.directory, "ran"))).toBe(false);
});

test("--workspace is where commands run, and --max-parallel bounds how many do", async () => {
  const blocks = [shell("where", "pwd"), shell("other", "pwd")];
  const outputs = { where: { value: "${trim(blocks.where.stdout)}" } };
  const frond = createFrond({ "where.yaml": workflow("where", blocks, { outputs }), "sub/file": "" });
  const { stdout } = await frond.run(["run", "where.yaml", "--workspace", "sub", "--max-parallel", "1"]);
  expect(stdout).toContain(`where: ${join(frond.directory, "sub")}\n`);
  expect(stdout.split("\n").map((line) => line.split(" ")[0])).toEqual([
    "run",
    "start",
    "where",
    "ok",
    "start",
    "other",
    "ok",
    "where:",
    "success",
    "",
  ]);
});

test("warnings do not stop a run, and are mentioned on stderr in one line", async () => {
  const inputs = { name: { type: "string", default: "x" } };
  const frond = createFrond({ "warned.yaml": workflow("warned", [shell("a", "true")], { inputs }) });
  const { code, stderr } = await frond.run(["run", "warned.yaml"]);
  expect(code).toBe(0);
  expect(stderr).toBe("1 warning about warned.yaml: see `frond validate warned.yaml`.\n");
});

test("a message that quotes several lines can't pass for one of ours", async () => {
  const path = "nothing\nsuccess reading";
  const reading = workflow("reading", [{ id: "it", type: "ReadFile", inputs: { path } }]);
  const { code, stdout } = await createFrond({ "reading.yaml": reading }).run(["run", "reading.yaml"]);
  expect(code).toBe(1);
  expect(stdout).toContain("\n  success reading' does not exist");
  expect(stdout).not.toMatch(/^success/m);
});
