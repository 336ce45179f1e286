import { describe, expect, test } from "vitest";
import type { Expression, SyntaxFault } from "./ast.ts";
import { parseExpression } from "./parse-expression.ts";
import { tokenize } from "./tokens.ts";

function parse(source: string): Expression {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(`${source}: ${parsed.error.message}`);
  return parsed.value;
}

function problem(source: string): SyntaxFault {
  const parsed = parseExpression(source);
  if (parsed.ok) throw new Error(`${source} parsed`);
  return parsed.error;
}

/** The tree in prefix form with every pair of parentheses, to see what binds to what. */
function shape(node: Expression): string {
  switch (node.kind) {
    case "literal":
      return JSON.stringify(node.value);
    case "text":
      return `text(${node.template.parts.map((part) => (typeof part === "string" ? part : shape(part.expression))).join("|")})`;
    case "list":
      return `[${node.items.map(shape).join(" ")}]`;
    case "path":
      return [node.root, ...node.steps.map(({ key }) => (typeof key === "object" ? `<${shape(key)}>` : key))].join("/");
    case "not":
    case "negate":
      return `(${node.kind} ${shape(node.operand)})`;
    case "arithmetic":
    case "logical":
      return `(${node.operator} ${shape(node.left)} ${shape(node.right)})`;
    case "comparison":
      return `(${node.operators.join(",")} ${node.operands.map(shape).join(" ")})`;
    case "conditional":
      return `(if ${shape(node.condition)} ${shape(node.then)} ${shape(node.otherwise)})`;
    case "call":
      return `${node.name}(${node.arguments.map(shape).join(" ")})`;
    case "access":
      return [
        shape(node.value),
        ...node.steps.map(({ key }) => (typeof key === "object" ? `<${shape(key)}>` : key)),
      ].join("/");
  }
}

describe("literals", () => {
  test.each([
    ["'a'", "a"],
    ['"a"', "a"],
    ["1", 1],
    ["2.5", 2.5],
    ["true", true],
    ["True", true],
    ["false", false],
    ["False", false],
    ["null", null],
    ["None", null],
    ["''", ""],
    [String.raw`'a\n\t\r\\\'\"b'`, "a\n\t\r\\'\"b"],
    [String.raw`'\u0041'`, "A"],
    [String.raw`'\d\u00g'`, String.raw`\d\u00g`],
    ["'$${inputs.a}'", "${inputs.a}"],
    ["'$5 {x} }'", "$5 {x} }"],
  ])("%s is read as what it says", (source, value) => {
    expect(parse(source)).toEqual({ kind: "literal", value, start: 0, end: source.length });
  });
});

describe("binding", () => {
  test.each([
    ["1 + 2 * 3", "(+ 1 (* 2 3))"],
    ["(1 + 2) * 3", "(* (+ 1 2) 3)"],
    ["1 - 2 - 3", "(- (- 1 2) 3)"],
    ["-1 * 2", "(* (negate 1) 2)"],
    ["- -1", "(negate (negate 1))"],
    ["not true and false", "(and (not true) false)"],
    ["not 1 == 2", "(not (== 1 2))"],
    ["true or true and false", "(or true (and true false))"],
    ["1 < 2 <= 3 != 4", "(<,<=,!= 1 2 3 4)"],
    ["1 + 1 in [2]", "(in (+ 1 1) [2])"],
    ["1 not in [2]", "(not in 1 [2])"],
    ["1 if true else 2 if false else 3", "(if true 1 (if false 2 3))"],
    ["true or false if true else false", "(if true (or true false) false)"],
    ["len('a') + 1", '(+ len("a") 1)'],
    ["[1, 'a', [true]]", '[1 "a" [true]]'],
    ["[]", "[]"],
  ])("%s reads as %s", (source, expected) => {
    expect(shape(parse(source))).toBe(expected);
  });
});

