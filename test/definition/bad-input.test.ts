import { expect, test } from "vitest";
import { renderDiagnostic } from "../../src/diagnostic/render-diagnostic.ts";
import { startCpuTime } from "../rig/cpu-time.ts";
import { check, codes, onlyProblem, shell, workflow } from "./check.ts";

const head = "name: flow\ndescription: A test\n";
const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join("");

const hostile: readonly [what: string, text: string, code: string, says: RegExp][] = [
  [
    "a map of 20,000 keys",
    `${head}x:\n${many(20_000, (i) => `  k${i}: v\n`)}`,
    "limit-exceeded",
    /more than 2000 keys/,
  ],
  [
    "20,000 variables of a command",
    workflow(`- id: a\n  type: Shell\n  inputs:\n    command: x\n    env:\n${many(20_000, (i) => `      K${i}: v\n`)}`),
    "limit-exceeded",
    /more than 2000 keys/,
  ],
  ["a flow map of 150,000 keys", `${head}x: {${many(150_000, (i) => `k${i}: v,`)}}`, "limit-exceeded", /2000 keys/],
  ["a list of 400,000 items", `${head}x:\n${"- 1\n".repeat(400_000)}`, "limit-exceeded", /more than 10000 items/],
  [
    "an alias bomb",
    `${head}a: &a [${"x,".repeat(10)}]\n${many(8, (i) => `${"bcdefghi"[i]}: &${"bcdefghi"[i]} [${`*${"abcdefgh"[i]},`.repeat(9)}]\n`)}`,
    "limit-exceeded",
    /more than 20 aliases/,
  ],
  [
    "twenty aliases that grow into millions",
    `${head}a: &a [${`[${"x,".repeat(9_000)}],`.repeat(4)}]\nb: [${"*a,".repeat(20)}]\n`,
    "limit-exceeded",
    /aliases of the file stand for/,
  ],
  ["20,000 nested flow lists", `${head}x: ${"[".repeat(20_000)}${"]".repeat(20_000)}`, "limit-exceeded", /100 levels/],
  ["20,000 open flow lists", `${head}x: ${"[".repeat(20_000)}`, "limit-exceeded", /100 levels/],
  ["20,000 nested lists on one line", `${head}x:\n  ${"- ".repeat(20_000)}a`, "limit-exceeded", /100 levels/],
  [
    "20,000 nested flow maps",
    `${head}x: ${"{a: ".repeat(20_000)}1${"}".repeat(20_000)}`,
    "limit-exceeded",
    /100 levels/,
  ],
  ["20,000 nested keys", `${head}${"? ".repeat(20_000)}a`, "limit-exceeded", /100 levels/],
  ["1,000 nested maps", `${head}${many(1_000, (i) => `${" ".repeat(i)}a:\n`)}`, "limit-exceeded", /100 levels/],
  ["10 MB of text", `${head}#${"x".repeat(10_000_000)}`, "limit-exceeded", /larger than 2 MB/],
  ["2 MB of bytes in fewer characters", `${head}# ${"é".repeat(1_000_000)}`, "limit-exceeded", /larger than 2 MB/],
  ["10,001 blocks", workflow(many(10_001, (i) => shell(`b${i}`))), "limit-exceeded", /more than 10000 items/],
  ["binary text", `${head}\u0000\u0001\u0002`, "not-text", /not text/],
  ["bytes that are no UTF-8", `${head}\ufffd`, "not-text", /not text/],
  ["several documents", `${workflow(shell("a"))}---\n${workflow(shell("a"))}`, "several-documents", /more than one/],
  ["400,000 documents", "---\n".repeat(400_000), "several-documents", /more than one/],
  ["an empty file", "", "empty-file", /empty/],
  ["a file of comments", "# nothing\n\n", "empty-file", /empty/],
  ["a file of nothing", "---\n", "wrong-type", /a map with name, description and blocks, not nothing/],
  ["a list", "- a\n- b\n", "wrong-type", /not a list/],
  ["a text", "hello", "wrong-type", /not the text 'hello'/],
  ["tabs", `${head}blocks:\n\t- id: a\n`, "tab-indent", /indented with a tab/],
  ["a custom tag", `${head}blocks: !mine []\n`, "custom-tag", /tag !mine/],
  ["a tag of another language", `${head}author: !!js/function "x"\n`, "custom-tag", /js\/function/],
  [
    "an item out of line after 100,000 comments",
    `${head}blocks:\n  - id: a\n${"#\n".repeat(100_000)} - id: b\n`,
    "bad-indent",
    /different columns/,
  ],
  ["a merge key", `${head}author: &a x\nblocks:\n  - <<: *a\n`, "merge-key", /Merge keys/],
  [
    "a merge key in data",
    workflow("- { id: a, type: Shell, inputs: { command: x, env: { <<: { A: b } } } }"),
    "merge-key",
    /Merge keys/,
  ],
  ["an alias of itself", `${head}blocks: &a [*a]\n`, "alias-cycle", /stands inside what it names/],
  ["an unknown alias", `${head}blocks: *nope\n`, "unknown-alias", /no anchor &nope/],
  ["an unclosed quote", `${head}author: 'me\n`, "yaml-syntax", /not valid YAML/],
];

