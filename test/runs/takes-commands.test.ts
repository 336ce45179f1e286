import { expect, test } from "vitest";
import { type CommandSources, commandSources } from "../../src/library/takes-commands.ts";
import { createTestEngine, type Written } from "../rig/engine.ts";

interface Sources {
  readonly inputs: readonly string[];
  readonly answers: boolean;
}

function search(blocks: readonly object[], workflows: Readonly<Record<string, Written>> = {}): CommandSources {
  const engine = createTestEngine({ workflows });
  const { definition, diagnostics } = engine.check({ inputs, blocks });
  if (definition === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return commandSources(definition, (name) => engine.engine.workflows.callable(name));
}

const inputs = {
  v: { type: "string", description: "A text" },
  l: { type: "array", description: "A list", default: [] },
  n: { type: "integer", description: "A number", default: 1 },
  e: { type: "string", description: "One of two", enum: ["a", "b"], default: "a" },
};

function sourcesOf(blocks: readonly object[], workflows: Readonly<Record<string, Written>> = {}): Sources {
  const found = search(blocks, workflows);
  return { inputs: [...found.inputs], answers: found.answers };
}

const shell = (written: object): object[] => [{ id: "a", type: "Shell", inputs: written }];

test.each([
  { args: ["${inputs.v}", "--version"] },
  { args: "${inputs.l}" },
  { args: ["bash", "-c", "${inputs.v}"], unsafe: true },
  { args: ["sh", "./scripts/${inputs.v}.sh"] },
  { command: '"${inputs.v}" --version' },
  { command: "./scripts/${inputs.v}.sh" },
  { command: 'tool="${inputs.v}"; "$tool" --version' },
  { command: 'sh -c \'"$1" --version\' _ "${inputs.v}"' },
  { command: "timeout 5 ${inputs.v}" },
  { command: "bash -- ${inputs.v}" },
  { command: "python3 ./tools/${inputs.v}" },
  { command: 'npx "${inputs.v}"' },
  { command: "echo ${inputs.v | raw}", unsafe: true },
  { command: 'run() { "$@"; }; run "${inputs.v}"' },
  { command: '"$TOOL" --version', env: { TOOL: "${inputs.v}" } },
  { command: "lint .", env: { PATH: "${inputs.v}/bin:/usr/bin" } },
  { args: ["lint", "."], env: { PATH: "${inputs.v}" } },
  { args: ["make"], env: { MAKEFLAGS: "${inputs.v}" }, unsafe: true },
  { args: ["make"], env: "${inputs.l}", unsafe: true },
  { args: ["bash"], stdin: "${inputs.v}", unsafe: true },
  { command: "bash", stdin: "${inputs.v}", unsafe: true },
])("an input that names the program, a script or its text takes commands: %j", (written) => {
  const { inputs: found } = sourcesOf(shell(written));
  expect(found).toHaveLength(1);
});

test.each([
  { args: ["git", "commit", "-m", "${inputs.v}"] },
  { args: ["sh", "-c", 'echo "$1"', "_", "${inputs.v}"] },
  { command: 'git commit -m "${inputs.v}"' },
  { command: "npm run build -- --env ${inputs.v}" },
  { command: '"${inputs.e}" --version' },
  { command: "./step-${inputs.n}.sh" },
  { command: "cat", stdin: "${inputs.v}" },
  { command: 'git commit -m "$MESSAGE"', env: { MESSAGE: "${inputs.v}" } },
  { args: ["git", "commit", "-F", "-"], stdin: "${inputs.v}", env: { LANG: "${inputs.v}" } },
])("an input that is only an argument, a number or one of a set does not: %j", (written) => {
  expect(sourcesOf(shell(written))).toEqual({ inputs: [], answers: false });
});

const inDirectory = [
  { command: "./build.sh" },
  { command: "bin/build" },
  { command: '"$PWD/build.sh"' },
  { command: "bash build.sh" },
  { command: "source env.sh" },
  { command: "python3 tools/build.py" },
  { command: "python3 -m build" },
  { command: "python3 -c 'import json'" },
  { command: "make all" },
  { command: "sudo -E make" },
  { command: "sh -c 'cd src && make'" },
  { command: "find . -name x -exec ./check {} \\;" },
  { command: "npm test" },
  { command: "pytest -q" },
  { command: "docker compose up" },
  { command: "python3 -I - <<'EOF'\nimport subprocess\nsubprocess.run(['make', 'all'])\nEOF" },
  { command: "python3 -I - <<'EOF'\nimport subprocess\nsubprocess.run([program, 'x'])\nEOF" },
  { command: "node - <<'EOF'\nrequire('node:child_process').spawnSync('npm', ['ci'])\nEOF" },
  { command: "tool=make; $tool all" },
  { command: 'command=(npm test); "${command[@]}"' },
  { command: "PATH=$PWD/bin:$PATH build" },
  { command: "bash < build.sh" },
  { command: "cat build.sh | bash" },
  { command: 'eval "$(cat build.env)"' },
  { command: "ls *.py | xargs python3" },
  { args: ["npm", "run", "build"] },
  { args: ["./build"] },
];

test.each(inDirectory)(
  "an input that chooses the directory takes commands if its files say what runs: %j",
  (written) => {
    expect(sourcesOf(shell({ ...written, working_dir: "packages/${inputs.v}" })).inputs).toEqual(["v"]);
    expect(search(shell(written))).toEqual({ inputs: new Set(), answers: false, workspace: true });
  },
);

test.each([
  { command: "git status --short" },
  { command: "ls -l; grep -r x ." },
  { command: '"$HOME/bin/build"' },
  { command: "/usr/local/bin/build" },
  { command: "npm view left-pad version" },
  { command: "python3 -I -c 'import json'" },
  { command: "python3 -c 'import sys'" },
  { command: "python3 -I - <<'EOF'\nimport subprocess\nsubprocess.run(['git', 'status'])\nEOF" },
  { command: "node - <<'EOF'\nrequire('node:child_process').execFileSync('git', ['status'])\nEOF" },
  { command: "go version; docker ps" },
  { args: ["git", "log"] },
])("and it does not if the programs are fixed: %j", (written) => {
  expect(sourcesOf(shell({ ...written, working_dir: "${inputs.v}" })).inputs).toEqual([]);
  expect(search(shell(written)).workspace).toBe(false);
});

test.each([
  { command: 'cd "${inputs.v}" && make' },
  { command: 'pushd "$(dirname "${inputs.v}")"; ./build.sh' },
  { command: 'make -C "${inputs.v}" all' },
  { command: 'env --chdir="${inputs.v}" make' },
  { command: 'command cd "${inputs.v}" && make' },
  { args: ["npm", "--prefix=${inputs.v}", "test"] },
  { args: ["cargo", "run", "--manifest-path", "${inputs.v}"] },
])("nor does it matter how the directory is given: %j", (written) => {
  expect(sourcesOf(shell(written)).inputs).toEqual(["v"]);
});

test("a called workflow that runs what its directory says takes commands from who chooses the directory", () => {
  const call = (workspace: string): object[] => [
    { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "child", workspace } },
  ];
  const making = { blocks: shell({ command: "make" }) };
  expect(sourcesOf(call("${inputs.v}"), { child: making }).inputs).toEqual(["v"]);
  expect(sourcesOf(call("packages/a"), { child: making }).inputs).toEqual([]);
  expect(sourcesOf(call("${inputs.v}"), { child: { blocks: shell({ command: "git status" }) } }).inputs).toEqual([]);
  expect(search(call("packages/a"), { child: making }).workspace).toBe(true);
});