describe("paths", () => {
  test.each([
    ["inputs.name", "inputs/name"],
    ["${inputs.name}", "inputs/name"],
    ["${ inputs.name } == 'x'", '(== inputs/name "x")'],
    ["blocks.a.blocks.b.outputs.c", "blocks/a/blocks/b/outputs/c"],
    ["inputs.items[0]['my key']", "inputs/items/0/my key"],
    ["blocks.loop.blocks[inputs.key].outputs.x", "blocks/loop/blocks/<inputs/key>/outputs/x"],
    ["inputs.map[inputs.keys[0]]", "inputs/map/<inputs/keys/0>"],
    ["inputs.items[${inputs.n} - 1]", "inputs/items/<(- inputs/n 1)>"],
    ["blocks['a'].succeeded", "blocks/a/succeeded"],
    ["inputs.if.not.in.true", "inputs/if/not/in/true"],
    ["inputs.a-inputs.b", "(- inputs/a inputs/b)"],
    ["inputs.a -1", "(- inputs/a 1)"],
    ["each.value", "each/value"],
    ["metadata.run_id", "metadata/run_id"],
    ["keys(inputs)", "keys(inputs)"],
  ])("%s leads to %s", (source, expected) => {
    expect(shape(parse(source))).toBe(expected);
  });

  test("a quoted string may hold expressions with quotes and braces of their own", () => {
    expect(shape(parse(`'a \${inputs['b']} c \${'}'} $\${d}'`))).toBe('text(a |inputs/b| c |"}"| ${d})');
    expect(shape(parse("'${inputs.env}' == 'x'"))).toBe('(== text(inputs/env) "x")');
  });
});

test("spans are offsets into the text, parentheses included in what they belong to", () => {
  const source = "  (inputs.a + 1) * '${inputs.b}'";
  const node = parse(source);
  if (node.kind !== "arithmetic" || node.right.kind !== "text") throw new Error("another tree");
  const part = node.right.template.parts[0];
  if (typeof part !== "object") throw new Error("another part");
  const slice = (span: { start: number; end: number }): string => source.slice(span.start, span.end);
  expect(slice(node)).toBe("(inputs.a + 1) * '${inputs.b}'");
  expect(slice(node.left)).toBe("inputs.a + 1");
  expect(slice(part)).toBe("${inputs.b}");
  expect(slice(part.expression)).toBe("inputs.b");
});

