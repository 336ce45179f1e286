import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";

const types = ["string", "integer", "number", "boolean", "array", "object", "json"];
const inputs = Object.fromEntries(types.map((type) => [type, { type, description: `A ${type}`, required: false }]));
const take = workflow("take", [shell("nothing", "true")], {
  inputs: { ...inputs, colour: { type: "string", description: "Which", enum: ["red", "green"], default: "red" } },
  outputs: { all: { value: "${inputs}" } },
});
const nothing = { ...Object.fromEntries(types.map((type) => [type, null])), colour: "red" };

test.each([
  ["string=5", { string: "5" }],
  ["string=a=b = c", { string: "a=b = c" }],
  ["string=", { string: "" }],
  ["string=${inputs.number}", { string: "${inputs.number}" }],
  ["integer=-12", { integer: -12 }],
  ["number=2.5e3", { number: 2500 }],
  ["boolean=true", { boolean: true }],
  ["boolean=no", { boolean: false }],
  ['array=["a", 1, null]', { array: ["a", 1, null] }],
  ['object={"a": {"b": []}}', { object: { a: { b: [] } } }],
  ["json=[1]", { json: [1] }],
  ["json=plain words", { json: "plain words" }],
  ["colour=green", { colour: "green" }],
])("--input %s is read as the declared type", async (pair, expected) => {
  const frond = createFrond({ "take.yaml": take });
  const { code, reply } = await frond.json(["run", "take.yaml", "--input", pair]);
  expect(code).toBe(0);
  expect(reply).toMatchObject({ outputs: { all: { ...nothing, ...expected } } });
});

test("everything that is wrong with the inputs is told at once, with what to write instead", async () => {
  const frond = createFrond({ "take.yaml": take });
  const pairs = ["string", "=x", "integer=1.5", "number=many", "boolean=maybe", "array=a,b", "object=[1]"];
  const args = pairs.flatMap((pair) => ["--input", pair]);
  const { code, stdout, stderr } = await frond.run(["run", "take.yaml", ...args, "--inputs", "missing.json"]);
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stderr.split("\n")).toEqual([
    "error: Input 'string' has no value: there is no '='. [bad-input]",
    "  fix: Write it like `--input name=value`.",
    "error: Input '=x' has no name: there is nothing before '='. [bad-input]",
    "  fix: Write it like `--input name=value`.",
    "error: Input 'integer': expected a whole number, got the text '1.5'. [wrong-type]",
    "  fix: Write it like `--input integer=3`.",
    "error: Input 'number': expected a number, got the text 'many'. [wrong-type]",
    "  fix: Write it like `--input number=2.5`.",
    "error: Input 'boolean': expected true or false, got the text 'maybe'. [wrong-type]",
    "  fix: Write it like `--input boolean=true`.",
    "error: Input 'array': expected a list written as JSON, got the text 'a,b'. [wrong-type]",
    `  fix: Write it like \`--input array='["a","b"]'\`.`,
    "error: Input 'object': expected a map, got a list of 1. [wrong-type]",
    `  fix: Write it like \`--input object='{"key":"value"}'\`.`,
    "error: There is no file 'missing.json'. [no-such-file]",
    "  fix: Give --inputs a JSON or YAML file that maps input names to values.",
    "",
  ]);
});

test("what can't be read of the inputs is told together with what does not fit", async () => {
  const limited = {
    count: { type: "integer", description: "How many", minimum: 1 },
    many: { type: "integer", description: "How many more", maximum: 3 },
    tag: { type: "string", description: "Which", pattern: "v[0-9]+" },
    absent: { type: "string", description: "What" },
  };
  const frond = createFrond({ "take.yaml": workflow("take", [shell("a", "true")], { inputs: limited }) });
  const { code, stderr } = await frond.run(["run", "take.yaml", "-i", "count=x", "-i", "many=4", "-i", "tag=1"]);
  expect(code).toBe(2);
  expect(stderr.split("\n").filter((line) => line.startsWith("error"))).toEqual([
    "error: Input 'count': expected a whole number, got the text 'x'. [wrong-type]",
    "error: Input 'many' can't be the number 4. [out-of-range]",
    "error: Input 'tag' can't be the text '1'. [no-match]",
    "error: The required input 'absent' (What) is missing. [missing-input]",
  ]);
  const { stdout } = await frond.run(["info", "take.yaml"]);
  expect(stdout).toContain("  count   integer  required  How many (of 1 or more)\n");
  expect(stdout).toContain("  tag     string   required  Which (matches 'v[0-9]+')\n");
  expect(stdout).toContain(
    "Run it: frond run take.yaml --input count=1 --input many=1 --input tag=TEXT --input absent=TEXT\n",
  );
});