test.each([
  ["a duplicate key", "name: again\n", "duplicate-key", /'name' is there twice/],
  ["a list as a key", "? [a, b]\n: c\n", "bad-key", /must be a plain word/],
  ["a number with too many digits", "author: 12345678901234567890\n", "quote-this-value", /kept exactly/],
  ["infinity", "author: .inf\n", "quote-this-value", /kept exactly/],
])("%s is an error that hides no other", (_what, line, code, says) => {
  expect(onlyProblem(workflow(shell("a"), line))).toMatchObject({
    level: "error",
    code,
    message: expect.stringMatching(says),
  });
  expect(codes(workflow(`${shell("a")}${shell("a")}- { id: b, type: Shel }\n`, line))).toEqual([
    code,
    "duplicate-block",
    "unknown-block-type",
  ]);
});

test.each(hostile)("%s is a clear error at once", (_what, text, code, says) => {
  const cpuTime = startCpuTime();
  const { definition, problems, diagnostics } = check(text);
  expect(cpuTime()).toBeLessThan(10_000);
  expect(definition).toBeUndefined();
  expect(problems.map((problem) => problem.code)).toEqual([code]);
  expect(problems[0]).toMatchObject({ level: "error", message: expect.stringMatching(says), file: "flow.yaml" });
  expect(problems[0]?.line).toBeGreaterThan(0);
  for (const diagnostic of diagnostics) expect(renderDiagnostic(diagnostic, true)).not.toMatch(/\bat .*\.ts:/);
});

const costly: readonly [what: string, text: string][] = [
  [
    "10,000 blocks that depend on what is not there",
    workflow(many(10_000, (i) => `- {id: b${i}, type: Shell, inputs: {command: x}, depends_on: [c${i}]}\n`)),
  ],
  [
    "100,000 wrong references in one text",
    workflow(
      `- id: a\n  type: Shell\n  inputs:\n    command: x\n    stdin: |\n${many(1_000, () => `      ${`$\{inputs.abcdefg} `.repeat(90)}\n`)}`,
    ),
  ],
];

test.each(costly)(
  "%s cost no more than the file they are in",
  (_what, text) => {
    const cpuTime = startCpuTime();
    const { problems } = check(text);
    expect(cpuTime()).toBeLessThan(100_000);
    expect(problems.filter(({ level }) => level === "error")).toHaveLength(101);
  },
  120_000,
);

const unquoted: readonly [where: string, text: string, marked: string][] = [
  [
    "a value with a colon",
    workflow("- id: a\n  type: Shell\n  inputs:\n    command: echo note: hello"),
    "echo note: hello",
  ],
  ["a description with a colon", `name: flow\ndescription: Build: and test\n`, "Build: and test"],
  [
    "a value with a colon in a flow map",
    workflow("- { id: a, type: Shell, inputs: { command: echo a: b } }"),
    "echo a: b",
  ],
  [
    "a reference in a flow map",
    workflow("- { id: a, type: Shell, inputs: { command: x, stdin: ${inputs.text} } }"),
    "${inputs.text}",
  ],
  [
    "a reference within text in a flow map",
    workflow("- { id: a, type: Shell, inputs: { command: echo ${inputs.text} now } }"),
    "${inputs.text}",
  ],
  [
    "a reference in a flow list",
    workflow("- { id: a, type: Shell, inputs: { args: [echo, ${inputs.text}] } }"),
    "${inputs.text}",
  ],
  [
    "a condition in a flow map",
    workflow("- { id: a, type: Shell, condition: ${blocks.b.failed} }"),
    "${blocks.b.failed}",
  ],
  [
    "a reference in a flow map of several lines",
    workflow("- id: a\n  type: Shell\n  inputs: {\n    command: x,\n    stdin: ${inputs.text}\n  }"),
    "${inputs.text}",
  ],
  ["a value that starts with @", `${head}author: @me\n`, "@"],
];

