import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyBlocks } from "../../src/library/verify-blocks.ts";
import { createTestEngine, explain } from "../rig/engine.ts";
import { isAlive } from "../rig/is-alive.ts";
import { runShell } from "../rig/shell-block.ts";
import { waitFor } from "../rig/wait-for.ts";

test.each([
  { command: "exit 0", outcome: "success", exit_code: 0, message: null },
  { command: "echo oh no >&2; exit 3", outcome: "failure", exit_code: 3, message: "exit code 3: oh no" },
  { command: "kill -TERM $$", outcome: "failure", exit_code: 143, message: "ended by SIGTERM (exit code 143)" },
  { command: "kill -KILL $$", outcome: "failure", exit_code: 137, message: "ended by SIGKILL (exit code 137)" },
  { command: "no-such-program", outcome: "failure", exit_code: 127, message: /^exit code 127: .*not found$/ },
])("$command is completed/$outcome with exit code $exit_code", async ({ command, outcome, exit_code, message }) => {
  const { metadata, outputs } = await runShell(createTestEngine(), command);
  expect(metadata).toMatchObject({ status: "completed", outcome });
  expect(outputs.exit_code).toBe(exit_code);
  if (message instanceof RegExp) expect(metadata.message).toMatch(message);
  else expect(metadata.message).toBe(message);
});

test("stdout and stderr are two, and stdin is what was given, else empty", async () => {
  const engine = createTestEngine();
  const both = await runShell(engine, "echo out; echo err >&2");
  expect(both.outputs).toMatchObject({ stdout: "out\n", stderr: "err\n" });
  expect((await runShell(engine, { command: "cat", stdin: "given\n" })).outputs.stdout).toBe("given\n");
  expect((await runShell(engine, "cat; echo end")).outputs.stdout).toBe("end\n");
});

test("env adds variables, also numbers and booleans, and wins over what is inherited", async () => {
  const engine = createTestEngine({ environment: { KEPT: "kept", CHANGED: "before" } });
  const env = { CHANGED: "after", NUMBER: 7, FLAG: true, SPACES: "a  b\n$HOME" };
  const { outputs } = await runShell(engine, {
    command: 'printf "%s|" "$KEPT" "$CHANGED" "$NUMBER" "$FLAG" "$SPACES"',
    env,
  });
  expect(outputs.stdout).toBe("kept|after|7|true|a  b\n$HOME|");
});

test("env_policy clean passes PATH, HOME and the like, and what env names, but not the rest", async () => {
  const environment = { SECRETISH: "x", LC_ALL: "C", TZ: "UTC", FROND_SECRET_A: "y" };
  const engine = createTestEngine({ environment });
  const names =
    "env | cut -d= -f1 | grep -E '^(SECRETISH|LC_ALL|TZ|PATH|HOME|MINE|FROND_SECRET_A)$' | sort | tr '\\n' ' '";
  const clean = await runShell(engine, { command: names, env_policy: "clean", env: { MINE: 1 } });
  expect(clean.outputs.stdout).toBe("HOME LC_ALL MINE PATH TZ ");
  const inherited = await runShell(engine, names);
  expect(inherited.outputs.stdout).toBe("HOME LC_ALL PATH SECRETISH TZ ");
});

test("working_dir is relative to the workspace, and may lie outside it", async () => {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "sub"));
  const pwd = async (working_dir: string): Promise<unknown> =>
    (await runShell(engine, { command: "pwd", working_dir })).outputs.stdout;
  expect(await pwd("")).toBe(`${engine.workspace}\n`);
  expect(await pwd("sub")).toBe(`${join(engine.workspace, "sub")}\n`);
  expect(await pwd("/")).toBe("/\n");
  const missing = await runShell(engine, { command: "pwd", working_dir: "nowhere" });
  expect(missing.metadata).toMatchObject({ status: "failed", outcome: "n/a" });
  expect(missing.metadata.message).toContain("does not exist");
  expect(missing.outputs).toEqual({ exit_code: -1, stdout: "", stderr: "" });
});

