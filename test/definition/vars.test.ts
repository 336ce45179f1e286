import { expect, test } from "vitest";
import { check, codes, onlyProblem, planned, shell, workflow } from "./check.ts";

const inputs = "inputs: { app: { type: string, description: d, default: web } }\n";

function withVars(vars: string, blocks: string, more = ""): string {
  return workflow(blocks, `${inputs}${more}vars:\n${vars.replaceAll(/^(?=.)/gm, "  ")}\n`);
}

const echo = (id: string, read: string, more = ""): string =>
  `- { id: ${id}, type: Shell, inputs: { command: 'echo "$\{${read}}"' }${more} }\n`;

function edgesOf(text: string, id: string): readonly { readonly on: string; readonly required: boolean }[] {
  const plan = planned(text);
  const block = plan.blocks.find(({ definition }) => definition.id === id);
  return (block?.edges ?? []).map(({ on, required }) => ({ on: plan.blocks[on]?.definition.id ?? "", required }));
}

test("reading a var adds the edges of what it reads", () => {
  const vars = 'version: "${from_json(blocks.meta.stdout).version}"\ntag: "v${vars.version}"';
  const text = withVars(vars, shell("meta") + echo("show", "vars.tag"));
  expect(edgesOf(text, "show")).toEqual([{ on: "meta", required: true }]);
});

test("a var that mentions a block's state makes the condition decide", () => {
  const vars = 'ok: "${blocks.meta.succeeded}"';
  const text = withVars(
    vars,
    shell("meta") + echo("show", "vars.ok", ", condition: 'not ${vars.ok}', depends_on: [meta]"),
  );
  const plan = planned(text);
  expect(plan.blocks[1]?.edges).toMatchObject([{ on: 0, conditionDecides: true }]);
  expect(edgesOf(withVars(vars, shell("meta") + echo("show", "vars.ok")), "show")).toEqual([
    { on: "meta", required: false },
  ]);
});

test("a var is checked where it is written, once, whatever reads it", () => {
  const text = withVars('bad: "${blocks.nope.stdout}"', echo("a", "vars.bad") + echo("b", "vars.bad"));
  expect(onlyProblem(text)).toMatchObject({ code: "unknown-block", line: 5, marked: "blocks.nope.stdout" });
  const typed = withVars('bad: "${inputs.app - 1}"', echo("a", "vars.bad"));
  expect(onlyProblem(typed)).toMatchObject({ code: "wrong-type", line: 5, marked: "inputs.app" });
});

test("what is wrong only where a var is read points at the var and names the use", () => {
  const itself = withVars('out: "${blocks.a.stdout}"', echo("a", "vars.out"));
  const problem = onlyProblem(itself);
  expect(problem).toMatchObject({ code: "self-reference", marked: "blocks.a.stdout", line: 5 });
  expect(problem.why).toBe("inputs.command of block 'a' reads it as vars.out.");
  const secret = withVars(
    'key: "${secrets.KEY}"',
    "- { id: p, type: Prompt, inputs: { prompt: 'Is ${vars.key} it?' } }\n",
  );
  expect(onlyProblem(secret)).toMatchObject({ code: "secret-not-allowed", marked: "secrets.KEY" });
});

test("a secret in a var, also with text around it, may stand where the secret may", () => {
  const vars = 'key: "${secrets.KEY}"\nauth: "Bearer ${vars.key}"';
  const env =
    "- { id: a, type: Shell, inputs: { command: 'true', env: { KEY: '${vars.key}', AUTH: '${vars.auth}' } } }\n";
  expect(codes(withVars(vars, env))).toEqual([]);
  expect(planned(withVars(vars, env)).blocks[0]?.readsSecrets).toBe(true);
});

test("types of vars are known where they are read", () => {
  const vars = 'count: "${len(inputs.app)}"\nsmall: "${vars.count} < 3"';
  expect(
    codes(withVars(vars, echo("a", "vars.count", ", condition: '${vars.count}'") + echo("b", "vars.small"))),
  ).toEqual(["wrong-type"]);
  expect(codes(withVars(vars, echo("a", "vars.count", ", condition: '${vars.small}'")))).toEqual([]);
});

test("an unknown var is named with the one that is meant", () => {
  const problem = onlyProblem(withVars("version: '1'", echo("a", "vars.verion") + echo("b", "vars.version")));
  expect(problem).toMatchObject({
    code: "unknown-var",
    message: "The workflow has no var 'verion'.",
    marked: "vars.verion",
  });
  expect(problem.fix).toContain("version");
  expect(codes(workflow(echo("a", "vars.x")))).toEqual(["unknown-var"]);
});

test("vars that read each other are refused with the path that closes", () => {
  const problem = onlyProblem(
    withVars('a: "${vars.b}"\nb: "x-${vars.c}"\nc: "${vars.a}"', echo("show", "vars.a") + echo("again", "vars.c")),
  );
  expect(problem).toMatchObject({ code: "var-cycle", marked: "vars.a", line: 7 });
  expect(problem.message).toBe("The vars read each other: vars.a -> vars.b -> vars.c -> vars.a.");
  expect(onlyProblem(withVars('a: "${vars.a}"', echo("show", "vars.a"))).message).toBe("vars.a reads itself.");
});

test("a var can't read what belongs to one block", () => {
  for (const root of ["each.value", "this.stdout", "run.status"]) {
    const problem = onlyProblem(withVars(`v: "$\{${root}}"`, echo("a", "vars.v", ", for_each: [1]")));
    expect(problem).toMatchObject({ code: "reference-not-allowed", marked: root });
  }
});

