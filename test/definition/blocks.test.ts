import { expect, test } from "vitest";
import { check, codes, onlyProblem, planned, shell, workflow } from "./check.ts";

const call = (more: string): string =>
  `- { id: a, type: ExecuteWorkflow, inputs: { workflow: "$\{inputs.w}"${more} } }`;
const which = "inputs: { w: { type: string, description: d } }\n";

test.each(["5", "0.5", "500ms", "30s", "5m", "1h", '"2"', '"${inputs.w}"'])(
  "timeout: %s is a timeout of every block",
  (value) => {
    planned(workflow(shell("a", `timeout: ${value}`), which));
    planned(workflow(`- { id: a, type: Prompt, timeout: ${value}, inputs: { prompt: x } }`, which));
  },
);

test.each(["0", "-1", "soon", "5d", "true", "[1]", "1000h"])("timeout: %s is refused", (value) => {
  expect(onlyProblem(workflow(shell("a", `timeout: ${value}`)))).toMatchObject({ code: "bad-timeout", marked: value });
  expect(onlyProblem(workflow(shell("a"), `timeout: ${value}\n`))).toMatchObject({
    code: "bad-timeout",
    marked: value,
  });
});

test("inputs.timeout of Shell counts seconds, inputs.timeout_ms of ExecuteWorkflow milliseconds", () => {
  const shellBlock = planned(workflow('- { id: a, type: Shell, inputs: { command: "true", timeout: 7 } }')).blocks[0]
    ?.definition;
  expect(shellBlock?.timeout).toMatchObject({ value: { value: 7 }, unit: "s" });
  expect([...(shellBlock?.inputs.keys() ?? [])]).toEqual(["command"]);
  const nested = planned(workflow(call(", timeout_ms: 5000000"), which)).blocks[0]?.definition;
  expect(nested?.timeout).toMatchObject({ value: { value: 5_000_000 }, unit: "ms" });
  expect(codes(workflow(call(", timeout: 5"), which))).toEqual(["unknown-input"]);
});

test("a timeout twice is an error", () => {
  expect(
    onlyProblem(workflow('- { id: a, type: Shell, timeout: 5, inputs: { command: "true", timeout: 6 } }')),
  ).toMatchObject({
    code: "two-timeouts",
    fix: "Keep `timeout` on the block and remove inputs.timeout.",
    line: 4,
  });
  expect(codes(workflow(call(", timeout_ms: 5").replace("inputs:", "timeout: 5, inputs:"), which))).toEqual([
    "two-timeouts",
  ]);
});

test("a timeout on a question gets the hint that it has no effect", () => {
  expect(onlyProblem(workflow("- { id: a, type: Prompt, timeout: 5, inputs: { prompt: x } }"))).toMatchObject({
    code: "timeout-without-effect",
    level: "hint",
  });
});

test("a timeout on a Wait is an error, because sleeping does not count for any timeout", () => {
  expect(onlyProblem(workflow("- { id: a, type: Wait, timeout: 5, inputs: { duration: 10 } }"))).toMatchObject({
    code: "no-timeout",
    level: "error",
    message: "block 'a': a Wait block can't have a time limit.",
    why: "Sleeping does not count for any timeout.",
    fix: "Remove `timeout`.",
    marked: "timeout",
  });
});

test.each(["rerun", "ask", "fail"])("on_interrupted may be %s", (choice) => {
  const { definition } = planned(workflow(shell("a", `on_interrupted: ${choice}`)));
  expect(definition.blocks[0]?.onInterrupted).toBe(choice);
});

test("what on_interrupted is, is the type's matter unless the block says so", () => {
  expect(planned(workflow(shell("a"))).definition.blocks[0]).not.toHaveProperty("onInterrupted");
});

test.each([
  ["reurn", "'on_interrupted' can't be 'reurn'.", "Did you mean 'rerun'?"],
  ["retry", "'on_interrupted' can't be 'retry'.", expect.stringContaining("rerun, ask, fail")],
  ["true", "'on_interrupted' can't be 'true'.", expect.stringContaining("rerun, ask, fail")],
])("on_interrupted can't be %s", (choice, message, fix) => {
  expect(onlyProblem(workflow(shell("a", `on_interrupted: ${choice}`)))).toMatchObject({
    code: "unknown-value",
    level: "error",
    message,
    fix,
    marked: choice,
  });
});

