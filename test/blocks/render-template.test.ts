import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Execution } from "../../src/engine/execution.ts";
import type { ValueMap } from "../../src/expression/value.ts";
import { verifyBlocks } from "../../src/library/verify-blocks.ts";
import { createTestEngine, explain, type TestEngine } from "../rig/engine.ts";
import { waitFor } from "../rig/wait-for.ts";

const seed = 4;

/** Runs one RenderTemplate and gives its record. */
async function render(
  inputs: object,
  given: ValueMap = {},
  engine: TestEngine = createTestEngine(),
  more: object = {},
): Promise<Execution> {
  const declared = Object.keys(given).map((name) => [name, { type: "json", description: "Given" }]);
  const written = { inputs: Object.fromEntries(declared), blocks: [block(inputs, more)] };
  const { state } = await engine.run(written, { inputs: given });
  return state.root.record.blocks.it as Execution;
}

function block(inputs: object, more: object = {}): object {
  return { id: "it", type: "RenderTemplate", inputs, ...more };
}

async function contentOf(template: string, variables: object = {}, given: ValueMap = {}): Promise<unknown> {
  const { metadata, outputs } = await render({ template, variables }, given);
  expect(metadata).toMatchObject({ message: null, status: "completed", outcome: "success" });
  return outputs.content;
}

function problemsOf(inputs: object): string {
  return explain(createTestEngine().check({ inputs: { x: { type: "string" } }, blocks: [block(inputs)] }).diagnostics);
}

const failed = { status: "completed", outcome: "failure" };
const crashed = { status: "failed", outcome: "n/a" };