test("metadata.attempt in a var is judged where the var is read", () => {
  const vars = 'nth: "${metadata.attempt}"';
  expect(codes(withVars(vars, echo("a", "vars.nth")))).toEqual([]);
  expect(codes(withVars(vars, echo("a", "inputs.app", ", condition: '${vars.nth} == 1'")))).toEqual([
    "attempt-elsewhere",
  ]);
});

test("a var that nothing reads is a hint", () => {
  expect(onlyProblem(withVars("spare: 1", shell("a")))).toMatchObject({
    code: "unused-var",
    level: "hint",
    marked: "spare",
  });
});

test("vars without a value of the run are plain values", () => {
  const { definition } = check(
    withVars(
      "child: other\nlimit: 30\nname: my-${vars.child}",
      "- { id: a, type: ExecuteWorkflow, inputs: { workflow: '${vars.name}' }, timeout: '${vars.limit}' }\n",
    ),
  );
  expect(definition?.blocks[0]?.inputs.get("workflow")?.value).toMatchObject({ kind: "literal", value: "my-other" });
  expect(definition?.blocks[0]?.timeout?.value).toMatchObject({ kind: "literal", value: 30 });
});

test("steps lead on from what a var stands for, and nowhere from a text", () => {
  const vars = 'meta: "${from_json(blocks.m.stdout)}"\nm: "${blocks.m}"\nlist: [a, "${inputs.app}"]\nword: text';
  const read = (path: string): string[] => codes(withVars(vars, shell("m") + echo("a", path)));
  expect(read("vars.meta.version[0]")).toEqual([]);
  expect(read("vars.m.stdout")).toEqual([]);
  expect(read("vars.m.nothing")).toEqual(["unknown-output"]);
  expect(read("vars.list[1]")).toEqual([]);
  expect(read("vars.word.length")).toEqual(["nothing-inside"]);
  expect(read("vars.meta.__proto__")).toEqual(["refused-name"]);
});

test("a map and a bad name are refused under vars", () => {
  expect(codes(withVars("m: { a: 1 }", echo("a", "vars.m")))).toEqual(["wrong-type"]);
  expect(codes(withVars("my-var: 1", shell("a")))).toEqual(["bad-name"]);
  expect(codes(workflow(shell("a"), "vars: [a]\n"))).toEqual(["wrong-type"]);
});

test("a text that looks like a reference is a warning", () => {
  const text = withVars("app: inputs.app", echo("a", "vars.app"));
  expect(codes(text, "warning")).toEqual(["text-not-value"]);
});

test("vars that grow exponentially are refused at once", () => {
  const vars = Array.from({ length: 40 }, (_, n) =>
    n === 0 ? 'v0: "${inputs.app}"' : `v${n}: "$\{[vars.v${n - 1}, vars.v${n - 1}]}"`,
  );
  const problem = onlyProblem(withVars(vars.reverse().join("\n"), echo("a", "vars.v39")));
  expect(problem.code).toBe("expression-too-long");
  expect(problem.message).toContain("more than 10000 parts");
});

test("a file whose vars are long and read often is refused", () => {
  const long = `long: [${Array.from({ length: 5_000 }, (_, n) => n).join(", ")}]`;
  const read = (n: number): string =>
    `- { id: b${n}, type: Prompt, inputs: { prompt: '$\{len(vars.long) + ${n}}' } }\n`;
  const reads = Array.from({ length: 200 }, (_, n) => read(n)).join("");
  const { problems } = check(withVars(long, reads));
  expect(problems.map(({ message }) => message).find((message) => message.includes("too long"))).toContain(
    "of this file",
  );
});

test("a long chain of vars is refused in whatever order they stand", () => {
  const chain = Array.from({ length: 200 }, (_, n) => `v${n}: "$\{${n === 0 ? "inputs.app" : `vars.v${n - 1}`}}"`);
  for (const vars of [chain, chain.toReversed()]) {
    expect(codes(withVars(vars.join("\n"), echo("a", "vars.v199")))).toContain("expression-too-deep");
  }
});

test("a default reads vars only as far as they read metadata", () => {
  const declared = (read: string): string =>
    workflow(
      echo("a", "inputs.x"),
      `inputs: { x: { type: string, description: d, default: "$\{vars.${read}}" } }\nvars: { run: "$\{metadata.run_id}", x: "$\{inputs.x}" }\n`,
    );
  expect(codes(declared("run"))).toEqual([]);
  expect(codes(declared("x"))).toEqual(["reference-not-allowed"]);
});

test("an array of bash named vars stays the shell's", () => {
  expect(codes(workflow("- { id: a, type: Shell, inputs: { command: 'vars=(1 2); echo \"${vars[0]}\"' } }\n"))).toEqual(
    [],
  );
});

test("a shell command judges a var by what it stands for", () => {
  const declared = "inputs: { n: { type: integer, description: d }, v: { type: string, description: d } }\n";
  const vars = 'vars: { n: "${inputs.n}", next: "${inputs.n + 1}", v: "${inputs.v}", fixed: 8080 }\n';
  const run = (command: string): string[] =>
    codes(workflow(`- { id: a, type: Shell, inputs: { command: '${command}' } }\n`, `${declared}${vars}`));
  expect(run("echo $(( ${vars.n} + ${vars.next} ))")).toEqual([]);
  expect(run("[[ ${vars.fixed} -lt 5 ]]")).toEqual([]);
  expect(run("[[ ${vars.v} -lt 5 ]]")).not.toEqual([]);
  expect(run('eval "${vars.v}"')).not.toEqual([]);
  expect(run('sh -c "echo ${vars.v}"')).not.toEqual([]);
  expect(run('echo "${vars.v}"')).toEqual([]);
});