test.each([
  { command: '"${inputs.v}/bin/ruff" check .' },
  { command: '"$VENV"/bin/ruff check .', env: { VENV: "${inputs.v}" } },
  { command: '. "$VENV/bin/activate"', env: { VENV: "${inputs.v}" } },
  { command: 'export PATH="${inputs.v}/bin:$PATH"; ruff check .' },
  { command: 'PATH="$VENV/bin:$PATH" ruff check .', env: { VENV: "${inputs.v}" } },
  {
    command: "python3 -I - <<'EOF'\nimport os, subprocess\nsubprocess.run([os.environ['VENV'] + '/bin/ruff'])\nEOF",
    env: { VENV: "${inputs.v}" },
  },
  { args: ["node", "-e", 'require("child_process").spawn(process.argv[1])', "${inputs.v}"] },
])("an input that begins the path of a program, or says where programs are found, takes commands: %j", (written) => {
  expect(sourcesOf(shell(written)).inputs).toEqual(["v"]);
});

test.each([
  { command: 'pip install "${inputs.v}"' },
  { command: 'python3 -m pip install --quiet "${inputs.v}"' },
  { command: 'set -- ${inputs.l}; pip3 install --no-input "$@"' },
  { command: 'uv pip install -- "${inputs.v}"' },
  { args: ["npm", "install", "--save-dev", "${inputs.v}"] },
  { args: ["cargo", "install", "${inputs.v}"] },
  { args: ["go", "install", "${inputs.v}@latest"] },
  { args: ["gem", "install", "${inputs.v}"] },
  { args: ["npx", "--yes", "${inputs.v}"] },
  { args: ["docker", "run", "--rm", "-e", "A=b", "${inputs.v}"] },
])("an input that names a package to install or to fetch takes commands: %j", (written) => {
  expect(sourcesOf(shell(written)).inputs).toHaveLength(1);
});

