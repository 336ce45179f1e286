import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";

const unknownFix = "Did you mean 'hello-world'? `frond list` shows the workflows that can be called by name.";

const good = workflow("good", [shell("one", "true")]);

const wrongUses: readonly (readonly [args: string, code: string, message: string, fix: string])[] = [
  ["rnu", "usage", "Unknown command 'rnu'.", "Did you mean 'run'? See `frond --help`."],
  ["--wat", "usage", "Unknown option '--wat'.", "See `frond --help`."],
  ["run", "usage", "Missing required argument 'workflow'.", "Write `frond run <workflow>`. See `frond run --help`."],
  [
    "run good.yaml --workspce .",
    "usage",
    "Unknown option '--workspce'.",
    "Did you mean --workspace? See `frond run --help`.",
  ],
  [
    "run good.yaml other",
    "usage",
    "Too many arguments for 'run'. Expected 1 argument but got 2.",
    "See `frond run --help`.",
  ],
  [
    "run good.yaml --var a=1",
    "usage",
    "Unknown option '--var'.",
    "Write `--input NAME=VALUE`. See `frond run --help`.",
  ],
  ["run good.yaml --input", "usage", "Option '-i, --input <name=value>' argument missing.", "See `frond run --help`."],
  [
    "run good.yaml --max-parallel none",
    "usage",
    "Option '--max-parallel <n>' argument 'none' is invalid. It must be a whole number above 0.",
    "See `frond run --help`.",
  ],
  [
    "run good.yaml --max-parallel 0",
    "usage",
    "Option '--max-parallel <n>' argument '0' is invalid. It must be a whole number above 0.",
    "See `frond run --help`.",
  ],
  [
    "run good.yaml --workspace nowhere",
    "bad-directory",
    "'nowhere' can't be used: it does not exist.",
    "Give --workspace a directory that exists.",
  ],
  [
    "run good.yaml --workspace good.yaml",
    "bad-directory",
    "'good.yaml' is not a directory.",
    "Give --workspace a directory that exists.",
  ],
  ["run hello-wrld", "unknown-workflow", "No workflow is named 'hello-wrld'.", unknownFix],
  [
    "run missing.yaml",
    "no-such-file",
    "There is no file 'missing.yaml'.",
    "Check the path. `frond list` shows the workflows that can be called by name.",
  ],
  ["run good.yml", "no-such-file", "There is no file 'good.yml'.", "Did you mean 'good.yaml'?"],
  ["run ./good", "no-such-file", "There is no file './good'.", "Did you mean './good.yaml'?"],
  [
    "runs --status failde",
    "usage",
    "Option '--status <status...>' argument 'failde' is invalid. Allowed choices are success, failure, cancelled, paused, sleeping, running, queued, interrupted. Did you mean 'failed'?",
    "See `frond runs --help`.",
  ],
  ["run ./", "not-a-file", "'./' is a directory.", "Give the path of a workflow file."],
  ["run .", "not-a-file", "'.' is a directory.", "Give the path of a workflow file."],
  ["graph .", "not-a-file", "'.' is a directory.", "Give the path of a workflow file."],
  [
    "validate",
    "usage",
    "Missing required argument 'file'.",
    "Write `frond validate <file...>`. See `frond validate --help`.",
  ],
  ["info hello-wrld", "unknown-workflow", "No workflow is named 'hello-wrld'.", unknownFix],
  ["graph hello-wrld", "unknown-workflow", "No workflow is named 'hello-wrld'.", unknownFix],
  ["resume pause_zz", "unknown-checkpoint", "There is no checkpoint 'pause_zz'.", "See `frond checkpoints`."],
  [
    "save missing.yaml",
    "no-such-file",
    "There is no file 'missing.yaml'.",
    "Give a workflow file, or - for standard input.",
  ],
  ["save .", "not-a-file", "'.' is a directory.", "Give a workflow file, or - for standard input."],
  [
    "run good.yaml --inputs empty.yaml",
    "empty-file",
    "'empty.yaml' is empty.",
    "Give --inputs a JSON or YAML file that maps input names to values.",
  ],
  [
    "gc --max-size 5",
    "usage",
    "Option '--max-size <size>' argument '5' is invalid. Write it like 5GB or 500MB.",
    "See `frond gc --help`.",
  ],
  ["schema Shel", "unknown-block-type", "There is no block type 'Shel'.", "Did you mean 'Shell'?"],
  [
    "trust nowhere",
    "bad-directory",
    "'nowhere' can't be used: it does not exist.",
    "Give the directory of the project.",
  ],
  [
    "list --workspace nowhere",
    "bad-directory",
    "'nowhere' can't be used: it does not exist.",
    "Give --workspace a directory that exists.",
  ],
];