describe("slips are named, with what to write instead", () => {
  test.each([
    ["${inputs.env} == production", "unknown-root", /without quotes/, /Quote it if it is text: 'production'/],
    ["input.name", "unknown-root", /no 'input'/, /Did you mean 'inputs'/],
    ["HOME", "unknown-root", /'HOME'/, /Quote it.*environment can't be read in expressions; use \$HOME in a command/],
    [
      "env.HOME",
      "unknown-root",
      /no 'env'/,
      /^The environment can't be read in expressions; use \$HOME in a command\.$/,
    ],
    [
      "a.succeeded",
      "unknown-root",
      /no 'a' to read/,
      /^For a block write blocks\.a\.succeeded\. Known: inputs, metadata,/,
    ],
    ["steps.a.outputs.x", "unknown-root", /no 'steps'/, /^Write blocks\.a for steps\.a\.$/],
    ["params.x", "unknown-root", /no 'params'/, /^Write inputs\.x for params\.x\.$/],
    ["yes", "unknown-root", /'yes'/, /^Write true, or leave the condition out/],
    ["on", "unknown-root", /'on'/, /^Write true, or leave the condition out/],
    ["always", "unknown-root", /'always'/, /^Write true, or leave the condition out/],
    ["inputs.x == yes", "unknown-root", /'yes'/, /^Quote it if it is text: 'yes'\.$/],
    ["inputs.x == TRUE", "unknown-root", /'TRUE'/, /^Write true\.$/],
    ["always()", "unknown-function", /always\(\)/, /under `finally:` of the workflow, without a condition\.$/],
    [
      "failure()",
      "unknown-function",
      /failure\(\)/,
      /^Use \$\{blocks\.ID\.failed\} .*`condition: \$\{run\.status\} == 'failure'`\.$/,
    ],
    ["success()", "unknown-function", /success\(\)/, /^Use \$\{blocks\.ID\.succeeded\}\.$/],
    ["map(inputs.x, 'a')", "unknown-function", /map\(\)/, /^Use pluck\(list, 'path'\)/],
    ["filter(inputs.x)", "unknown-function", /filter\(\)/, /^Use where\(list, 'path', value\)/],
    ["reduce(inputs.x)", "unknown-function", /reduce\(\)/, /^Use sum\(list\)/],
    ["now()", "unknown-function", /now\(\)/, /metadata\.start_time/],
    ["parse_json(inputs.x)", "unknown-function", /parse_json\(\)/, /^Use from_json\(\)\.$/],
    ["frobnicate(1)", "unknown-function", /frobnicate\(\)/, /^Known: default, .*regex_match.*\.$/],
    ["length(inputs.x)", "unknown-function", /length\(\)/, /^Use len\(\)\.$/],
    ["inputs.a = 1", "unknown-operator", /'='/, /Use ==/],
    ["inputs.a => 1", "unknown-operator", /'=>'/, /Use >=/],
    ["inputs.a =< 1", "unknown-operator", /'=<'/, /Use <=/],
    ["inputs.a =! 1", "unknown-operator", /'=!'/, /Use !=/],
    ["inputs.a === 1", "unknown-operator", /'==='/, /Use ==/],
    ["inputs.a !== 1", "unknown-operator", /'!=='/, /Use !=/],
    ["inputs.a && inputs.b", "unknown-operator", /'&&'/, /Use and/],
    ["inputs.a || inputs.b", "unknown-operator", /'\|\|'/, /Use or/],
    ["!inputs.a", "unknown-operator", /'!'/, /Use not/],
    ["inputs.a is null", "unknown-operator", /'is'/, /==/],
    ["inputs.a ? 1 : 2", "unknown-operator", /'\?'/, /if condition else/],
    ["inputs.a ?? 1", "unknown-operator", /'\?\?'/, /default\(a, b\)/],
    ["inputs.a:-1", "unknown-operator", /':-'/, /default\(a, b\)/],
    ["inputs.a | default(1)", "filter", /Filters/, /function/],
    ["'abc", "unterminated-string", /never ends/, /closing '/],
    ["${inputs.a", "missing-brace", /never closed/, /\}/],
    ["'a ${inputs.a", "missing-brace", /never closed/, /\}/],
    ["lne('a')", "unknown-function", /lne\(\)/, /Did you mean 'len'/],
    ["len()", "wrong-argument-count", /0 arguments/, /len\(value\)/],
    ["lower('a', 'b')", "wrong-argument-count", /2 arguments/, /lower\(text\)/],
    ["inputs.my-name", "hyphen-in-name", /hyphen/, /\['my-name'\]/],
    [
      "blocks.my-block.outputs.x",
      "hyphen-in-name",
      /hyphen/,
      /^Ids of blocks have no hyphens: write blocks\.my_block\.$/,
    ],
    ["blocks.my-long-id.stdout", "hyphen-in-name", /'my-long-id'/, /blocks\.my_long_id/],
    ["inputs.items.0", "invalid-step", /number/, /\[0\]/],
    ["inputs.name.lower()", "method-call", /no methods/, /lower\(inputs\.name\)/],
    ["inputs.name.startswith('a')", "method-call", /no methods/, /: startswith\(inputs\.name, 'a'\)\.$/],
    [
      "inputs.name.replaceAll('a', inputs.b)",
      "method-call",
      /no methods/,
      /: replace\(inputs\.name, 'a', inputs\.b\)\.$/,
    ],
    ["inputs.name.toUpperCase()", "method-call", /no methods/, /: upper\(inputs\.name\)\.$/],
    ["inputs.name.frobnicate(1)", "method-call", /no methods/, /^Use a function, such as/],
    ["blocks[inputs.x].succeeded", "dynamic-block", /before the run/, /blocks\.name/],
    ["blocks", "dynamic-block", /before the run/, /blocks\.name/],
    ["secrets[inputs.x]", "dynamic-secret", /before the run/, /secrets\.name/],
    ["json(secrets)", "dynamic-secret", /before the run/, /secrets\.name/],
    ["5m", "invalid-number", /5m/, /Quote/],
    ["0644", "invalid-number", /0644/, /Quote/],
    ["“a”", "unexpected-symbol", /typographic/, /'/],
    ["{{ inputs.a }}", "unexpected-symbol", /'\{'/, /\$\{inputs\.name\}/],
    ["${inputs.a}.b", "unexpected-symbol", /Only a path/, /inside/],
    ["1 == not true", "unexpected-symbol", /'not'/, /parentheses/],
  ])("%s", (source, code, message, fix) => {
    const found = problem(source);
    expect(found).toMatchObject({ code, message: expect.stringMatching(message), fix: expect.stringMatching(fix) });
    expect(found.end).toBeLessThanOrEqual(source.length);
  });

  test.each(["", "  ", "1 +", "(1", "[1,", "1 2", "inputs.", "inputs[", "a.b c", "1 ==", ")", "'a' 'b'", "\u00a01"])(
    "'%s' is a problem with a message",
    (source) => {
      expect(problem(source).message.length).toBeGreaterThan(10);
    },
  );
});

describe("limits are problems, never an overflow", () => {
  const deep = (open: string, close: string, times: number): string => `${open.repeat(times)}1${close.repeat(times)}`;

  test("text of 20,000 characters is read, one more is not", () => {
    expect(parseExpression(`'${"a".repeat(19_998)}'`).ok).toBe(true);
    expect(problem(`'${"a".repeat(19_999)}'`).code).toBe("expression-too-long");
  });

  test.each([
    ["(", ")"],
    ["[", "]"],
    ["${", "}"],
    ["-", ""],
    ["not ", ""],
    ["'${", "}'"],
    ["inputs[", "]"],
    ["lower(", ")"],
    ["1 if true else ", ""],
  ])("%s nests 99 deep and not 200", (open, close) => {
    expect(parseExpression(deep(open, close, 99)).ok).toBe(true);
    expect(problem(deep(open, close, 200)).code).toBe("expression-too-deep");
    expect(problem(deep(open, close, Math.floor(19_000 / (open + close).length))).code).toBe("expression-too-deep");
  });

  test.each(["+", " and ", " or ", "*"])("a chain of %s ends before it is too high to walk", (operator) => {
    expect(parseExpression(Array(400).fill("1").join(operator)).ok).toBe(true);
    expect(problem(Array(3_000).fill("1").join(operator)).code).toBe("expression-too-deep");
  });
});

test("the tokenizer keeps what it does not know for the parser to explain", () => {
  const tokens = tokenize("a @ 1.5 'x'");
  if (!tokens.ok) throw new Error(tokens.error.message);
  expect(tokens.value.map((token) => token.kind)).toEqual(["word", "symbol", "number", "string", "end"]);
  expect(tokens.value.at(-1)).toEqual({ kind: "end", start: 11, end: 11 });
});

describe("problems that do not follow from each other are all found", () => {
  test.each([
    ["inputs.a && inputs.b === 1", ["unknown-operator", "unknown-operator"]],
    ["inputs.a => 1 || !inputs.b", ["unknown-operator", "unknown-operator", "unknown-operator"]],
    ["size2(inputs.a) > steps.x.y", ["unknown-function", "unknown-root"]],
    ["len() == inputs.a.upper()", ["wrong-argument-count", "method-call"]],
    ["nope(other(inputs.a))", ["unknown-function", "unknown-function"]],
    ["inputs.a == prod and inputs.b == '${word}'", ["unknown-root", "unknown-root"]],
    // What can't be read any further after a problem is most likely an echo of it.
    ["two words", ["unknown-root"]],
    ["a b && c", ["unknown-root"]],
  ])("%s", (source, expected) => {
    const { others = [], ...first } = problem(source);
    expect([first, ...others].map(({ code }) => code)).toEqual(expected);
  });

  test("what could be read is given, with what is meant by operators of other languages", () => {
    const { recovered } = problem("inputs.a => 1 && nope(blocks.b.x)");
    expect(recovered && shape(recovered)).toBe("(and (>= inputs/a 1) (blocks/b/x))");
    expect(problem("inputs.a => 1 inputs.b").recovered).toBeUndefined();
  });
});