test.each([
  { command: 'make "${inputs.v}"' },
  { command: 'tar -xf a.tar "${inputs.v}"' },
  { command: 'git fetch "${inputs.v}"' },
  { command: 'npm run "${inputs.v}"' },
  { command: 'pytest "tests/${inputs.v}"' },
])("an input that names a file to run, or can become an option which runs something, takes commands: %j", (written) => {
  expect(sourcesOf(shell(written)).inputs).toEqual(["v"]);
});

test.each([
  { command: 'pip install -- ruff; echo "${inputs.v}"' },
  { args: ["docker", "run", "--rm", "-e", "NAME=${inputs.v}", "alpine"] },
  { command: 'git fetch -- "${inputs.v}"' },
  { command: 'cd "${inputs.v}" && git status' },
  { args: ["npm", "run", "--", "${inputs.v}"] },
  { command: 'pytest -k "${inputs.v}"; npm test -- "${inputs.v}"' },
  { command: 'curl -d "${inputs.v}" -o reply.json https://example.com && npm test' },
  { command: 'cp build.sh "${inputs.v}"; git checkout -- "${inputs.v}"' },
  {
    command: "python3 -I - <<'EOF'\nimport os, subprocess\nsubprocess.run(['git', 'log', os.environ['V']])\nEOF",
    env: { V: "${inputs.v}" },
  },
])("an input that is an argument of a fixed program does not: %j", (written) => {
  expect(sourcesOf(shell(written)).inputs).toEqual([]);
});

const writing = (inputs: object, type = "CreateFile"): object => ({ id: "write", type, inputs });
const running = (command: string): object => ({ id: "run", type: "Shell", inputs: { command } });

test.each([
  [writing({ path: "scripts/go.sh", content: "${inputs.v}" }), running("bash scripts/go.sh")],
  [running("./go.sh"), writing({ path: "go.sh", content: "echo ${inputs.v}" })],
  [
    writing({ path: "env.sh", operations: [{ type: "append", text: "${inputs.v}" }] }, "EditFile"),
    running(". ./env.sh"),
  ],
  [writing({ template: "${inputs.v}", output_path: "go.py" }, "RenderTemplate"), running("python3 go.py")],
  [
    writing({ path: "package.json", updates: { scripts: { test: "${inputs.v}" } } }, "MergeJSONState"),
    running("npm test"),
  ],
  [writing({ from: "${inputs.v}", to: "Makefile" }, "CopyFile"), running("make")],
  [writing({ command: 'echo "${inputs.v}" > go.sh' }, "Shell"), running("sh go.sh")],
  [writing({ path: "${inputs.e}", content: "${inputs.v}" }), running("npm test")],
  [running('echo "${inputs.v}" > go.sh; sh go.sh')],
  [running('cp "${inputs.v}" go.sh; bash go.sh')],
  [running('curl -sSo go.sh "https://example.com/${inputs.v}"; bash go.sh')],
  [running('curl "https://example.com/${inputs.v}" > go.sh'), writing({ command: "sh go.sh" }, "Shell")],
  [running('tar -xf "${inputs.v}" && ./configure')],
  [running('git clone -- "${inputs.v}" got && cd got && make')],
  [running('git checkout --detach "${inputs.v}" -- && make')],
])("a workflow that writes an input to a file which it runs takes commands, in whatever order: %#", (...blocks) => {
  expect(sourcesOf(blocks).inputs).toEqual(["v"]);
});

