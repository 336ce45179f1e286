import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { isAlive } from "../rig/is-alive.ts";
import { waitFor } from "../rig/wait-for.ts";

const greet = workflow(
  "greet",
  [
    shell("say", 'echo "hello ${inputs.who}"; test "${inputs.who}" != nobody'),
    shell("after", "true", { depends_on: ["say"] }),
  ],
  {
    inputs: { who: { type: "string", description: "Who", default: "world" } },
    outputs: { said: "${blocks.say.stdout}" },
  },
);

const passing = `cases:
  - name: greets the world
    expect: { outputs: { said: "hello world\\n" } }
`;
const failing = `${passing}  - name: greets nobody
    inputs: { who: nobody }
    expect:
      outputs: { said: "hello\\nnobody\\n" }
  - name: needs something
    uses: [no-such-tool]
`;

/** With a directory of its own for temporary files, so that what is left there can be counted. */
function createBench(files: Readonly<Record<string, string>>): { readonly frond: Frond; leftovers(): string[] } {
  const frond = createFrond({ "greet.yaml": greet, ...files });
  const temporary = join(frond.home, "tmp");
  mkdirSync(temporary);
  return { frond, leftovers: () => readdirSync(temporary) };
}

function run(frond: Frond, ...args: readonly string[]): ReturnType<Frond["run"]> {
  return frond.run(["test", ...args], { env: { TMPDIR: join(frond.home, "tmp") } });
}

/** Durations are what they are. */
function steady(text: string): string {
  return text.replaceAll(/\b\d+(?:\.\d+)?(?:ms|s)\b/g, "0s");
}