test("an argument that is a map is an error with its place", () => {
  const { diagnostics } = createTestEngine().check({ blocks: [{ id: "x", type: "Shell", inputs: { args: [{}] } }] });
  expect(diagnostics.map(({ code }) => code)).toEqual(["wrong-type"]);
});

test("args run a program without a shell, each argument as it is", async () => {
  const engine = createTestEngine();
  const args = ["printf", "[%s]", "a b", "$HOME", "*", "'", "", "${inputs.v}", 7, true];
  const { outputs } = await runShell(engine, { args }, {}, { v: "$(touch CANARY) ; x" });
  expect(outputs.stdout).toBe("[a b][$HOME][*]['][][$(touch CANARY) ; x][7][true]");
  const missing = await runShell(engine, { args: ["no-such-program"] });
  expect(missing.metadata).toMatchObject({
    status: "failed",
    message: "there is no program 'no-such-program' on PATH",
  });
});

test("shell: false splits the command into words and knows nothing else of a shell", async () => {
  const engine = createTestEngine();
  const command = "printf '[%s]' a 'b  c' \"d e\" $HOME * ; | x\\ y ${inputs.v} pre${inputs.v} ${inputs.list}";
  const { outputs } = await runShell(engine, { command, shell: false }, {}, { v: "two words; x", list: ["p q", "r"] });
  expect(outputs.stdout).toBe("[a][b  c][d e][$HOME][*][;][|][x y][two words; x][pretwo words; x][p q][r]");
});

test("a shell can be picked by name, and one that is not there FAILS the block", async () => {
  const engine = createTestEngine();
  const which = async (shell: string): Promise<unknown> =>
    (await runShell(engine, { command: 'echo "${BASH_VERSION:+bash}${BASH_VERSION:-other}"', shell })).outputs.stdout;
  expect(await which("bash")).toContain("bash");
  expect(await which("dash")).toBe("other\n");
  expect(await which("/bin/sh")).toMatch(/\n$/);
  const missing = await runShell(engine, { command: "true", shell: "no-such-shell" });
  expect(missing.metadata).toMatchObject({ status: "failed", message: "There is no shell 'no-such-shell' on PATH." });
});

test("without strict only the last command counts, with it the first failure ends the script", async () => {
  const engine = createTestEngine();
  const command = "false\nfalse | true\necho reached";
  expect((await runShell(engine, command)).metadata.succeeded).toBe(true);
  for (const shell of ["bash", "dash"]) {
    const { metadata, outputs } = await runShell(engine, { command, strict: true, shell });
    expect([metadata.outcome, outputs.stdout], shell).toEqual(["failure", ""]);
  }
  const pipe = await runShell(engine, { command: "false | true", strict: true });
  expect(pipe.metadata.failed).toBe(true);
  const unset = await runShell(engine, { command: 'echo "$nothing_like_that"', strict: true });
  expect(unset.metadata.failed).toBe(true);
});

test("capture_output: false runs the command and records nothing of what it wrote", async () => {
  const engine = createTestEngine();
  const { metadata, outputs } = await runShell(engine, {
    command: "echo out; echo err >&2; echo file > f",
    capture_output: false,
  });
  expect(metadata.succeeded).toBe(true);
  expect(outputs).toEqual({ exit_code: 0, stdout: "", stderr: "" });
  expect(readFileSync(join(engine.workspace, "f"), "utf8")).toBe("file\n");
});

test("output above max_output keeps its head and its tail", async () => {
  const engine = createTestEngine();
  const { outputs } = await runShell(engine, { command: "echo start; seq 1 20000; echo end", max_output: 2000 });
  const stdout = outputs.stdout as string;
  expect(stdout.startsWith("start\n1\n2\n")).toBe(true);
  expect(stdout.endsWith("20000\nend\n")).toBe(true);
  expect(stdout).toMatch(/\n\.\.\. [\d,]+ bytes left out \.\.\.\n/);
  expect(stdout.length).toBeLessThan(2100);
});