describe("what a template gives", () => {
  test.each([
    ["# {{ project_name }}\nVersion: {{ version }}\n", "# MyApp\nVersion: 1.0.0"],
    ["{% for item in items %}{{ loop.index }}:{{ item|upper }} {% endfor %}", "1:A 2:B "],
    ["{% for k, v in map.items() %}{{ k }}={{ v }};{% endfor %}", "y=2.5;x=1;"],
    ["{% if yes and not no %}{{ 'yes' if yes else 'no' }}{% endif %}", "yes"],
    ["{{ items|join(', ') }} {{ map|tojson }} {{ missing|default('-') }}", 'a, b {"x": 1, "y": 2.5} -'],
    ["{% macro m(a, b='2') %}[{{ a }}{{ b }}]{% endmacro %}{{ m('1') }}", "[12]"],
    ["{% set n = namespace(sum=0) %}{% for i in range(4) %}{% set n.sum = n.sum + i %}{% endfor %}{{ n.sum }}", "6"],
    ["{% raw %}{{ as_it_is }}{% endraw %}{# nothing #}", "{{ as_it_is }}"],
    ["<b>{{ html }}</b>", "<b><i>&</b>"],
    ["", ""],
  ])("%j", async (template, content) => {
    const variables = {
      project_name: "MyApp",
      version: "1.0.0",
      items: ["a", "b"],
      map: { y: 2.5, x: 1 },
      yes: true,
      no: false,
      html: "<i>&",
    };
    expect(await contentOf(template, variables)).toBe(content);
  });

  test("it is called content, and rendered too", async () => {
    const { outputs } = await render({ template: "é {{ x }}", variables: { x: 1 } });
    expect(outputs).toEqual({ content: "é 1", rendered: "é 1", output_path: "", size_bytes: 4 });
  });

  test("a template can come from a file, in which ${...} is just text", async () => {
    const engine = createTestEngine();
    writeFileSync(join(engine.workspace, "script.j2"), "echo ${HOME} {{ x }}\n");
    const { outputs } = await render({ template_path: "script.j2", variables: { x: 1 } }, {}, engine);
    expect(outputs.content).toBe("echo ${HOME} 1");
  });

  test("the result can be written to a file, with the directories on the way to it", async () => {
    const engine = createTestEngine();
    const inputs = { template: "{{ 1 }}\n", keep_trailing_newline: true, output_path: "a/b/out.txt" };
    const { outputs } = await render(inputs, {}, engine);
    const path = join(engine.workspace, "a/b/out.txt");
    expect(outputs).toMatchObject({ content: "1\n", output_path: path, size_bytes: 2 });
    expect(readFileSync(path, "utf8")).toBe("1\n");
  });

  test("without create_parents a directory that is missing is a failure, and nothing is made", async () => {
    const engine = createTestEngine();
    const inputs = { template: "x", output_path: "a/b/out.txt", create_parents: false };
    const { metadata } = await render(inputs, {}, engine);
    expect(metadata).toMatchObject({ ...failed, message: "there is no directory 'a/b'" });
    expect(existsSync(join(engine.workspace, "a"))).toBe(false);
    mkdirSync(join(engine.workspace, "a/b"), { recursive: true });
    expect((await render(inputs, {}, engine)).metadata.succeeded).toBe(true);
  });

  test("one newline at the end of the template is left out, unless it is kept", async () => {
    const contentOfLines = async (more: object): Promise<unknown> =>
      (await render({ template: "{{ 1 }}\n\n", ...more })).outputs.content;
    expect(await contentOfLines({})).toBe("1\n");
    expect(await contentOfLines({ keep_trailing_newline: true })).toBe("1\n\n");
  });

  test("what does not render is not written, and neither is what has no place in the workspace", async () => {
    const engine = createTestEngine();
    mkdirSync(join(engine.workspace, ".git"));
    expect((await render({ template: "{{ x }}", output_path: "out.txt" }, {}, engine)).metadata).toMatchObject(failed);
    for (const path of ["../out.txt", ".git/hooks/x", ".frond/workflows/x.yaml", "out.txt/"]) {
      expect((await render({ template: "x", output_path: path }, {}, engine)).metadata).toMatchObject(crashed);
    }
    expect(existsSync(join(engine.workspace, "out.txt"))).toBe(false);
    expect(existsSync(join(engine.workspace, ".git/hooks"))).toBe(false);
    expect(existsSync(join(engine.workspace, ".frond"))).toBe(false);
  });

  test("a loop renders many", async () => {
    const more = { for_each: "${range(200)}", max_parallel: 50 };
    const { metadata, outputs } = await render(
      { template: "n{{ n }}", variables: { n: "${each.value}" } },
      {},
      undefined,
      more,
    );
    expect(metadata.succeeded).toBe(true);
    expect((outputs.results as readonly ValueMap[]).map(({ content }) => content)).toEqual(
      Array.from({ length: 200 }, (_, index) => `n${index}`),
    );
  });
});

