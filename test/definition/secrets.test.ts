import { describe, expect, test } from "vitest";
import { secretsOf } from "../../src/library/needed-secrets.ts";
import { check, codes, onlyProblem, planned, workflow } from "./check.ts";

const secretInput = "inputs: { token: { type: string, description: d, secret: true } }\n";
const both = ["secrets.KEY", "inputs.token"] as const;

function shell(inputs: string, more = ""): string {
  return workflow(`- { id: a, type: Shell, inputs: { ${inputs} }${more} }`, secretInput);
}

describe.each(both)("%s", (secret) => {
  test.each([
    ["in a command", shell(`command: 'echo "\${${secret}}"'`)],
    ["in arguments", shell(`args: [echo, "Bearer \${${secret}}"]`)],
    ["in the environment", shell(`command: 'true', env: { A: "\${${secret}}" }`)],
    ["in standard input", shell(`command: cat, stdin: "a \${${secret}} b"`)],
    ["in headers", http(`headers: { authorization: "Bearer \${${secret}}" }`)],
    ["deep in JSON", http(`method: POST, json: { a: [{ b: "\${${secret}}" }] }`)],
    ["in a body", http(`method: POST, body: "\${${secret}}"`)],
  ])("may stand %s", (_where, text) => {
    expect(check(text).problems).toEqual([]);
    expect(planned(text).blocks[0]?.readsSecrets).toBe(true);
  });

  function http(inputs: string): string {
    return workflow(`- { id: a, type: HttpCall, inputs: { url: "https://x.test", ${inputs} } }`, secretInput);
  }

  test.each([
    ["a question", workflow(`- { id: a, type: Prompt, inputs: { prompt: "\${${secret}}?" } }`, secretInput)],
    [
      "the choices of a question",
      workflow(`- { id: a, type: Prompt, inputs: { prompt: x, choices: ["\${${secret}}"] } }`, secretInput),
    ],
    ["a condition", shell("command: 'true'", `, condition: "\${${secret}} == 'x'"`)],
    ["a loop", shell("command: 'true'", `, for_each: ["\${${secret}}"]`)],
    ["the number of attempts", shell("command: 'true'", `, retry: { attempts: "\${int(${secret})}" }`)],
    ["the delay of a retry", shell("command: 'true'", `, retry: { attempts: 2, delay: "\${${secret}}" }`)],
    ["the longest delay of a retry", shell("command: 'true'", `, retry: { attempts: 2, max_delay: "\${${secret}}" }`)],
    ["a file that is expected", shell("command: 'true'", `, expect: { file_exists: "\${${secret}}" }`)],
    ["an expectation", shell("command: 'true'", `, expect: { condition: "\${${secret}} == this.stdout" }`)],
    ["the number of passes", shell("command: 'true'", `, repeat: { max: "\${int(${secret})}" }`)],
    ["the end of a repetition", shell("command: 'true'", `, repeat: { max: 2, until: "\${${secret}} == 'x'" }`)],
    ["the delay of a repetition", shell("command: 'true'", `, repeat: { max: 2, delay: "\${${secret}}" }`)],
    ["a time limit", shell("command: 'true'", `, timeout: "\${${secret}}"`)],
    ["a working directory", shell(`command: 'true', working_dir: "\${${secret}}"`)],
    ["the choice of a shell", shell(`command: 'true', shell: "\${${secret}}"`)],
    ["the path of a file output", shell("command: 'true'", `, outputs: { f: { path: "\${${secret}}" } }`)],
    ["an address", http(`method: GET`).replace("https://x.test", `https://x.test/\${${secret}}`)],
    ["a query", http(`query: { key: "\${${secret}}" }`)],
    ["the name of a file", workflow(`- { id: a, type: ReadFile, inputs: { path: "\${${secret}}" } }`, secretInput)],
    [
      "the content of a file",
      workflow(`- { id: a, type: CreateFile, inputs: { path: x, content: "\${${secret}}" } }`, secretInput),
    ],
    [
      "a template",
      workflow(
        `- { id: a, type: RenderTemplate, inputs: { template: x, variables: { a: "\${${secret}}" } } }`,
        secretInput,
      ),
    ],
    ["state", workflow(`- { id: a, type: WriteJSONState, inputs: { path: x, data: "\${${secret}}" } }`, secretInput)],
    [
      "the name of a workflow",
      workflow(`- { id: a, type: Workflow, inputs: { workflow: "\${${secret}}" } }`, secretInput),
    ],
    ["an output of the workflow", `${shell("command: 'true'")}outputs: { x: "\${${secret}}" }\n`],
    ["an output that asks a question", `${shell("command: 'true'")}outputs: { x: "\${${secret}} == 'a'" }\n`],
  ])("may not stand in %s", (_where, text) => {
    expect(onlyProblem(text)).toMatchObject({ code: "secret-not-allowed", level: "error", marked: secret });
  });

  test.each([
    `\${upper(${secret})}`,
    `\${${secret} + 'x'}`,
    `\${'Bearer \${${secret}}'}`,
    `\${default(${secret}, 'x')}`,
    `\${1 if ${secret} == 'x' else 2}`,
    `\${[${secret}]}`,
  ])("can't be computed with: %s", (text) => {
    expect(onlyProblem(shell(`command: 'true', env: { A: "${text}" }`))).toMatchObject({
      code: "secret-in-expression",
      marked: secret,
      fix: `Write \${${secret}} by itself; text may stand around it.`,
    });
  });
});