test("bytes that are no UTF-8 are replaced, not lost", async () => {
  const { outputs } = await runShell(createTestEngine(), "printf 'a\\377b'");
  expect(outputs.stdout).toBe("a\ufffdb");
});

test("output is handed on while the command runs", async () => {
  const engine = createTestEngine();
  const heard: string[] = [];
  await engine.run(
    { blocks: [{ id: "it", type: "Shell", inputs: { command: "echo one; echo two >&2" } }] },
    { onOutput: (path, text) => void heard.push(`${path} ${text}`) },
  );
  expect(heard.toSorted()).toEqual(["it one\n", "it two\n"]);
});

test("a script above 128 KiB runs, with values and with strict", async () => {
  const engine = createTestEngine();
  const filler = `# ${"it's a long line ".repeat(8)}\n`.repeat(1_500);
  const command = `${filler}value='\${inputs.v}'\nfalse\necho "$value" \${inputs.v}`;
  expect(Buffer.byteLength(command)).toBeGreaterThan(128 * 1024);
  const given = { v: `it's "$(touch CANARY)" \`x\`` };
  const { outputs } = await runShell(engine, { command }, {}, given);
  expect(outputs.stdout).toBe(`${given.v} ${given.v}\n`);
  const strict = await runShell(engine, { command, strict: true }, {}, given);
  expect(strict.outputs).toMatchObject({ exit_code: 1, stdout: "" });
});

test("a value above 128 KiB reaches the command whole", async () => {
  const { outputs } = await runShell(
    createTestEngine(),
    "printf %s ${inputs.v} | wc -c",
    {},
    { v: "x".repeat(300_000) },
  );
  expect(String(outputs.stdout).trim()).toBe("300000");
});

test.each([
  { where: "the command", inputs: { command: "echo ${inputs.v}" } },
  { where: "a list in the command", inputs: { command: "echo ${inputs.list}" } },
  { where: "an environment variable", inputs: { command: "true", env: { A: "${inputs.v}" } } },
  { where: "an argument", inputs: { args: ["echo", "${inputs.v}"] } },
  { where: "a word", inputs: { command: "echo ${inputs.v}", shell: false } },
])("a NUL in $where FAILS the block", async ({ inputs }) => {
  const { metadata } = await runShell(createTestEngine(), inputs, {}, { v: "a\0b", list: ["a\0b"] });
  expect(metadata.status).toBe("failed");
  expect(metadata.message).toContain("NUL");
});

test.each(["", "A=B"])("an environment variable can't be called '%s'", async (name) => {
  const { metadata } = await runShell(createTestEngine(), { command: "true", env: { [name]: "x" } });
  expect(metadata).toMatchObject({ status: "failed", message: `env '${name}' is no name of an environment variable.` });
});

test("a timeout ends the command and everything it started, and keeps what it had printed", async () => {
  const engine = createTestEngine();
  const { metadata, outputs } = await runShell(engine, "sleep 600 & echo $!; sleep 600 & echo $! $$; wait", {
    timeout: 1,
  });
  expect(metadata).toMatchObject({ status: "failed", outcome: "n/a", message: "ran longer than its limit of 1s" });
  expect(outputs.exit_code).toBe(-1);
  const pids = String(outputs.stdout).trim().split(/\s+/).map(Number);
  expect(pids).toHaveLength(3);
  await waitFor("the processes to be gone", () => pids.every((pid) => !isAlive(pid)));
});

test("inputs.timeout is another spelling of timeout, and the default is two minutes", async () => {
  const engine = createTestEngine();
  const { metadata } = await runShell(engine, { command: "sleep 60", timeout: 0.2 });
  expect(metadata.message).toBe("ran longer than its limit of 200ms");
  expect(engine.engine.workflows.catalog.find("Shell")?.defaultTimeout).toBe(120);
  const both = { blocks: [{ id: "it", type: "Shell", timeout: 1, inputs: { command: "true", timeout: 1 } }] };
  expect(explain(engine.check(both).diagnostics)).toContain("two-timeouts");
});