test("also when one of them is done by a workflow that it calls", () => {
  const inputsOfChild = { text: { type: "string", description: "A text" } };
  const child = { inputs: inputsOfChild, blocks: [writing({ path: "go.sh", content: "${inputs.text}" })] };
  const call = { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "child", inputs: { text: "${inputs.v}" } } };
  expect(sourcesOf([call, running("sh go.sh")], { child }).inputs).toEqual(["v"]);
  expect(sourcesOf([call, running("cat go.sh")], { child }).inputs).toEqual([]);
});

test.each([
  [writing({ path: "notes.md", content: "${inputs.v}" }), running("npm test")],
  [writing({ path: "go.sh", content: "echo hello" }), running('sh go.sh "${inputs.v}"')],
  [writing({ path: "${inputs.v}", content: "echo hello" }), running("npm test")],
  [writing({ path: "data.json", content: "${inputs.v}" }), running("sh go.sh data.json")],
])("a file that is not run, or holds no input, does not: %#", (...blocks) => {
  expect(sourcesOf(blocks).inputs).toEqual([]);
});

test("a value is followed through blocks, loops and called workflows", () => {
  const print = { id: "print", type: "Shell", inputs: { command: "echo ${inputs.v}" } };
  const run = { id: "run", type: "Shell", inputs: { args: ["${blocks.print.stdout}"] }, depends_on: ["print"] };
  expect(sourcesOf([print, run]).inputs).toEqual(["v"]);
  const each = { id: "each", type: "Shell", for_each: "${inputs.l}", inputs: { args: ["${each.value}"] } };
  expect(sourcesOf([each]).inputs).toEqual(["l"]);
  const child = {
    inputs: { c: { type: "string", description: "A program" } },
    blocks: shell({ args: ["${inputs.c}"] }),
  };
  const call = (c: string): object[] => [
    { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "child", inputs: { c } } },
  ];
  expect(sourcesOf(call("${inputs.v}"), { child }).inputs).toEqual(["v"]);
  expect(sourcesOf(call("git"), { child }).inputs).toEqual([]);
  const chosen = [{ id: "call", type: "ExecuteWorkflow", inputs: { workflow: "${inputs.v}" } }];
  expect(sourcesOf(chosen).inputs).toEqual(["v"]);
});

test("a workflow that is chosen during the run may take commands from all that it is given, and by asking", () => {
  const call = (workflow: string): object => ({
    id: "call",
    type: "ExecuteWorkflow",
    inputs: { workflow, inputs: { c: "${inputs.v}" } },
  });
  expect(sourcesOf([call("${inputs.e}")])).toEqual({ inputs: ["v"], answers: true });
  const each = { ...call("${each.value}"), for_each: ["x", "y"] };
  expect(sourcesOf([each])).toEqual({ inputs: ["v"], answers: true });
});

test("so is the answer to a question", () => {
  const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Which program?" } };
  const run = { id: "run", type: "Shell", inputs: { args: ["${blocks.ask.response}"] }, depends_on: ["ask"] };
  expect(sourcesOf([ask, run])).toEqual({ inputs: [], answers: true });
  const call = { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "child" } };
  const child = { blocks: [ask], outputs: { program: "${blocks.ask.response}" } };
  const use = { id: "use", type: "Shell", inputs: { args: ["${blocks.call.program}"] }, depends_on: ["call"] };
  expect(sourcesOf([call, use], { child })).toEqual({ inputs: [], answers: true });
  const print = { id: "use", type: "Shell", inputs: { args: ["echo", "${blocks.call.program}"] } };
  expect(sourcesOf([call, print], { child })).toEqual({ inputs: [], answers: false });
});

