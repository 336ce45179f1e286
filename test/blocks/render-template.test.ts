import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ValueMap } from "../../src/expression/value.ts";
import { createTestEngine } from "../rig/engine.ts";
import { contentOf, crashed, failed, problemsOf, render } from "./render-block.ts";

const seed = 4;

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
    const patient = { timeout: "10m" };
    expect((await render({ template: "${inputs.x}" }, { x: bomb }, undefined, patient)).metadata).toMatchObject(failed);
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