describe("a value never becomes a template", () => {
  const hostile = "{{ 7*7 }}{% for i in range(9) %}x{% endfor %}{# gone #}${inputs.other}\"' }} %} {% endraw %}";

  test.each([
    ["in a variable", "a {{ v }} b", `a ${hostile} b`],
    ["in the text", "a ${inputs.value} b", `a ${hostile} b`],
    ["behind a brace", "{${inputs.value}}", `{${hostile}}`],
    ["between braces", "{ {${inputs.value}} }", `{ {${hostile}} }`],
    ["in a printed expression", "a {{ ${inputs.value} }} b", `a ${hostile} b`],
    ["beside a string", "{{ 'a' ~${inputs.value}~ 'b' }}", `a${hostile}b`],
    ["in a filter's argument", "{{ 'x'|replace('x', ${inputs.value}) }}", hostile],
    ["in a raw block", "{% raw %}{{ a }} {${inputs.value}}{% endraw %}", `{{ a }} {${hostile}}`],
    ["in a comment", "{# ${inputs.value} #}", ""],
    ["in a condition", "{% if ${inputs.value} == v %}same{% endif %}", "same"],
  ])("%s", async (_where, template, content) => {
    expect(await contentOf(template, { v: "${inputs.value}" }, { value: hostile })).toBe(content);
  });

  test("whatever the value and the text around it", async () => {
    const engine = createTestEngine();
    const piece = fc.constantFrom(
      "{",
      "}",
      "%",
      "#",
      "-",
      "{{",
      "}}",
      "{%",
      "%}",
      '"',
      "'",
      "\\",
      "a",
      "\n",
      " ",
      "raw",
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(""));
    const plain = fc
      .array(fc.constantFrom("{", "}", "a", "\n", " ", "-"), { maxLength: 4 })
      .map((pieces) => pieces.join(""));
    const isPlain = (around: string): boolean => !around.includes("{{");
    await fc.assert(
      fc.asyncProperty(text, plain.filter(isPlain), plain.filter(isPlain), async (value, before, after) => {
        const { outputs } = await render(
          { template: `.${before}\${inputs.value}${after}`, keep_trailing_newline: true },
          { value },
          engine,
        );
        expect(outputs.content).toBe(`.${before}${value}${after}`);
      }),
      { seed, numRuns: 20 },
    );
  });

  test("values keep their types in tags, and are formatted as everywhere in the text", async () => {
    const given = { list: [1, 2], no: false, nothing: null, map: { a: [true] } };
    const template = "{% for i in ${inputs.list} %}<{{ i + 1 }}>{% endfor %}{% if ${inputs.no} %}x{% endif %}";
    const text = " ${inputs.list} ${inputs.no} ${inputs.nothing} ${inputs.map}";
    expect(await contentOf(template + text, {}, given)).toBe('<2><3> [1,2] false  {"a":[true]}');
  });

  test("inside a string of a tag, where it would have to be a part of the template, it is refused", () => {
    expect(problemsOf({ template: "{{ 'a ${inputs.x}' }}" })).toMatch(/^value-in-template-string: /);
  });

  test("one that stands alone is the template itself, and what it prints is no template again", async () => {
    const { outputs } = await render({ template: "${inputs.x}\n" }, { x: "{{ 7*7 }}{{ '{{ 1 }}' }}" });
    expect(outputs.content).toBe("49{{ 1 }}");
    const bomb = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}";
    expect((await render({ template: "${inputs.x}" }, { x: bomb })).metadata).toMatchObject(failed);
    expect((await render({ template: "${inputs.x}" }, { x: "{% if %}" })).metadata).toMatchObject(failed);
  });

  test("the record shows the template as it was rendered", async () => {
    const { inputs } = await render({ template: "a ${inputs.x} {{ 1 }}" }, { x: "v" });
    expect(inputs.template).toBe("a v {{ 1 }}");
  });
});

