import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasProcessTable } from "../../src/platform/processes/process-table.ts";
import { shell } from "../rig/frond.ts";
import { isAlive } from "../rig/is-alive.ts";
import { mismatchesOf, runCases, runTestFiles } from "../rig/test-files.ts";

function command(text: string): { workflow: object } {
  return { workflow: { blocks: [shell("run", text)], outputs: { said: "${blocks.run.stdout}" } } };
}

describe("a case has a world of its own", () => {
  test("two cases that write the same file do not see each other", async () => {
    const tested = command('cat mine "$HOME/mine" 2>/dev/null; echo "$WHO" | tee mine > "$HOME/mine"');
    const cases = ["a", "b", "c", "d"].map((who) => ({
      env: { WHO: who },
      expect: { outputs: { said: "" }, files: { mine: `${who}\n` }, run: `grep -qx ${who} "$HOME/mine"` },
    }));
    expect((await runCases(tested, cases)).map(({ mismatches }) => mismatches)).toEqual([[], [], [], []]);
  });

  test("the environment holds what a case needs, and what it says itself", async () => {
    const variables = ["CI", "GIT_CEILING_DIRECTORIES", "GIT_CONFIG_NOSYSTEM", "HOME", "LANG", "PATH", "TMPDIR", "TZ"];
    // What bash and Frond add to every command.
    const [mismatch] = await mismatchesOf(
      command("env | cut -d= -f1 | grep -v -e ^FROND_ -e ^_ -e PWD -e SHLVL -e SCRATCH | sort"),
      {
        env: { CI: "true" },
        expect: { outputs: { said: "" } },
      },
    );
    expect(String(mismatch?.found).trim().split("\n")).toEqual(variables);
  });

  test("git knows a name and a mail address, and nothing else", async () => {
    const git = "git config --list --show-scope | grep -v -e local -e user.name -e user.email || true";
    expect(await mismatchesOf(command(git), { uses: ["git"], expect: { outputs: { said: "" } } })).toEqual([]);
  });

  test("secrets are those that the case has, and what they are is not shown", async () => {
    const tested = {
      workflow: {
        blocks: [{ id: "run", type: "Shell", inputs: { command: "echo $TOKEN", env: { TOKEN: "${secrets.TOKEN}" } } }],
        outputs: { said: "${blocks.run.stdout}" },
      },
    };
    const [without, given] = await runCases(tested, [
      { expect: { status: "failure", error: { contains: "TOKEN" } } },
      { env: { FROND_SECRET_TOKEN: "hidden-value" }, expect: { outputs: { said: "[secret TOKEN]\n" } } },
    ]);
    expect([without?.mismatches, given?.mismatches]).toEqual([[], []]);
  });

  test("nothing of it is left when it is over, not even what can't be written to", async () => {
    const [result] = await runCases(command("mkdir shut; touch shut/a; chmod 500 shut; pwd"), [
      { expect: { outputs: { said: "" } } },
    ]);
    const workspace = String(result?.mismatches[0]?.found).trim();
    expect(workspace).toMatch(/workspace$/);
    expect(existsSync(dirname(workspace))).toBe(false);
  });

  test("the directories of one that failed can be kept, and of one that passed can't", async () => {
    const ran = await runTestFiles(
      {
        "a.yaml": { name: "a", description: "b", blocks: [shell("run", "echo kept > file")] },
        "a.test.yaml": { cases: [{ name: "passes" }, { name: "fails", expect: { status: "failure" } }] },
      },
      { keep: true },
    );
    const [passed, failed] = ran.ok ? ran.value : [];
    expect(passed?.kept).toBeUndefined();
    const kept = failed?.kept ?? "";
    onTestFinished(() => rmSync(kept, { recursive: true }));
    expect(readFileSync(join(kept, "workspace", "file"), "utf8")).toBe("kept\n");
  });
});