test("on_interrupted on a block that stands for a workflow gets the hint to set it on the blocks inside", () => {
  const child = workflow(shell("b")).replace("name: flow", "name: child");
  for (const more of ["", ", for_each: [1]"]) {
    const text = workflow(
      `- { id: a, type: ExecuteWorkflow, on_interrupted: fail, inputs: { workflow: child }${more} }`,
    );
    expect(onlyProblem(text, { child })).toMatchObject({
      code: "on-interrupted-without-effect",
      level: "hint",
      fix: "Set it on those blocks.",
      marked: "on_interrupted",
    });
    expect(planned(text, { child }).definition.blocks[0]).not.toHaveProperty("onInterrupted");
  }
});

test("$${ writes a literal ${ everywhere", () => {
  const text = workflow(
    '- { id: a, type: Shell, inputs: { command: "true", stdin: "$${HOME} $${inputs.nope}" } }',
    'outputs: { x: "$${y}" }\n',
  );
  const { definition } = planned(text);
  expect(definition.blocks[0]?.inputs.get("stdin")?.value).toMatchObject({
    kind: "literal",
    value: "${HOME} ${inputs.nope}",
  });
  expect(definition.outputs.get("x")?.value).toMatchObject({ value: "${y}" });
});

test("an unknown root is an error in a value, and the shell's own in a command", () => {
  expect(
    onlyProblem(workflow('- { id: a, type: Shell, inputs: { command: "true", stdin: "${HOME}" } }')),
  ).toMatchObject({
    code: "unknown-root",
    marked: "HOME",
    fix: expect.stringContaining("To write a literal ${ use $${."),
  });
  planned(workflow('- { id: a, type: Shell, inputs: { command: "echo ${HOME} ${x:-1} ${#args}" } }'));
  expect(codes(workflow('- { id: a, type: Shell, inputs: { command: "echo ${inputs.nope}" } }'))).toEqual([
    "unknown-input",
  ]);
});

test("keys of maps are not interpolated", () => {
  const text = workflow('- { id: a, type: Shell, inputs: { command: "true", env: { "${inputs.nope}": x } } }');
  expect(check(text).problems).toEqual([]);
});

test("a value that is exactly one reference is told apart from text that holds one", () => {
  const text = workflow(
    '- { id: a, type: Shell, inputs: { command: "true", stdin: "x ${inputs.w}", working_dir: "${inputs.w}" } }',
    which,
  );
  const inputs = planned(text).blocks[0]?.definition.inputs;
  const parts = (name: string): number => {
    const value = inputs?.get(name)?.value;
    return value?.kind === "text" ? value.template.parts.length : 0;
  };
  expect([parts("stdin"), parts("working_dir")]).toEqual([2, 1]);
});

test("file outputs belong to Shell, have a path, and a name of their own", () => {
  expect(
    onlyProblem(workflow("- { id: a, type: Prompt, inputs: { prompt: x }, outputs: { f: { path: x } } }")),
  ).toMatchObject({ code: "no-file-outputs", marked: "outputs" });
  expect(onlyProblem(workflow(shell("a", "outputs: { f: {} }")))).toMatchObject({
    code: "missing-key",
    message: "output 'f' has no 'path'.",
  });
  expect(onlyProblem(workflow(shell("a", "outputs: { stdout: { path: x } }")))).toMatchObject({
    code: "output-taken",
    marked: "stdout",
  });
  expect(onlyProblem(workflow(shell("a", "outputs: { f: x.txt }")))).toMatchObject({ code: "wrong-type" });
  for (const type of ["str", "int", "float", "bool", "json", "list", "dict"])
    planned(workflow(shell("a", `outputs: { f: { path: x, type: ${type} } }`)));
});

test.each(["/tmp/x", "../x", "a/../b", "$SCRATCH/../x", "~/x", "~"])(
  "a path of a file output that breaks the rules is refused before the run: %s",
  (path) => {
    expect(onlyProblem(workflow(shell("a", `outputs: { f: { path: "${path}" } }`)))).toMatchObject({
      code: "bad-path",
      level: "error",
      marked: `"${path}"`,
    });
  },
);

test("an absolute path of a file output takes unsafe: true, and nothing else does any harm", () => {
  planned(workflow(shell("a", "outputs: { f: { path: /tmp/x, unsafe: true } }")));
  expect(codes(workflow(shell("a", "outputs: { f: { path: /tmp/../x, unsafe: true } }")))).toEqual(["bad-path"]);
  for (const path of ["x", "a/..b", "$SCRATCH/x", "a~"]) {
    planned(workflow(shell("a", `outputs: { f: { path: "${path}" } }`)));
  }
});

test("a file output is a text and required unless it says otherwise", () => {
  const [output] = planned(workflow(shell("a", "outputs: { f: { path: x } }"))).blocks[0]?.definition.fileOutputs ?? [];
  expect(output).toMatchObject({ name: "f", type: "str", required: true, unsafe: false });
});

