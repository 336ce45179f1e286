import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";

function env(frond: Frond, more: Readonly<Record<string, string>> = {}): { env: Record<string, string> } {
  return { env: { CI: "true", GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: frond.directory, ...more } };
}

const evil = [
  "echo '::error::evil'",
  "echo '  ::set-env name=EVIL::yes'",
  "echo 'x ##[add-path]/evil' >&2",
  "printf '::warning::no end'",
].join("; ");

/** The lines that the runner would obey. */
function obeyed(text: string): string[] {
  return text.split("\n").filter((line) => line.trimStart().startsWith("::") || line.includes("##["));
}

test("each block is a group of its own, whatever runs beside it", async () => {
  const talk = (word: string): string => `for i in 1 2 3; do echo ${word}; sleep 0.05; done`;
  const blocks = [shell("a", talk("one")), shell("b", talk("two")), shell("silent", "true")];
  const frond = createFrond({ "both.yaml": workflow("both", blocks) });
  const { stdout } = await frond.run(["run", "both.yaml"], env(frond));
  expect(stdout).toContain("::group::a\none\none\none\n::endgroup::\nok      a");
  expect(stdout).toContain("::group::b\ntwo\ntwo\ntwo\n::endgroup::\nok      b");
  expect(stdout).not.toContain("::group::silent");
});

test("a block that runs alone is followed in its group", async () => {
  const command = "echo first; until [ -e go ]; do sleep 0.01; done; echo second";
  const frond = createFrond({ "alone.yaml": workflow("alone", [shell("alone", command)]) });
  const run = frond.start(["run", "alone.yaml"], env(frond));
  await run.until("::group::alone\nfirst\n");
  frond.write("go", "");
  expect((await run.ended).stdout).toContain("::group::alone\nfirst\nsecond\n::endgroup::\nok      alone");
});

test.each(["all", "failed", "none"])("nothing that a command writes is obeyed, with --logs %s", async (logs) => {
  const outputs = { said: { value: "${blocks.evil.stdout}" } };
  const frond = createFrond({ "evil.yaml": workflow("evil", [shell("evil", `${evil}; exit 1`)], { outputs }) });
  const { stdout, stderr } = await frond.run(["run", "evil.yaml", "--logs", logs], env(frond));
  const own = logs === "none" ? [] : ["::group::evil", "::endgroup::"];
  expect(obeyed(stdout)).toEqual(own);
  expect(obeyed(stderr)).toEqual([
    expect.stringMatching(/^::error file=evil\.yaml,line=11,title=evil%3A failed::exit code 1/),
  ]);
  expect(stdout).toContain("evil");
});

test("--json is the same document, and nothing in it is obeyed", async () => {
  const outputs = { said: { value: "${blocks.evil.stdout}${blocks.evil.stderr}" } };
  const frond = createFrond({ "evil.yaml": workflow("evil", [shell("evil", evil)], { outputs }) });
  const { stdout, stderr } = await frond.run(["run", "evil.yaml", "--json"], env(frond));
  expect(obeyed(stdout + stderr)).toEqual([]);
  const { outputs: found } = JSON.parse(stdout) as { outputs: { said: string } };
  expect(found.said).toContain("##[add-path]/evil");
  expect(found.said).toContain("::error::evil");
});

test("a failed block is an error at its line, of the file that it stands in", async () => {
  const child =
    'name: child\ndescription: A child\nblocks:\n  - id: inner\n    type: Shell\n    inputs: { command: "echo 50%, no; exit 4" }\n';
  const parent =
    "name: parent\ndescription: A parent\nblocks:\n  - { id: call, type: ExecuteWorkflow, inputs: { workflow: ./parts/child.yaml } }\n" +
    "  - { id: may, type: Shell, inputs: { command: exit 3 }, allow_failure: true }\n";
  const frond = createFrond({ "flows/parent.yaml": parent, "flows/parts/child.yaml": child });
  const { code, stderr } = await frond.run(["run", "flows/parent.yaml"], env(frond));
  expect(code).toBe(1);
  expect(obeyed(stderr)).toEqual([
    "::error file=flows/parts/child.yaml,line=4,title=call/inner%3A failed::exit code 4%0A50%25, no",
    "::warning file=flows/parent.yaml,line=5,title=may%3A failed%2C as it may::exit code 3",
  ]);
});

test("a question is a warning that says how to answer, and the step ends as paused", async () => {
  const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?", choices: ["yes", "no"] } };
  const frond = createFrond({ "ask.yaml": workflow("ask", [ask]) });
  const { code, stderr } = await frond.run(["run", "ask.yaml"], env(frond));
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /^::warning file=ask\.yaml,line=6,title=ask%3A waits for an answer::Go on\?%0AAnswer with: frond resume pause_\w+ --response 'yes'$/m,
  );
});