describe("a variable that is not defined", () => {
  test.each([
    ["a\n{{ nope }}", "'nope' is not defined (line 2)"],
    ["{{ map.nope }}", "'map.nope' is not defined (line 1)"],
    ["{{ nope.x }}", "'nope' is not defined (line 1)"],
    ["{{ map.a.b }}", "'map.a' is not defined (line 1)"],
    ["é {{ map.nope['a'].b }}", "'map.nope' is not defined (line 1)"],
    ["{{ map.a.b|upper }}", "'map.a' is not defined (line 1)"],
    ["\n\n{{ nope|upper }}", "'nope' is not defined (line 3)"],
    ["{{ map.nope|trim }}", "'map.nope' is not defined (line 1)"],
    ["{{ 'a' ~ nope }}", "'nope' is not defined (line 1)"],
    ["{{ nope == 1 }}", "'nope' is not defined (line 1)"],
    ["{% if not nope %}x{% endif %}", "'nope' is not defined (line 1)"],
    ["{% for x in nope %}x{% endfor %}", "'nope' is not defined (line 1)"],
    ["{{ 'a' if nope else 'b' }}", "'nope' is not defined (line 1)"],
    ["{{ map['nope']|upper }}", "'map['nope']' is not defined (line 1)"],
    ["{{ [nope]|join(',') }}", "'nope' is not defined (line 1)"],
    ["{{ {'a': nope} }}", "'nope' is not defined (line 1)"],
    ["{{ 'x'|replace('x', nope) }}", "'nope' is not defined (line 1)"],
    ["{{ nope < 1 or nope in [1] }}", "'nope' is not defined (line 1)"],
    ["{% macro m(a) %}{{ a }}{% endmacro %}{{ m(nope) }}", "'nope' is not defined (line 1)"],
    ["{{ list|sort(attribute='nope') }}", "'nope' is not defined (line 1)"],
    ["{{ list|sort(attribute='b,nope') }}", "'nope' is not defined (line 1)"],
    ["{{ list|unique(attribute='nope')|list }}", "'nope' is not defined (line 1)"],
    ["{{ inputs.x }}", "'inputs' is not defined: a template reads what it is given under `variables` (line 1)"],
    ["{{ blocks.a.stdout }}", "'blocks' is not defined: a template reads what it is given under `variables` (line 1)"],
    ["{{ 1 if map == null }}", "'null' is not defined: write none (line 1)"],
  ])("is a failure with its line: %j", async (template, message) => {
    const { metadata, outputs } = await render({ template, variables: { map: {}, list: [{ b: 1 }, { b: 1 }] } });
    expect(metadata).toMatchObject({ ...failed, message: `the template does not render: ${message}` });
    expect(outputs).toEqual({ content: "", rendered: "", output_path: "", size_bytes: 0 });
  });

  test.each([
    ["{{ nope|default('d') }}", "d"],
    ["{{ falsy|default(nope) }}", "False"],
    ["{{ (map.nope)|default('d') }}", "d"],
    ["{{ nope if nope is defined else 'd' }}", "d"],
    ["{% if nope is defined %}x{% else %}y{% endif %}", "y"],
    ["{% if not nope is defined %}x{% endif %}", "x"],
    ["{% if false %}{{ nope|upper }}{% endif %}", ""],
    ["{{ falsy|string ~ empty ~ zero }}", "False0"],
    ["{{ ',' if false }}", ""],
  ])("is none where it is asked for or not used: %j", async (template, content) => {
    expect(await contentOf(template, { falsy: false, empty: "", zero: 0, map: {} })).toBe(content);
  });

  test("is empty when the template is not strict", async () => {
    const { outputs } = await render({ template: "[{{ nope }}{{ nope|upper }}{{ 'a' ~ nope }}]", strict: false });
    expect(outputs.content).toBe("[a]");
    const { metadata } = await render({ template: "{{ nope.x }}", strict: false });
    expect(metadata.message).toBe("the template does not render: 'nope' is not defined (line 1)");
  });
});