test.each(unquoted)("%s: quote this value", (_where, text, marked) => {
  expect(onlyProblem(text)).toMatchObject({
    code: "quote-this-value",
    marked,
    fix: expect.stringMatching(/^Quote this value/),
  });
});

const lines = (...text: readonly string[]): string => `${text.join("\n")}\n`;

const misplaced: readonly [what: string, text: string, marked: string, says: string, fix: string][] = [
  [
    "a key deeper than the value before it",
    lines("name: flow", "blocks:", "  - id: a", "    type: Shell", "     inputs: { command: x }"),
    "inputs: { command: x }",
    "Line 5 is indented deeper than line 4, so YAML reads it as part of that value.",
    "Align it with `type` on line 4, in column 5.",
  ],
  [
    "a key deeper than the first of its block",
    lines("blocks:", "  - id: a", "     type: Shell"),
    "type: Shell",
    "Line 3 is indented deeper than line 2, so YAML reads it as part of that value.",
    "Align it with `id` on line 2, in column 5.",
  ],
  [
    "a key deeper than a quoted value before it",
    lines("inputs:", '  command: "x"', "   env: {}"),
    "env: {}",
    "Line 3 is indented deeper than line 2, and no key stands in its column.",
    "Align it with `command` on line 2, in column 3.",
  ],
  [
    "a key between two levels",
    lines("blocks:", "  - id: a", "   type: Shell"),
    "type: Shell",
    "Line 3 is indented neither like nor below line 2, and no key stands in its column.",
    "Align it with `id` on line 2, in column 5.",
  ],
  [
    "the text of a | that is not indented",
    lines("inputs:", "  command: |", "  echo hi", "  echo there"),
    "echo hi",
    "The text after the | of line 2 is not indented.",
    "Indent each of its lines deeper than `command`.",
  ],
  [
    "the one line of a | that is not indented",
    lines("inputs:", "  command: |", "  echo hi", "outputs: {}"),
    "echo hi",
    "The text after the | of line 2 is not indented.",
    "Indent each of its lines deeper than `command`.",
  ],
  [
    "an item further left than the one before it",
    lines("blocks:", "  - id: a", "    type: Shell", " - id: b"),
    "- id: b",
    "The items of this list start in different columns.",
    "Align its - with the one on line 2, in column 3.",
  ],
  [
    "an item further right than the one before it",
    lines("blocks:", "- id: a", "  type: Shell", " - id: b"),
    "- id: b",
    "The items of this list start in different columns.",
    "Align its - with the one on line 2, in column 1.",
  ],
];

test.each(misplaced)("%s is told where it belongs", (_what, text, marked, message, fix) => {
  expect(onlyProblem(text)).toEqual(expect.objectContaining({ code: "bad-indent", marked, message, fix }));
});

test.each([
  ["blocks: [\n", "[", "]"],
  ["inputs: { a: { type: string }\nblocks: []\n", "{", "}"],
  ["inputs:\n  a: { enum: [1, 2\n  b: {}\n", "[", "]"],
])("a bracket that is not closed is pointed at: %j", (text, marked, closing) => {
  expect(check(text).problems).toContainEqual(
    expect.objectContaining({ code: "unclosed-bracket", marked, fix: `Write the ${closing} where it ends.` }),
  );
});

test("a line without a colon is told what a line looks like", () => {
  for (const text of ["name flow\ndescription: d\n", "name: flow\ndescription d\nblocks: []\n"]) {
    expect(onlyProblem(text)).toMatchObject({ code: "yaml-syntax", fix: expect.stringMatching(/^Write `key: value`/) });
  }
});

test.each([
  ['command: "echo "hi""', "with ' around it"],
  ["command: 'echo 'hi''", 'with " around it'],
  ["condition: '${blocks.a.stdout}' == 'x'", 'with " around it'],
])("quotes inside quotes are told to quote the value as a whole: %s", (line, fix) => {
  expect(onlyProblem(lines("name: flow", line, "author: x"))).toMatchObject({
    code: "quote-this-value",
    message: expect.stringContaining("the line goes on"),
    fix: expect.stringContaining(fix),
  });
});

