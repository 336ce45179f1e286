import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verifyBlocks } from "../../src/library/verify-blocks.ts";
import { createTestEngine } from "../rig/engine.ts";
import { waitFor } from "../rig/wait-for.ts";
import { block, contentOf, crashed, failed, problemsOf, render } from "./render-block.ts";

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
      blocks: [
        block({ template: endless }, { timeout: "10m" }),
        { id: "other", type: "Shell", inputs: { command: "true" } },
      ],
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