describe("a template that does not render", () => {
  test.each([
    ["a\n{% if %}", "syntax error: the tag ends too early (line 2)"],
    ["{% for x in [1] %}\n{{ x", "syntax error: a tag has no '}}' (line 2)"],
    ["{% if true %}x", "syntax error: 'endif' is missing (line 1)"],
    ["x{% endif %}", "syntax error: 'endif' ends what has not begun (line 1)"],
    ["{{ 1 +\n'a' }}", "'+' does not work on a number and a text; join texts with '~' (line 1)"],
    ["{{ 1 / 0 }}", "it divides by zero (line 1)"],
    ["{{ 'a'|center(wide=3) }}", "the filter 'center' takes no argument 'wide', but width (line 1)"],
    ["{{ [].nope() }}", "a list has no method 'nope' (line 1)"],
    ["{{ 'a'.upper }}", "'upper' is a method: call it with () (line 1)"],
    ["{{ 1|uper }}", "there is no filter 'uper'; did you mean 'upper'? (line 1)"],
    ["{{ 1 is nummer }}", "there is no test 'nummer'; did you mean 'number'? (line 1)"],
    [
      "{% autoescape true %}x{% endautoescape %}",
      "'autoescape' is not supported: nothing is escaped unless it goes through the filter 'escape' (line 1)",
    ],
    ["{{ 1|nofilter }}", "there is no filter 'nofilter' (line 1)"],
    ["{{ nofunction() }}", "there is no function 'nofunction' (line 1)"],
    ["{{ debug() }}", "the function 'debug' is not supported: print what you want to see (line 1)"],
    ["{% include '/etc/passwd' %}", "a template can't include, import or extend another one (line 1)"],
    ["{% extends 'base.html' %}", "a template can't include, import or extend another one (line 1)"],
    ["{% import 'x' as y %}", "a template can't include, import or extend another one (line 1)"],
    ["{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "its macros call each other too deeply (line 1)"],
    ["{% for i in range(10**9) %}x{% endfor %}", "a range has 100,000 numbers at most (line 1)"],
    ["{{ 'x' * 10**9 }}", "a text would be longer than 10,000,000 characters (line 1)"],
    ["{{ [0] * 10**9 }}", "a list would have more than 1,000,000 items (line 1)"],
    ["{{ 'x'|center(10**9) }}", "a text would be longer than 10,000,000 characters (line 1)"],
    ["{{ '%999999999d'|format(1) }}", "a text would be longer than 10,000,000 characters (line 1)"],
    ["{{ '{:999999999}'.format(1) }}", "a text would be longer than 10,000,000 characters (line 1)"],
    ["{{ 'x'.zfill(10**9) }}", "a text would be longer than 10,000,000 characters (line 1)"],
    ["{{ ('a' * 9000000)|replace('a', 'b' * 100) }}", "a text would be longer than 10,000,000 characters (line 1)"],
    [`{{ ${"not ".repeat(100_000)}1 }}`, "syntax error: it is nested too deeply (line 1)"],
    [`{{ ${"[".repeat(100_000)}`, "syntax error: a tag has no '}}' (line 1)"],
    [`${"{% if true %}".repeat(100_000)}`, "syntax error: blocks are nested too deeply (line 1)"],
  ])("is a failure that says why and where: %j", async (template, message) => {
    const { metadata } = await render({ template });
    expect(metadata).toMatchObject({ ...failed, message: `the template does not render: ${message}` });
  });

  test("names the file it comes from, and a file that is missing, no text or a directory is a failure", async () => {
    const engine = createTestEngine();
    writeFileSync(join(engine.workspace, "a.j2"), "{{ nope }}");
    writeFileSync(join(engine.workspace, "bytes.j2"), Buffer.from([0xff]));
    const messages = [];
    mkdirSync(join(engine.workspace, "templates"));
    for (const path of ["a.j2", "no.j2", "bytes.j2", "templates"]) {
      const { metadata } = await render({ template_path: path }, {}, engine);
      expect(metadata).toMatchObject(failed);
      messages.push(metadata.message);
    }
    expect(messages).toEqual([
      "'a.j2' does not render: 'nope' is not defined (line 1)",
      "the file 'no.j2' does not exist",
      "'bytes.j2' is not UTF-8 text",
      "'templates' is a directory, not a file",
    ]);
    expect((await render({ template_path: "/etc/passwd" }, {}, engine)).metadata).toMatchObject(crashed);
  });

  test("a result of more than 10 MB is a failure", async () => {
    const { metadata } = await render({ template: "{{ 'é' * 6000000 }}" });
    expect(metadata).toMatchObject({ ...failed, message: "the template gives more than 10,000,000 bytes" });
  });

  test("loops within loops end when they have taken too many steps, and the engine goes on meanwhile", async () => {
    const endless = "{% for i in range(90000) %}{% for j in range(90000) %}{% endfor %}{% endfor %}";
    const engine = createTestEngine();
    const { state } = await engine.run({
      blocks: [block({ template: endless }), { id: "other", type: "Shell", inputs: { command: "true" } }],
    });
    const { it, other } = state.root.record.blocks;
    expect(it?.metadata).toMatchObject({
      ...failed,
      message: "the template does not render: it takes more than 20 million steps (line 1)",
    });
    expect(other?.metadata).toMatchObject({ succeeded: true, execution_order: 0 });
  });

  test.each([
    "{{ ('<' * 9900000)|e|length }}",
    "{{ ('é' * 3000000)|tojson|length }}",
    "{{ ('☃' * 9900000)|list|length }}",
    "{{ ('x ' * 4900000).split()|length }}",
    "{{ ('%s' * 4900000)|format(1) }}",
    "{% set l = [] %}{% for i in range(1000) %}{% do l.append((i ~ '☃' * 9000000)|upper) %}{% endfor %}",
    "{% set l = [] %}{% for i in range(1000) %}{% do l.append(('☃' * 900000)|list) %}{% endfor %}",
    "{% set l = [] %}{% do l.append(l) %}{{ l }}",
  ])("one that would need too much memory is a failure, and the engine lives: %s", async (template) => {
    const { metadata } = await render({ template });
    expect(metadata).toMatchObject(failed);
    expect(String(metadata.message).length).toBeLessThan(600);
  });

  test.each(["''.constructor", "[].__proto__", "range.constructor", "{}.__class__", "loop.x", "x['__proto__']"])(
    "nothing of what it is made of can be reached: %s",
    async (expression) => {
      const { metadata } = await render({ template: `{{ ${expression} }}`, variables: { x: {} } });
      expect(metadata).toMatchObject({ ...failed, message: expect.stringContaining("is not defined") });
    },
  );

  test("one that keeps too much is ended, and the engine goes on", async () => {
    const template =
      "{% set l = [] %}{% for i in range(90000) %}{% do l.append((i ~ 'x') * 100000) %}{% endfor %}{{ l|join|length }}";
    const { metadata } = await render({ template });
    expect(metadata).toMatchObject(failed);
    expect(metadata.message).toMatch(/it needs more than 256 MB|million steps|10,000,000 characters/);
    expect(await contentOf("{{ 1 }}")).toBe("1");
  });

  /** Few steps, each of which takes long. */
  const slow = "{% for i in range(10000) %}{% set x = ('a' * 5000000)|replace('a', 'bc')|length %}{% endfor %}";

  test("one that takes too long is ended in the middle of a step", async () => {
    const { metadata } = await render({ template: slow }, {}, undefined, { timeout: "500ms" });
    expect(metadata).toMatchObject({ ...crashed, message: "ran longer than its limit of 500ms" });
    expect(await contentOf("{{ 1 }}")).toBe("1");
  });

  test("cancelling the run ends it", async () => {
    const engine = createTestEngine();
    const run = await engine.start({ blocks: [block({ template: slow })] });
    await waitFor("it has begun", () => run.events.some(({ type }) => type === "block-started"));
    await run.cancel();
    const { response } = await run.settled;
    expect(response).toMatchObject({ status: "failure", cancelled: true });
  });
});

describe("before anything runs", () => {
  test("a template is needed, in one way", () => {
    expect(problemsOf({})).toMatch(/^template-or-path: /);
    expect(problemsOf({ template: "a", template_path: "b" })).toMatch(/^template-or-path: /);
  });

  test("references in the template are checked like any other", () => {
    expect(problemsOf({ template: "a ${inputs.nope}" })).toContain("'nope'");
    expect(problemsOf({ template: "a ${inputs.x" })).not.toBe("");
    expect(problemsOf({ template: "a $${inputs.nope} {{ b }}" })).toBe("");
  });

  test("whoever validates hears of a template that can't be read", async () => {
    const engine = createTestEngine();
    const verify = async (template: string): Promise<readonly string[]> => {
      const { definition } = engine.check({ inputs: { x: { type: "string" } }, blocks: [block({ template })] });
      const found = await verifyBlocks(definition, engine.engine.platform);
      return found.map(({ code, message }) => `${code}: ${message}`);
    };
    expect(await verify("a\n{% for x %}")).toEqual([
      expect.stringMatching(/^template-syntax: block 'it': the template can't be read: syntax error: .* \(line 2\)\.$/),
    ]);
    expect(await verify("{{ anything|upper }} ${inputs.x}")).toEqual([]);
  });
});