test("so is an answer in the pass before, where the next one runs it", () => {
  const child = {
    inputs: { c: { type: "string", description: "A program" } },
    blocks: [
      { id: "ask", type: "Prompt", inputs: { prompt: "Which program?" } },
      { id: "run", type: "Shell", inputs: { args: ["${inputs.c}"] } },
    ],
    outputs: { said: "${blocks.ask.response}" },
  };
  const call = (c: string, more: object): object[] => [
    { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "child", inputs: { c } }, ...more },
  ];
  const previous = "${default(each.previous.said, 'git')}";
  const sequential = { for_each: ["x"], for_each_mode: "sequential" };
  expect(sourcesOf(call("git", { repeat: { max: 2 } }), { child }).answers).toBe(false);
  expect(sourcesOf(call(previous, { repeat: { max: 2 } }), { child }).answers).toBe(true);
  expect(sourcesOf(call(previous, sequential), { child }).answers).toBe(true);
});

test("an input that reaches a command word through a var or the env of the workflow takes commands", () => {
  const engine = createTestEngine();
  const found = (more: object, written: object): readonly string[] => {
    const { definition, diagnostics } = engine.check({ inputs, ...more, blocks: shell(written) });
    if (definition === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
    return [...commandSources(definition, () => undefined).inputs];
  };
  const vars = { tool: "${trim(inputs.v)}", again: "./${vars.tool}" };
  expect(found({ vars }, { command: "${vars.tool} --version" })).toEqual(["v"]);
  expect(found({ vars }, { args: ["${vars.again}"] })).toEqual(["v"]);
  expect(found({ vars }, { command: "echo ${vars.tool}" })).toEqual([]);
  expect(found({ env: { TOOL: "${inputs.v}" } }, { command: '"$TOOL" --version' })).toEqual(["v"]);
  expect(found({ env: { TOOL: "${inputs.v}" } }, { command: 'echo "$TOOL"' })).toEqual([]);
});

test("values are followed into groups, out of them, and through the loops around them", () => {
  const runs = (expression: string): object => ({
    id: "run",
    type: "Shell",
    inputs: { args: [expression, "--version"] },
  });
  const one = (id: string, inner: readonly object[], more: object = {}): object => ({ id, blocks: inner, ...more });
  expect(sourcesOf([one("g", [runs("${inputs.v}")])])).toEqual({ inputs: ["v"], answers: false });
  expect(sourcesOf([one("g", [one("h", [runs("${each.value}")])], { for_each: "${inputs.l}" })])).toMatchObject({
    inputs: ["l"],
  });
  const loops = [one("h", [runs("${each.value}")], { for_each: "${each.value}" })];
  expect(sourcesOf([one("g", loops, { for_each: "${inputs.l}" })])).toMatchObject({ inputs: ["l"] });
  const outer = [one("h", [runs("${each.outer.value}")], { for_each: [1] })];
  expect(sourcesOf([one("g", outer, { for_each: "${inputs.l}" })])).toMatchObject({ inputs: ["l"] });
  const echo = { id: "echo", type: "Shell", inputs: { args: ["echo", "${inputs.v}"] } };
  const giving = one("g", [echo], { outputs: { x: "${blocks.echo.stdout}" } });
  expect(sourcesOf([giving, runs("${blocks.g.x}")])).toMatchObject({ inputs: ["v"] });
  expect(sourcesOf([giving, runs("${blocks.g.blocks.echo.stdout}")])).toMatchObject({ inputs: ["v"] });
  const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Which?" } };
  expect(sourcesOf([one("g", [ask]), runs("${blocks.g.blocks.ask.response}")])).toEqual({ inputs: [], answers: true });
  expect(sourcesOf([echo, one("g", [runs("ls")])])).toEqual({ inputs: [], answers: false });
});

test("what undoes a block takes the commands that it is given, and those that the block was given", () => {
  const undo = (args: readonly string[], given: object): object[] => [
    {
      id: "a",
      type: "CreateFile",
      inputs: { path: "a", content: "x", ...given },
      undo: { type: "Shell", inputs: { args } },
    },
  ];
  expect(sourcesOf(undo(["${block.inputs.content}"], { content: "${inputs.v}" })).inputs).toEqual(["v"]);
  expect(sourcesOf(undo(["rm", "${block.inputs.content}"], { content: "${inputs.v}" })).inputs).toEqual([]);
  expect(sourcesOf(undo(["${block.inputs.content}"], {})).inputs).toEqual([]);
});