describe("a fake", () => {
  test("comes first in PATH and says what it is told to", async () => {
    const tested = command('ls; echo "code $?"; exec ls 2>&1');
    const fake = { stdout: "it's $HOME\n", stderr: "oh\n", exit_code: 3 };
    expect(
      await mismatchesOf(tested, {
        commands: { ls: fake },
        expect: {
          status: "failure",
          blocks: {
            run: { outputs: { exit_code: 3, stdout: "it's $HOME\ncode 3\nit's $HOME\noh\n", stderr: "oh\n" } },
          },
        },
      }),
    ).toEqual([]);
  });

  test("can be a script, which works in the workspace", async () => {
    const script = 'echo "$#:$1" >> calls\nexit 3';
    const expected = { status: "failure", files: { calls: "2:a b\n" }, blocks: { run: { outputs: { exit_code: 3 } } } };
    expect(
      await mismatchesOf(command("deploy 'a b' c"), { commands: { deploy: { script } }, expect: expected }),
    ).toEqual([]);
  });

  test("remembers every call exactly, but not those of the setup", async () => {
    const calls = [["--env", "pro duction"], [], ["", "a\nb", "'\"\\", "ä"], ["5"]];
    const tested = command("tool --env 'pro duction'; tool; tool '' $'a\\nb' $'\\'\"\\\\' ä; tool 5");
    const commands = { tool: { stdout: "" } };
    expect(
      await mismatchesOf(tested, { commands, setup: "tool before", expect: { commands: { tool: calls } } }),
    ).toEqual([]);
  });

  test("that is not called has no calls", async () => {
    const [result] = await runCases(command("true"), [
      { commands: { tool: { stdout: "" } }, expect: { commands: { tool: [["x"]] } } },
    ]);
    expect(result?.mismatches).toEqual([{ at: "commands.tool", expected: [["x"]], found: [] }]);
  });
});

test("without takes programs away and leaves all others", async () => {
  const tested = command("command -v sed cat || true; echo here | cat");
  const [gone, both] = await runCases(tested, [
    { without: ["sed"], expect: { blocks: { run: { outputs: { stdout: { not: { contains: "sed" } } } } } } },
    {
      without: ["sed", "nothing-of-the-kind"],
      commands: { sed: { stdout: "" } },
      expect: { outputs: { said: { contains: "sed" } } },
    },
  ]);
  expect([gone?.mismatches, both?.mismatches]).toEqual([[], []]);
});

test("a case whose tool is missing is skipped and says which", async () => {
  const ran = await runTestFiles({
    "a.yaml": { name: "a", description: "b", blocks: [shell("run", "true")] },
    "a.test.yaml": { uses: ["no-such-tool"], cases: [{ name: "c", uses: ["bash", "nor-this"] }] },
  });
  expect(ran).toMatchObject({ value: [{ status: "skipped", needs: ["no-such-tool", "nor-this"] }] });
});

test("a case that takes too long is ended, with what it runs", async () => {
  const directory = mkdtempSync(join(tmpdir(), "frond-timeout-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "pid");
  const [result] = await runCases(command('echo $$ > "$FILE"; sleep 600 & sleep 600'), [
    { timeout: "1s", env: { FILE: file } },
  ]);
  expect(result?.mismatches).toEqual([{ at: "timeout", message: "ran longer than its limit of 1s" }]);
  expect(isAlive(Number(readFileSync(file, "utf8")))).toBe(false);
});

test("what the setup leaves in the background runs as long as the case, and no longer", async () => {
  const directory = mkdtempSync(join(tmpdir(), "frond-background-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const [result] = await runCases(command('kill -0 "$(cat "$FILE")" && echo lives'), [
    {
      setup: 'sleep 600 & echo $! > "$FILE"',
      env: { FILE: join(directory, "pid") },
      expect: { outputs: { said: "lives\n" }, run: 'kill -0 "$(cat "$FILE")"' },
    },
  ]);
  expect(result?.mismatches).toEqual([]);
  expect(isAlive(Number(readFileSync(join(directory, "pid"), "utf8")))).toBe(false);
});

test.runIf(hasProcessTable())("not even a daemon of a case outlives it", async () => {
  const directory = mkdtempSync(join(tmpdir(), "frond-daemon-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "pid");
  const daemon = 'setsid -f bash -c \'trap "" TERM; echo $$ > "$FILE"; while :; do sleep 600; done\'';
  const waits = 'until [ -s "$FILE" ]; do :; done';
  expect(await mismatchesOf(command(`${daemon}; ${waits}`), { env: { FILE: file } })).toEqual([]);
  expect(isAlive(Number(readFileSync(file, "utf8")))).toBe(false);
});

test("a setup and a check afterwards have the same limit", async () => {
  const results = await runCases(command("true"), [
    { timeout: "300ms", setup: "sleep 600" },
    { timeout: "800ms", expect: { run: "sleep 600" } },
  ]);
  for (const { mismatches } of results) expect(mismatches).toMatchObject([{ at: "timeout" }]);
});