test("a message says where a secret can be in the same block", () => {
  expect(onlyProblem(shell('command: "true", working_dir: "${secrets.KEY}"'))).toMatchObject({
    message: "A secret can't be in 'inputs.working_dir' of a block of type Shell.",
    fix: "In a block of type Shell it can be in command, args, env, stdin.",
  });
});

test.each([
  ["secrets.key", "Write ${secrets.KEY} and set FROND_SECRET_KEY."],
  ["secrets['my-key']", "Write ${secrets.MY_KEY} and set FROND_SECRET_MY_KEY."],
  ["secrets['1']", "Write ${secrets.API_KEY}."],
])("the name of a secret is written in capitals: %s", (path, fix) => {
  const text = shell(`command: 'true', env: { A: "\${${path}}" }`);
  expect(onlyProblem(text)).toMatchObject({ code: "bad-name", fix });
});

test("there is nothing inside a secret", () => {
  expect(codes(shell('command: "true", env: { A: "${secrets.KEY.part}" }'))).toEqual(["secret-in-expression"]);
  expect(codes(shell('command: "true", env: { A: "${inputs.token[0]}" }'))).toContain("secret-in-expression");
});

test("which input is read can't be computed where one is secret", () => {
  const text = shell("command: 'true', env: { A: \"${inputs[metadata.run_id]}\" }");
  expect(onlyProblem(text)).toMatchObject({ code: "computed-input", marked: "inputs[metadata.run_id]" });
  expect(codes(text.replace(", secret: true", ""))).toEqual([]);
});

test("the plain text of a reference in an output is no hint at reading a secret", () => {
  const text = `${shell("command: 'true'")}outputs: { x: secrets.KEY }\n`;
  expect(check(text).problems).toEqual([]);
});

describe("an input that is secret", () => {
  const declared = (keys: string): string =>
    workflow(
      "- { id: a, type: Shell, inputs: { command: 'true' } }",
      `inputs: { x: { description: d, secret: true, ${keys} } }\n`,
    );

  test.each([
    ["type: integer", "wrong-type"],
    ["type: string, default: abc", "secret-in-file"],
    ["type: string, enum: [a, b]", "secret-in-file"],
  ])("has %s: refused", (keys, code) => {
    expect(onlyProblem(declared(keys))).toMatchObject({ code, level: "error" });
  });

  test("may be optional, and one that says secret: false is none", () => {
    expect(planned(declared("type: string, required: false")).definition.inputs.get("x")?.secret).toBe(true);
    const open = declared("type: string, default: a").replace("secret: true", "secret: false");
    expect(planned(open).definition.inputs.get("x")).not.toHaveProperty("secret");
  });
});

describe("a call", () => {
  const child = workflow(
    "- { id: a, type: Shell, inputs: { command: 'true', env: { T: '${inputs.token}' } } }",
    "inputs: { token: { type: string, description: d, secret: true }, plain: { type: string, description: d, default: '' } }\n",
  ).replace("name: flow", "name: child");
  const call = (inputs: string): string =>
    workflow(`- { id: a, type: Workflow, inputs: { workflow: child, inputs: ${inputs} } }`, secretInput);

  test.each(both)("hands %s to an input that is declared for secrets", (secret) => {
    expect(check(call(`{ token: "\${${secret}}" }`), { child }).problems).toEqual([]);
  });

  test.each([
    ['{ token: "${secrets.KEY}", plain: "${secrets.KEY}" }', "secret-not-allowed", '"${secrets.KEY}"'],
    ["{ token: plain text }", "secret-needed", "plain text"],
    ['{ token: "${metadata.run_id}" }', "secret-needed", '"${metadata.run_id}"'],
    ['{ token: "Bearer ${secrets.KEY}" }', "secret-needed", '"Bearer ${secrets.KEY}"'],
    ['{ token: ["${secrets.KEY}"] }', "secret-needed", '["${secrets.KEY}"]'],
    ['"${from_json(metadata.run_id)}"', "secret-needed", '"${from_json(metadata.run_id)}"'],
  ])("hands over nothing else there, and no secret anywhere else: %s", (inputs, code, marked) => {
    const { problems } = check(call(inputs), { child });
    expect(problems.map((problem) => [problem.code, problem.marked])).toContainEqual([code, marked]);
  });

  test("hands a secret to a workflow that is not known yet only as a whole", () => {
    const errors = (inputs: string): string[] => codes(call(inputs).replace("workflow: child", "workflow: unknown"));
    expect(errors('{ x: "${secrets.KEY}" }')).toEqual([]);
    expect(errors('{ x: "a ${secrets.KEY}" }')).toEqual(["secret-not-allowed"]);
    expect(errors('{ x: { y: "${secrets.KEY}" } }')).toEqual(["secret-not-allowed"]);
  });

  test("tells which secrets are used, through everything it calls", () => {
    const find = (name: string) =>
      name === "child" ? planned(child.replace("'true'", "'echo ${secrets.DEEP}'")).definition : undefined;
    expect(secretsOf(planned(call('{ token: "${secrets.KEY}" }'), { child }).definition, find)).toEqual([
      "DEEP",
      "KEY",
    ]);
  });
});