test.each(wrongUses)(
  "`frond %s` says what is wrong and what to do, in text and as JSON",
  async (line, code, message, fix) => {
    const frond = createFrond({ "good.yaml": good, "empty.yaml": "" });
    const args = line.split(" ");
    expect(await frond.run(args)).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: ${message} [${code}]\n  fix: ${fix}\n`,
    });
    const [command = "", ...rest] = args;
    const { stdout, ...ended } = await frond.run([command, "--json", ...rest]);
    expect(ended).toEqual({ code: 2, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      status: "failure",
      error: message,
      errors: [{ code, level: "error", message, fix }],
    });
  },
);

test("without a command the help is shown, as an error", async () => {
  const { code, stdout, stderr } = await createFrond().run([]);
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^Usage: frond /);
});

test.each([["--version"], ["-V"]])("%s prints the version", async (flag) => {
  const { code, stdout } = await createFrond().run([flag]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("every command that comes to an end takes --json, and all have help", async () => {
  const frond = createFrond();
  const { stdout: overview } = await frond.run(["--help"]);
  const commands = [...overview.matchAll(/^ {2,4}([a-z-]+)(?: .*)? {2,}\S/gm)].map(([, name = ""]) => name);
  expect(commands).toEqual(expect.arrayContaining(["run", "validate", "gc", "doctor", "worker", "serve", "ui"]));
  const endless = new Set(["serve", "ui", "worker", "help", "completion"]);
  for (const command of commands.filter((name) => name !== "help")) {
    const { code, stdout } = await frond.run([command, "--help"]);
    expect([command, code]).toEqual([command, 0]);
    if (!endless.has(command)) expect(stdout, command).toMatch(/^ {2}--json /m);
  }
});

test("a broken file in the library is refused by its name, with its problems", async () => {
  const frond = createFrond({ "extra/broken.yaml": workflow("broken", [{ id: "a", type: "Shel" }]) });
  const env = { WORKFLOWS_TEMPLATE_PATHS: join(frond.directory, "extra") };
  const { code, stderr } = await frond.run(["run", "broken"], { env });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /broken\.yaml:\d+:\d+: error: block 'a': There is no block type 'Shel'\. \[unknown-block-type\]\n/,
  );
});

test("near misses on the command line are told what to write", async () => {
  const frond = createFrond({ "ci.yaml": workflow("ci", [shell("a", "true")]) });
  const adviceFor = async (...args: string[]): Promise<string> => (await frond.run(args)).stderr;
  expect(await adviceFor("run", "ci")).toContain("fix: There is a file of that name: `frond run ci.yaml`.");
  expect(await adviceFor("run", "ci.yaml", "name=x")).toContain("To give an input write `--input name=x`.");
  expect(await adviceFor("run", "ci.yaml", "--inputs", "name=x")).toContain(
    "For a single input write `--input name=x`.",
  );
});

test.each([
  ["help rn", "Did you mean 'run'?"],
  ["help nothing-like-it", "See `frond --help`."],
  ["status", "`frond show RUN` shows a run. See `frond --help`."],
  [
    "cron",
    "`frond schedule NAME '0 3 * * *'` has cron, systemd or launchd run a workflow at certain times. See `frond --help`.",
  ],
  ["build.yaml", "To run a file write `frond run build.yaml`."],
])("`frond %s` is told which command is meant, and nothing else", async (line, fix) => {
  const { code, stdout, stderr } = await createFrond().run(line.split(" "));
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.split("\n")).toHaveLength(3);
  expect(stderr).toContain(`fix: ${fix}`);
  expect(stderr).not.toContain("outputHelp");
});
