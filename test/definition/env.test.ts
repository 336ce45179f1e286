import { expect, test } from "vitest";
import { describeWorkflow } from "../../src/library/describe-workflow.ts";
import { codes, onlyProblem, planned, workflow } from "./check.ts";

const inputs = "inputs: { v: { type: string, description: d }, more: { type: object, description: d } }\n";

function withEnv(env: string, blocks: string): string {
  return workflow(blocks, `${inputs}env: ${env}\n`);
}

const run = (command: string, more = ""): string =>
  `- { id: a, type: Shell, inputs: { command: '${command}'${more} } }\n`;

test("a variable of the workflow is judged like one of the block", () => {
  expect(codes(withEnv('{ BASH_ENV: "${inputs.v}" }', run("ls")))).toEqual(["value-in-code"]);
  expect(codes(withEnv('{ BASH_ENV: "/etc/profile" }', run("ls")))).toEqual([]);
  expect(codes(withEnv('{ SCRIPT: "${inputs.v}" }', run('eval "$SCRIPT"')))).not.toEqual([]);
  expect(codes(withEnv('{ SCRIPT: "${inputs.v}" }', run('echo "$SCRIPT"')))).toEqual([]);
  expect(codes(withEnv('{ PATH: "${inputs.v}" }', run("ls")), "warning")).toHaveLength(1);
  expect(codes(withEnv('{ BASH_ENV: "${inputs.v}" }', run("ls", ", unsafe: true")))).toEqual([]);
});

test("a variable that the block gives itself is not looked at for the workflow's", () => {
  expect(codes(withEnv('{ BASH_ENV: "${inputs.v}" }', run("ls", ", env: { BASH_ENV: /dev/null }")))).toEqual([]);
});

test("a mistake in the env of a workflow is told once", () => {
  const text = withEnv('{ A: "${inputs.nope}" }', run("ls") + run("ls").replace("id: a", "id: b"));
  expect(onlyProblem(text)).toMatchObject({ code: "unknown-input", marked: "inputs.nope" });
});

test("the env of a workflow reads inputs, metadata, secrets and vars of these", () => {
  const text = (read: string): string =>
    `${withEnv(`{ A: "$\{${read}}" }`, run("ls"))}vars: { name: "$\{lower(inputs.v)}", out: "$\{blocks.a.stdout}" }\n`;
  expect(codes(text("vars.name"))).toEqual([]);
  expect(codes(text("metadata.run_id"))).toEqual([]);
  expect(codes(text("secrets.KEY"))).toEqual([]);
  for (const read of ["blocks.a.stdout", "vars.out", "each.value"]) {
    expect(codes(text(read))).toEqual(["reference-not-allowed"]);
  }
});

test("an env that is no map of texts is refused", () => {
  expect(codes(withEnv("[A]", run("ls")))).toEqual(["wrong-type"]);
  expect(codes(withEnv("{ A: [1] }", run("ls")))).toEqual(["wrong-type"]);
  expect(codes(withEnv("{ 'A=B': x }", run("ls")))).toEqual(["bad-name"]);
  const whole = run("ls", ', env: "${inputs.more}", unsafe: true');
  expect(codes(withEnv("{ A: x }", whole))).toEqual(["env-not-joined"]);
});

test("the env of a workflow is shown as it is written, a secret by its reference", () => {
  const plan = planned(withEnv('{ CI: 1, KEY: "${secrets.KEY}" }', run("ls")));
  expect(describeWorkflow(plan, () => undefined).env).toEqual({ CI: 1, KEY: "${secrets.KEY}" });
});