const outputs = (text: string): string => workflow(`${shell("a")}${shell("b")}`, `outputs:\n  x: ${text}\n`);

test.each([
  '"${blocks.a.exit_code} == 0"',
  '"${blocks.a.succeeded} and ${blocks.b.succeeded}"',
  '"not ${blocks.a.failed}"',
  "\"${blocks.a.stdout} in ['x']\"",
  '{ value: "${blocks.a.exit_code} == 0", description: d }',
  '{ value: "${blocks.a.succeeded}", type: bool }',
  '{ value: "blocks.a.succeeded", type: boolean }',
])("an output that as a whole is a question is that condition: %s", (text) => {
  expect(planned(outputs(text)).definition.outputs.get("x")?.condition).toBeDefined();
});

test.each([
  '"${blocks.a.succeeded}"',
  '"exit ${blocks.a.exit_code} == 0"',
  '"a == b"',
  "x",
  "{ a: 1 }",
  '{ value: "${blocks.a.stdout}", type: json }',
])("any other output is a value: %s", (text) => {
  expect(planned(outputs(text)).definition.outputs.get("x")?.condition).toBeUndefined();
});

test.each([
  ["inputs.w", "${inputs.w}"],
  ["blocks.a.stdout", "${blocks.a.stdout}"],
  ['"{{ inputs.w }}"', "${inputs.w}"],
  ['"v{{blocks.a.stdout}}"', "${blocks.a.stdout}"],
  ["$inputs.w", "${inputs.w}"],
  ["{ value: inputs.w, description: d }", "${inputs.w}"],
])("an output that only spells a reference gets a warning: %s", (text, value) => {
  expect(onlyProblem(`${outputs(text)}${which}`)).toMatchObject({
    code: "text-not-value",
    level: "warning",
    message: expect.stringMatching(/^This is the text '/),
    fix: `For the value write ${value}.`,
  });
});

test.each(["inputs", "inputs.nope", "blocks.nope.stdout", '"{{ user }}"', "see inputs.w", "$HOME", '"$${inputs.w}"'])(
  "an output that is plain text gets none: %s",
  (text) => {
    expect(check(`${outputs(text)}${which}`).problems).toEqual([]);
  },
);

test("a mistake in an output is reported once", () => {
  expect(onlyProblem(outputs('{ value: "${blocks.a.}", type: bool }')).level).toBe("error");
  expect(onlyProblem(outputs('"${blocks.a.} == 0"')).level).toBe("error");
  expect(onlyProblem(outputs('"${blocks.nope.exit_code} == 0"'))).toMatchObject({
    code: "unknown-block",
    marked: "blocks.nope.exit_code",
  });
});

test("a command of several lines, of which only the last counts, gets a hint", () => {
  const lines = (more: string): string =>
    workflow(`- id: a\n  type: Shell\n  inputs:\n    command: |\n      ${more}make\n      make test\n`);
  expect(codes(lines(""), "hint")).toEqual(["only-last-exit-code"]);
  expect(codes(lines("set -e\n      "), "hint")).toEqual([]);
});

test("asking how a read went that need not find its file gets a hint to ask whether it did", () => {
  const reading = (inputs: string, asked: string, type = "ReadFile"): string =>
    workflow(
      `- { id: a, type: ${type}, inputs: { ${inputs} } }\n- { id: b, type: Shell, inputs: { command: "true" }, depends_on: [a], condition: "\${blocks.a.${asked}}" }\n`,
    );
  const optional = "path: x, required: false";
  expect(codes(reading(optional, "failed"), "hint")).toEqual(["found-not-outcome"]);
  expect(codes(reading(optional, "succeeded"), "hint")).toEqual(["found-not-outcome"]);
  expect(codes(reading(optional, "found"), "hint")).toEqual([]);
  expect(codes(reading("path: x", "failed"), "hint")).toEqual([]);
  expect(codes(reading("path: x", "failed", "ReadJSONState"), "hint")).toEqual(["found-not-outcome"]);
});

test("a hint that another input has dealt with is not given", () => {
  const shell = (command: string, more: string): string =>
    workflow(`- id: a\n  type: Shell\n  inputs: { command: "${command}"${more} }\n`);
  expect(codes(shell("make\\nmake test", ", strict: true"), "hint")).toEqual([]);
  expect(codes(shell("make\\nmake test", ", strict: false"), "hint")).toEqual(["only-last-exit-code"]);
  expect(codes(shell("serve & true", ""), "hint")).toEqual(["background-command"]);
  expect(codes(shell("serve & true", ", keep_background: true"), "hint")).toEqual([]);
});

test.each([
  ["{ type: delete_lines, line_start: 0 }", "0", "'operations[1].line_start' must be at least 1."],
  ["{ type: delete_lines }", "{ type: delete_lines }", "'operations[1].line_start' is missing: it must be a number."],
  ["{ type: replace_line }", "replace_line", "'operations[1].type' must be one of replace_text, "],
  ["{ line_start: 1 }", "{ line_start: 1 }", "'operations[1].type' is missing: it must be one of replace_text, "],
])("a problem inside a list points at the very part: %s", (operation, marked, says) => {
  const operations = `[{ type: delete_lines, line_start: 2 }, ${operation}]`;
  const text = workflow(`- { id: a, type: EditFile, inputs: { path: f, operations: ${operations} } }`);
  expect(onlyProblem(text)).toMatchObject({ code: "wrong-type", marked, message: expect.stringContaining(says) });
});

test("a choice inside a list that does not exist is told with the ones that do", () => {
  const operations = "[{ type: insert_lines, content: x, position: befor }]";
  const text = workflow(`- { id: a, type: EditFile, inputs: { path: f, operations: ${operations} } }`);
  expect(onlyProblem(text)).toMatchObject({ marked: "befor", fix: "Did you mean 'before'?" });
});

test.each([
  ["timeout_ms: 500", "Write `timeout: 500ms`."],
  ["timeoutMs: 500", "Write `timeout: 500ms`."],
  ["timeout-minutes: 5", "Write `timeout: 5m`."],
  ["timeout_seconds: 2.5", "Write `timeout: 2.5s`."],
  ["timeout_in_hours: soon", "Write `timeout: 1h`."],
  // The limit of a workflow is no expression.
  ['timeout_ms: "${inputs.w}"', 'Write `timeout: "${inputs.w}ms"`.', "Write `timeout: 500ms`."],
])("a time limit with its unit in the name keeps its unit: %s", (key, fix, ofWorkflow = fix) => {
  expect(onlyProblem(workflow(shell("a", key), which))).toMatchObject({ code: "unknown-key", fix });
  expect(onlyProblem(workflow(shell("a"), `${which}${key}\n`))).toMatchObject({ code: "unknown-key", fix: ofWorkflow });
  const inInputs = `- { id: a, type: Shell, inputs: { command: "true", ${key} } }`;
  expect(onlyProblem(workflow(inInputs, which))).toMatchObject({ fix: `${fix} It belongs beside \`inputs:\`.` });
});

test("an input with a slip in its name is not missing as well, wherever it stands", () => {
  expect(onlyProblem(workflow("- { id: a, type: Shell, inputs: { comand: x } }"))).toMatchObject({
    code: "unknown-input",
    fix: "Did you mean 'command'?",
  });
  expect(onlyProblem(workflow("- { id: a, type: Shell, comand: x }"))).toMatchObject({
    code: "unknown-key",
    fix: "Did you mean 'command'? It belongs under `inputs:`: `inputs: { command: ... }`.",
  });
  expect(onlyProblem(workflow("- { id: a, type: CreateFile, inputs: { path: a, contents: b } }"))).toMatchObject({
    code: "unknown-input",
    fix: "Did you mean 'content'?",
  });
});

const loop = (command: string, more = ""): string =>
  workflow(`- { id: a, type: Shell, for_each: [1, 2], inputs: { command: ${JSON.stringify(command)}${more} } }`);

test.each([
  ["echo ${item}", "error", "Write ${each.value} for the element, or $item if a variable is meant."],
  ['echo "${item}"', "error", "Write ${each.value} for the element, or $item if a variable is meant."],
  ["echo $item", "warning", "Write ${each.value} for the element."],
  ["echo ${item.name}", "error", "For the element of a loop, write ${each.value.name}."],
])("in a loop, %s is told of each.value", (command, level, fix) => {
  expect(onlyProblem(loop(command))).toMatchObject({ level, fix, block: "a" });
});

test("a variable that the script or env sets is not taken for the element of a loop, nor is any outside of one", () => {
  for (const command of ["for item in a b; do echo ${item}; done", "item=1; echo ${item}", "read item; echo $item"]) {
    expect(check(loop(command)).problems).toEqual([]);
  }
  expect(check(loop("echo ${item}", ", env: { item: x }")).problems).toEqual([]);
  expect(check(workflow('- { id: a, type: Shell, inputs: { command: "echo ${item}" } }')).problems).toEqual([]);
});