test.each([
  ["!inputs.x", "`not inputs.x`"],
  ["!blocks.a.failed", "`not blocks.a.failed`"],
  ["! inputs.x", "`not ...`"],
  ["!${inputs.x}", "`not ...`"],
])("a condition negated with ! is told of not: %s", (condition, fix) => {
  const text = workflow(`- id: a\n  type: Shell\n  condition: ${condition}\n  inputs: { command: x }`);
  expect(onlyProblem(text)).toMatchObject({ code: "custom-tag", fix: `To negate, write ${fix}.` });
});

test("a colon without a space, and a quoted one, are plain text", () => {
  const text = workflow("- id: a\n  type: Shell\n  description: see http://x.y:80\n  inputs: { command: 'echo a: b' }");
  expect(check(text).problems).toEqual([]);
});

const refused = ["__internal__", "_internal", "__proto__", "constructor", "prototype"];
const output = (text: string): string => workflow(shell("a"), `outputs:\n  x: ${text}\n`);

const places: readonly [where: string, text: (name: string) => string][] = [
  ["a path", (name) => output(`$\{inputs.${name}}`)],
  ["the end of a path", (name) => output(`$\{blocks.a.outputs.${name}}`)],
  ["a key in brackets", (name) => output(`$\{blocks.a.outputs['${name}']}`)],
  ["a block in a path", (name) => output(`$\{blocks.${name}.stdout}`)],
  ["a path in a condition", (name) => workflow(`${shell("a")}${shell("b", `condition: "blocks.a['${name}'] == 1"`)}`)],
  [
    "a path in a command",
    (name) => workflow(`${shell("a")}- { id: b, type: Shell, inputs: { command: "echo $\{blocks.a.${name}}" } }`),
  ],
  ["a root", (name) => output(`$\{${name}.x}`)],
  ["a block's id", (name) => workflow(shell(name))],
  ["an input's name", (name) => workflow(shell("a"), `inputs:\n  ${name}: { type: string, description: d }\n`)],
  ["an output's name", (name) => workflow(shell("a"), `outputs:\n  ${name}: x\n`)],
  ["a file output's name", (name) => workflow(shell("a", `outputs: { ${name}: { path: x.txt } }`))],
  ["a dependency", (name) => workflow(shell("a", `depends_on: [${name}]`))],
  ["a block type", (name) => workflow(`- { id: a, type: ${name} }`)],
  ["a block input", (name) => workflow(`- { id: a, type: Shell, inputs: { command: x, ${name}: y } }`)],
  ["a workflow key", (name) => workflow(shell("a"), `${name}: x\n`)],
  ["a block key", (name) => workflow(shell("a", `${name}: x`))],
  ["the workflow's name", (name) => workflow(shell("a")).replace("name: flow", `name: ${name}`)],
  ["a function", (name) => output(`$\{${name}(1)}`)],
  ["a type", (name) => workflow(shell("a"), `inputs:\n  x: { type: ${name}, description: d }\n`)],
];

test.each(places.flatMap(([where, text]) => refused.map((name) => [name, where, text(name)] as const)))(
  "%s is refused as %s",
  (_name, _where, text) => {
    const { plan, problems } = check(text);
    expect(problems.filter(({ level }) => level === "error")).toHaveLength(1);
    expect(plan).toSatisfy((made) => made === undefined || problems.some(({ level }) => level === "error"));
  },
);

test("an argument of a child is refused by the same names", () => {
  const child = workflow(shell("a")).replace("flow", "child");
  for (const name of refused) {
    const text = workflow(`- { id: a, type: ExecuteWorkflow, inputs: { workflow: child, inputs: { ${name}: x } } }`);
    expect(onlyProblem(text, { child })).toMatchObject({ code: "unknown-input", marked: name });
  }
});

test("a variable of a command may have any name, and stays data", () => {
  const text = workflow('- { id: a, type: Shell, inputs: { command: x, env: { constructor: "1", __proto__: "2" } } }');
  const { definition, problems } = check(text);
  expect(problems).toEqual([]);
  const env = definition?.blocks[0]?.inputs.get("env")?.value;
  expect(env?.kind === "literal" && Object.entries(env.value as object)).toEqual([
    ["constructor", "1"],
    ["__proto__", "2"],
  ]);
});

test("a file in another encoding is told what to do", () => {
  expect(check(`${head}\ufffd`).problems[0]?.fix).toBe("Give the path of a YAML file, or save it as UTF-8.");
});