test("unknown names, values outside the enum and missing inputs are told with what to do", async () => {
  const required = { name: { type: "string", description: "Whom to greet", required: true } };
  const frond = createFrond({
    "take.yaml": take,
    "need.yaml": workflow("need", [shell("a", "true")], { inputs: required }),
  });
  expect(await frond.json(["run", "take.yaml", "-i", "strng=1", "-i", "colour=gren"])).toEqual({
    code: 2,
    reply: {
      status: "failure",
      error: expect.stringMatching(/ \(and 1 more\)$/),
      errors: [
        {
          code: "unknown-input",
          level: "error",
          message: "The workflow 'take' has no input 'strng'.",
          fix: "Did you mean 'string'?",
        },
        {
          code: "not-in-enum",
          level: "error",
          message: "Input 'colour' can't be the text 'gren'.",
          fix: "Did you mean 'green'?",
        },
      ],
    },
  });
  expect((await frond.run(["run", "need.yaml"])).stderr).toBe(
    [
      "error: The required input 'name' (Whom to greet) is missing. [missing-input]",
      "  fix: Give it a text. Add --input name=VALUE, or put it into --inputs FILE.",
      "",
    ].join("\n"),
  );
});

test.each([
  ["inputs.json", '{"integer": 1, "string": "${not.an.expression}", "array": [1, {"a": null}]}'],
  ["inputs.yaml", 'integer: 1\nstring: "${not.an.expression}"\narray: [1, {a: null}]\n'],
])("--inputs %s is taken as it is, and --input wins over it", async (file, text) => {
  const frond = createFrond({ "take.yaml": take, [file]: text });
  const { reply } = await frond.json(["run", "take.yaml", "--inputs", file, "-i", "integer=3", "-i", "integer=2"]);
  expect(reply).toMatchObject({
    outputs: { all: { ...nothing, integer: 2, string: "${not.an.expression}", array: [1, { a: null }] } },
  });
});

test.each([
  ["a list", "[1, 2]", "bad-inputs-file", /is a list, not a map of input names to values/],
  ["no YAML", '{"a": ', "yaml-syntax", /not valid YAML/],
  ["a wrong type", '{"integer": "5"}', "wrong-type", /Input 'integer': expected a whole number, got the text '5'/],
])("an inputs file with %s is refused with the reason", async (_, text, code, message) => {
  const frond = createFrond({ "take.yaml": take, "inputs.json": text });
  const { code: exitCode, reply } = await frond.json(["run", "take.yaml", "--inputs", "inputs.json"]);
  expect(exitCode).toBe(2);
  expect(reply).toMatchObject({
    status: "failure",
    error: expect.stringMatching(message),
    errors: [{ code, level: "error", message: expect.stringMatching(message) }],
  });
});

test("a directory is no inputs file", async () => {
  const frond = createFrond({ "take.yaml": take });
  const { code, stderr } = await frond.run(["run", "take.yaml", "--inputs", "."]);
  expect(code).toBe(2);
  expect(stderr).toBe(
    "error: '.' is a directory. [not-a-file]\n" +
      "  fix: Give --inputs a JSON or YAML file that maps input names to values.\n",
  );
});

test("an input that can't be read does not hide what is wrong with the others", async () => {
  const inputs = {
    count: { type: "integer", required: true, description: "How many" },
    stage: { type: "string", enum: ["dev", "prod"], required: true, description: "Where" },
    who: { type: "string", required: true, description: "Who" },
  };
  const frond = createFrond({ "take.yaml": workflow("take", [shell("a", "true")], { inputs }), "in.json": "{" });
  const args = ["run", "take.yaml", "--input", "count=many", "--input", "stage=staging", "--input", "nope=1"];
  const codes = async (...more: string[]): Promise<readonly string[]> => {
    const { reply } = await frond.json([...args, ...more]);
    return (reply as { errors: { code: string }[] }).errors.map(({ code }) => code);
  };
  expect(await codes()).toEqual(["wrong-type", "unknown-input", "not-in-enum", "missing-input"]);
  // What is missing may be in a file that can't be read.
  expect(await codes("--inputs", "in.json")).toEqual(["wrong-type", "yaml-syntax", "unknown-input", "not-in-enum"]);
});

test("a file with inputs that is too large is refused, with what to do instead", async () => {
  const frond = createFrond();
  frond.write("large.json", JSON.stringify({ name: "x".repeat(2_100_000) }));
  const { code, stderr } = await frond.run(["run", "hello-world", "--inputs", "large.json"]);
  expect(code).toBe(2);
  expect(stderr).toContain("A file with inputs has a limit of 2 MB.");
  expect(stderr).toContain("fix: Write what is large into a file of the workspace, give its path as the input");
});