test.each(["run", "validate"])("what is wrong with a file is an error at its line, by `frond %s`", async (command) => {
  const text = "name: bad\ndescription: Bad\nblocks:\n  - id: a\n    type: Shel\n    inputs: { command: x }\n";
  const frond = createFrond({ "flows/bad.yaml": text });
  const { code, stderr } = await frond.run([command, "flows/bad.yaml"], env(frond));
  expect(code).toBe(2);
  expect(obeyed(stderr)).toEqual([
    "::error file=flows/bad.yaml,line=5,endLine=5,col=11,endColumn=15,title=unknown-block-type::There is no block type 'Shel'.%0ADid you mean 'Shell'?",
  ]);
});

test("a failed case of a test file is an error where the case begins", async () => {
  const cases =
    'cases:\n  - name: "right"\n    expect: { status: success }\n  - name: "wrong: 1"\n    expect: { status: failure }\n';
  const frond = createFrond({ "a.yaml": workflow("a", [shell("a", "true")]), "a.test.yaml": cases });
  const { code, stderr } = await frond.run(["test"], env(frond));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^::error file=a\.test\.yaml,line=4,title=wrong%3A 1%3A failed::.*status/m);
  expect(obeyed(stderr)).toHaveLength(1);
});

test("a pass of a loop is named by its element: in groups, annotations and the summary", async () => {
  const inside = [shell("test", "echo ${each.value.name}; test ${each.value.name} != web")];
  const loop = { id: "package", for_each: [{ name: "api" }, { name: "web" }], max_parallel: 1, blocks: inside };
  const frond = createFrond({ "loop.yaml": workflow("loop", [loop]) });
  const file = join(frond.directory, "summary.md");
  const { stdout, stderr } = await frond.run(["run", "loop.yaml"], env(frond, { GITHUB_STEP_SUMMARY: file }));
  expect(stdout).toContain("::group::package/0/test (api)\napi\n::endgroup::\nok      package/0/test (api) ");
  expect(stderr).toMatch(/^::error .*title=package\/1\/test \(web\)%3A failed::exit code 1/m);
  expect(frond.read("summary.md")).toContain("| <code>package/1/test</code> (web) | ❌ failed |");
  expect(frond.read("summary.md")).toContain("<code>package/1/test</code> (web) failed: exit code 1\n");
});

test("the summary of the step has the blocks and what failed, as text only", async () => {
  const blocks = [
    shell("good", "true"),
    shell("bad", "echo '<script>alert(1)</script> | `x` @you'; exit 1"),
    shell("never", "true", { depends_on: ["bad"] }),
  ];
  const frond = createFrond({ "sum.yaml": workflow("sum", blocks) });
  const file = join(frond.directory, "summary.md");
  await frond.run(["run", "sum.yaml"], env(frond, { GITHUB_STEP_SUMMARY: file }));
  const summary = frond.read("summary.md");
  expect(summary).toContain("### <code>sum</code>: failure\n");
  expect(summary).toMatch(/^\| <code>good<\/code> \| ✅ success \| \d+ms \|$/m);
  expect(summary).toMatch(/^\| <code>bad<\/code> \| ❌ failed \| \d+ms \|$/m);
  expect(summary).toContain("| <code>never</code> | skipped |  |\n");
  expect(summary).toContain("<code>bad</code> failed: exit code 1\n");
  expect(summary).toContain("<pre>&#60;script&#62;alert(1)");
  expect(summary).not.toContain("<script>");
});

test("the summary of a run with very many blocks stays short, and tells what failed", async () => {
  const loop = shell("loop", 'test "${each.index}" != 150', { for_each: "${range(0, 200)}", max_parallel: 2 });
  const frond = createFrond({ "many.yaml": workflow("many", [loop]) });
  await frond.run(["run", "many.yaml"], env(frond, { GITHUB_STEP_SUMMARY: join(frond.directory, "summary.md") }));
  const summary = frond.read("summary.md");
  expect(summary.length).toBeLessThan(20_000);
  expect(summary).toContain("<code>loop/150</code> | ❌ failed");
  expect(summary).toContain("and 101 more blocks\n");
});

test("a summary that can't be written is a warning, and the run is what it is", async () => {
  const frond = createFrond();
  const options = env(frond, { GITHUB_STEP_SUMMARY: "/nowhere/summary.md" });
  const { code, stderr } = await frond.run(["run", "hello-world"], options);
  expect(code).toBe(0);
  expect(stderr).toContain("warning: The summary could not be added to '/nowhere/summary.md'");
});

test("in other CI the output is plain, even on a terminal, and nobody is asked", async () => {
  const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } };
  const frond = createFrond({ "ask.yaml": workflow("ask", [shell("say", "echo hello"), ask]) });
  const { code, stdout } = await frond.startInTerminal(["run", "ask.yaml"], { env: { CI: "true", NO_COLOR: "1" } })
    .ended;
  expect(code).toBe(3);
  expect(stdout).toContain("say | hello\r\n");
  expect(stdout).not.toContain("\u001b[?25l");
});