test("a command that was cancelled is gone when the run has ended", async () => {
  const engine = createTestEngine();
  let pid = 0;
  const run = await engine.start(
    { blocks: [{ id: "it", type: "Shell", inputs: { command: "echo $$; sleep 60" } }] },
    {
      onOutput(_, text) {
        pid = Number(text);
        void run.cancel();
      },
    },
  );
  const { response } = await run.settled;
  expect(response).toMatchObject({ status: "failure", error: "cancelled", cancelled: true });
  expect(isAlive(pid)).toBe(false);
});

test("what a command leaves in the background is ended with it, or with the run if it says keep_background", async () => {
  const engine = createTestEngine();
  const leaving = (id: string, keep_background: boolean): object => {
    const command = "sleep 60 >/dev/null 2>&1 & echo $!";
    return { id, type: "Shell", inputs: { command, keep_background } };
  };
  const run = await engine.start({
    blocks: [
      leaving("keeps", true),
      leaving("leaves", false),
      { id: "ask", type: "Prompt", inputs: { prompt: "Look?" }, depends_on: ["keeps", "leaves"] },
    ],
  });
  const { state } = await run.settled;
  const pidOf = (id: string): number => Number(state.root.record.blocks[id]?.outputs.stdout);
  await waitFor("what was left to be gone", () => !isAlive(pidOf("leaves")));
  expect(isAlive(pidOf("keeps"))).toBe(true);
  await run.answer("ask", "done");
  await run.goOn();
  expect(isAlive(pidOf("keeps"))).toBe(false);
});

test("$SCRATCH is one private directory for all blocks at every depth, removed when the run ends", async () => {
  const engine = createTestEngine({
    workflows: {
      child: { blocks: [{ id: "reads", type: "Shell", inputs: { command: 'cat "$SCRATCH/note"; echo "$SCRATCH"' } }] },
    },
  });
  const { state } = await engine.run({
    blocks: [
      {
        id: "writes",
        type: "Shell",
        inputs: { command: 'echo hi > "$SCRATCH/note"; stat -c %a "$SCRATCH"; cat "$SCRATCH/../.gitignore"' },
      },
      { id: "nested", type: "ExecuteWorkflow", inputs: { workflow: "child" }, depends_on: ["writes"] },
    ],
  });
  const scratch = join(engine.workspace, ".scratch", state.started.runId);
  expect(state.root.record.blocks.writes?.outputs.stdout).toBe("700\n*\n");
  expect(state.root.record.blocks.nested?.blocks.reads?.outputs.stdout).toBe(`hi\n${scratch}\n`);
  expect(existsSync(join(engine.workspace, ".scratch"))).toBe(false);
});

test("the run's id and a key that is the block's own and stable are in the environment", async () => {
  const engine = createTestEngine();
  const { state, events } = await engine.run({
    blocks: [
      {
        id: "it",
        type: "Shell",
        inputs: { command: 'echo "$FROND_RUN_ID $FROND_IDEMPOTENCY_KEY" ${metadata.idempotency_key}' },
      },
    ],
  });
  const started = events.find((event) => event.type === "block-started");
  const key = started?.type === "block-started" ? started.idempotencyKey : "";
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(state.root.record.blocks.it?.outputs.stdout).toBe(`${state.started.runId} ${key} ${key}\n`);
});

test("raw text is pasted only where the block says unsafe", async () => {
  const engine = createTestEngine();
  const command = "echo ${inputs.v | raw}";
  const refused = engine.check({
    inputs: { v: { type: "string", description: "?" } },
    blocks: [{ id: "it", type: "Shell", inputs: { command } }],
  });
  expect(explain(refused.diagnostics)).toContain("raw-needs-unsafe");
  const { outputs } = await runShell(engine, { command, unsafe: true }, {}, { v: "$((1 + 2)) *" });
  expect(outputs.stdout).toBe("3 *\n");
});