describe("frond test", () => {
  test("finds the tests below the directory it is run in, and leaves nothing behind", async () => {
    const { frond, leftovers } = createBench({
      "greet.test.yaml": passing,
      ".frond/workflows/inner.yaml": workflow("inner", [shell("a", "true")]),
      ".frond/workflows/inner.test.yaml": "cases: [{ name: inside }]",
      "node_modules/x/y.test.yaml": "not looked at",
      ".git/y.test.yaml": "not looked at",
    });
    await frond.run(["trust"]);
    const { code, stdout, stderr } = await run(frond);
    expect(steady(stdout)).toBe(
      `.frond/workflows/inner.test.yaml\n  ok inside 0s\ngreet.test.yaml\n  ok greets the world 0s\n2 passed in 0s\n`,
    );
    expect({ code, stderr, leftovers: leftovers() }).toEqual({ code: 0, stderr: "", leftovers: [] });
    // No run of a case is among the user's own.
    expect((await frond.run(["runs"])).stdout).not.toContain("greet");
  });

  test("shows what was expected and found, and what the run says of its failed blocks", async () => {
    const { frond, leftovers } = createBench({ "greet.test.yaml": failing });
    const { code, stdout } = await run(frond, "greet.test.yaml");
    expect(steady(stdout)).toBe(
      [
        "greet.test.yaml",
        "  ok greets the world 0s",
        "  FAILED greets nobody 0s",
        "    status",
        "      expected: success",
        "      found:    failure",
        "      'say' failed: exit code 1",
        "    outputs.said",
        "      - expected + found",
        "      - hello",
        "      - nobody",
        "      + hello nobody",
        "    failed block say: exit code 1",
        "      | hello nobody",
        "  skipped (needs no-such-tool) needs something 0s",
        "1 passed, 1 failed, 1 skipped (needs no-such-tool) in 0s",
        "",
      ].join("\n"),
    );
    expect({ code, leftovers: leftovers() }).toEqual({ code: 1, leftovers: [] });
  });

  test("gives one document with --json", async () => {
    const { frond } = createBench({ "greet.test.yaml": failing });
    const { code, reply } = await frond.json(["test"]);
    expect(code).toBe(1);
    expect(reply).toEqual({
      status: "failure",
      passed: 1,
      failed: 1,
      skipped: 1,
      cancelled: 0,
      duration_ms: expect.any(Number),
      files: [
        {
          file: "greet.test.yaml",
          workflow: "greet",
          cases: [
            { name: "greets the world", status: "passed", duration_ms: expect.any(Number) },
            {
              name: "greets nobody",
              status: "failed",
              duration_ms: expect.any(Number),
              mismatches: [
                { at: "status", expected: "success", found: "failure", message: "'say' failed: exit code 1" },
                { at: "outputs.said", expected: "hello\nnobody\n", found: "hello nobody\n" },
              ],
              failed_blocks: [{ block: "say", message: "exit code 1", stdout_tail: "hello nobody" }],
            },
            { name: "needs something", status: "skipped", duration_ms: 0, needs: ["no-such-tool"] },
          ],
        },
      ],
    });
  });

  test("refuses invalid files with their places and exit code 2", async () => {
    const { frond } = createBench({ "greet.test.yaml": "cases:\n  - nam: a\n" });
    const { code, stdout, stderr } = await run(frond);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("greet.test.yaml:2:5: error: the case has no key 'nam'");
    const { code: again, reply } = await frond.json(["test"]);
    expect(again).toBe(2);
    expect(reply).toMatchObject({ status: "failure", errors: [{ file: "greet.test.yaml", line: 2, column: 5 }, {}] });
  });

  test.each([
    [["nowhere"], "There is no file 'nowhere'."],
    [["untested.yaml"], "There is no test file beside 'untested.yaml'."],
    [["empty/readme.md"], "'empty/readme.md' is not a test file."],
    [["empty"], "There are no test files in 'empty'."],
    [["--filter", "zzz"], "No case in this directory is called 'zzz'."],
    [["--jobs", "0"], "It must be a whole number above 0."],
  ])("refuses %j", async (args, message) => {
    const { frond } = createBench({ "greet.test.yaml": passing, "untested.yaml": greet, "empty/readme.md": "" });
    const { code, stderr } = await run(frond, ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test("runs the tests beside a workflow that is named, and once only when they are named too", async () => {
    const { frond } = createBench({
      "greet.test.yaml": passing,
      "deep/other.test.yml": "workflow: ../greet.yaml\ncases: [{ name: deep }]\n",
    });
    frond.write("deep/other.yaml", greet);
    const { code, stdout } = await run(frond, "greet.yaml", "./greet.test.yaml", "deep/other.yaml");
    expect({ code, stdout: steady(stdout) }).toEqual({
      code: 0,
      stdout: "greet.test.yaml\n  ok greets the world 0s\ndeep/other.test.yml\n  ok deep 0s\n2 passed in 0s\n",
    });
  });

  test("runs the tests of a workflow by its name in the library, if they are trusted", async () => {
    const directory = ".frond/workflows";
    const { frond } = createBench({
      [`${directory}/greeting.yaml`]: greet,
      [`${directory}/greeting.test.yaml`]: passing,
      [`${directory}/untested.yaml`]: workflow("untested", [shell("a", "true")]),
    });
    expect(await run(frond, "greet")).toMatchObject({ code: 2, stderr: expect.stringContaining("is not trusted yet") });
    await frond.run(["trust"]);
    expect((await run(frond, "greet")).stdout).toContain("1 passed");
    expect((await run(frond, "hello-world")).stdout).toContain("3 passed");
    expect((await run(frond, "untested")).stderr).toContain("There is no test file beside");
    // What lies here comes first.
    frond.write("greet.test.yaml", failing);
    expect((await run(frond, "greet")).stdout).toContain("1 failed");
  });

  test("says of a directory without tests how to write one", async () => {
    const { code, stderr } = await run(createBench({}).frond);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "error: There are no test files in this directory. [no-tests]\n" +
        "  fix: Write one beside a workflow: NAME.test.yaml tests NAME.yaml.\n",
    });
  });

  test("says of an input that there is not which one may be meant", async () => {
    const { frond } = createBench({ "greet.test.yaml": "cases: [{ name: misspelt, inputs: { whoo: me } }]" });
    expect((await run(frond)).stdout).toContain("The workflow 'greet' has no input 'whoo'. Did you mean 'who'?\n");
  });

  test("--filter picks cases by a part of their name or of their file's", async () => {
    const { frond } = createBench({ "greet.test.yaml": failing });
    expect(steady((await run(frond, "--filter", "the world")).stdout)).toContain("1 passed in");
    expect(steady((await run(frond, "--filter", "greet.test")).stdout)).toContain("1 passed, 1 failed, 1 skipped");
  });

  test("keeps the user's own environment and home from the cases", async () => {
    const { frond } = createBench({
      "greet.test.yaml": `cases: [{ name: clean, expect: { run: 'test -z "\${MINE-}"; test ! -e "$HOME/mine"' } }]`,
    });
    frond.write("../home/mine", "");
    expect((await frond.run(["test"], { env: { MINE: "seen" } })).code).toBe(0);
  });

  test("has colours in a terminal", async () => {
    const { frond } = createBench({ "greet.test.yaml": passing });
    const { stdout } = await frond.startInTerminal(["test"]).ended;
    expect(stdout).toContain("\u001b[32mok\u001b[39m greets the world");
  });
});

describe("Ctrl-C", () => {
  const stubborn = workflow("sleeping", [
    shell("sleep", 'trap "" TERM; echo $$ > "$PIDS/$$"; sleep 600 & wait; sleep 600'),
  ]);
  const polite = workflow("sleeping", [shell("sleep", 'echo $$ > "$PIDS/$$"; sleep 600 & wait')]);

  /** By which they would have minutes until they are killed. */
  const slowClock = new URL("../rig/slow-clock.cjs", import.meta.url).pathname;

  async function start(
    text: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<{
    readonly frond: Frond;
    readonly pids: number[];
    readonly running: ReturnType<Frond["start"]>;
    leftovers(): string[];
  }> {
    const { frond, leftovers } = createBench({ "a.yaml": text });
    const directory = join(frond.home, "pids");
    mkdirSync(directory);
    const pids = JSON.stringify({ PIDS: directory });
    frond.write(
      "a.test.yaml",
      `cases: [{ name: one, env: ${pids} }, { name: two, env: ${pids} }, { name: three, env: ${pids} }]`,
    );
    const running = frond.start(["test", "--jobs", "2"], { env: { TMPDIR: join(frond.home, "tmp"), ...env } });
    await waitFor("two cases to run", () => readdirSync(directory).length === 2);
    return { frond, running, leftovers, pids: readdirSync(directory).map(Number) };
  }

  test("ends the cases that run and begins no other; nothing is left", async () => {
    const { running, pids, leftovers } = await start(polite);
    running.child.kill("SIGINT");
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toContain("0 passed, 3 cancelled");
    expect(leftovers()).toEqual([]);
    for (const pid of pids) expect(isAlive(pid)).toBe(false);
  });

  test("a second time does not wait for those who won't end", async () => {
    const { running, pids, leftovers } = await start(stubborn, { NODE_OPTIONS: `--require=${slowClock}` });
    running.child.kill("SIGINT");
    await running.complaint("Cancelling");
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    expect(leftovers()).toEqual([]);
    for (const pid of pids) expect(isAlive(pid)).toBe(false);
  });
});

test("frond validate checks test files as what they are", async () => {
  const { frond } = createBench({ "greet.test.yaml": passing, "bad.test.yaml": "workflow: greet.yaml\ncases: [{}]\n" });
  const { code, stdout } = await frond.run(["validate", "greet.yaml", "greet.test.yaml"]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: "ok greet.yaml (2 blocks, 2 waves); undo: 2 irreversible (say, after)\nok greet.test.yaml (1 case)\n",
  });
  const refused = await frond.json(["validate", "bad.test.yaml"]);
  expect(refused).toMatchObject({
    code: 2,
    reply: {
      valid: false,
      files: [{ file: "bad.test.yaml", valid: false, errors: [{ code: "missing-key", line: 2 }] }],
    },
  });
});