test.each([
  { command: "echo ${inputs.v}; ; echo", shell: true, refused: true },
  { command: "echo ${inputs.v}; ; echo", shell: "dash", refused: true },
  { command: "[[ a -zz b ]]", shell: true, refused: true },
  { command: "cat <<EOF\nnever ended", shell: true, refused: true },
  { command: "echo a; ; b", shell: false, refused: false },
  { command: "echo a; ; b", shell: "fish", refused: false },
  { command: "echo ${inputs.v}; ; b", shell: "fish", refused: true },
])("what no shell can read is refused, in the words of one place: $command in $shell", async (row) => {
  const engine = createTestEngine();
  const { definition, diagnostics } = engine.check({
    inputs: { v: { type: "list", default: [], description: "?" } },
    blocks: [{ id: "it", type: "Shell", inputs: { command: row.command, shell: row.shell } }],
  });
  const verified = await verifyBlocks(definition, engine.engine.platform);
  const found = [...diagnostics, ...verified].filter(({ code }) => code === "shell-syntax");
  expect(found).toHaveLength(row.refused ? 1 : 0);
});

test.each([
  { command: "x=(a b) c() { echo ${inputs.v}; }", shell: true, finds: true },
  { command: 'for x in ${inputs.v}; do echo "$x"; done', shell: true, finds: false },
  { command: "diff <(echo a) <(echo b)", shell: "bash", finds: false },
  { command: "x=(a b) c() { echo ${inputs.v}; }", shell: "dash", finds: false },
])("validating finds what bash itself can't read, without running it: $command in $shell", async (row) => {
  const engine = createTestEngine();
  const { definition } = engine.check({
    inputs: { v: { type: "list", default: [], description: "?" } },
    blocks: [{ id: "it", type: "Shell", inputs: { command: row.command, shell: row.shell } }],
  });
  const found = await verifyBlocks(definition, engine.engine.platform);
  expect(found.map(({ code, level }) => `${level} ${code}`)).toEqual(row.finds ? ["error shell-syntax"] : []);
});

test("values with every hostile character arrive as they are, in every shell", async () => {
  const engine = createTestEngine();
  const hostile = "'\"`$(touch CANARY)${HOME}\\\n;&|<>*?[a]{b,c}~#! \t$'x'--";
  for (const shell of ["bash", "dash"]) {
    const command = "printf '%s\\0' ${inputs.v} \"${inputs.v}\" '${inputs.v}' x${inputs.v}y";
    const { outputs } = await runShell(engine, { command, shell }, {}, { v: hostile });
    expect(outputs.stdout, shell).toBe(`${hostile}\0${hostile}\0${hostile}\0x${hostile}y\0`);
  }
  expect(existsSync(join(engine.workspace, "CANARY"))).toBe(false);
});

test("a value that bash would run fails a block whose script calculates with what is not its own", async () => {
  const engine = createTestEngine();
  const run = (command: string, more: object = {}): ReturnType<typeof runShell> =>
    runShell(engine, { command, ...more }, {}, { v: "a[$(touch RAN)]" });
  const computed = 'cp=cou; s=nt; name=$cp$s; count="${inputs.v}"; echo $((name))';
  const refused = await run(computed);
  expect(refused.metadata.status).toBe("failed");
  expect(refused.metadata.message).toContain("${inputs.v} holds a command in the subscript of a name");
  expect(existsSync(join(engine.workspace, "RAN"))).toBe(false);
  const counting = await run('i=0; for x in 1 2; do i=$((i + 1)); done; printf %s "$i ${inputs.v}"');
  expect(counting.outputs.stdout).toBe("2 a[$(touch RAN)]");
  const plain = await run('printf %s "${inputs.v}"');
  expect(plain.outputs.stdout).toBe("a[$(touch RAN)]");
  const inEnv = await run("echo $((N))", { env: { N: "1", TEXT: "${inputs.v}" } });
  expect(inEnv.metadata.message).toContain("TEXT holds a command");
  expect((await run(computed, { unsafe: true })).metadata.status).toBe("completed");
});
