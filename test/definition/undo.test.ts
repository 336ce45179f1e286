import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { check, onlyProblem, planned, shell, workflow } from "./check.ts";

function withUndo(undo: string, more = ""): string {
  return workflow(
    `- id: a\n  type: Shell\n  inputs: { command: make, env: { T: "\${secrets.TOKEN}", P: x } }\n  undo: ${undo}`,
    more,
  );
}

test("a block says how it is undone, by a block that is read like any other", () => {
  const text = workflow(
    [
      "- id: a",
      "  type: Shell",
      "  inputs: { command: ./reserve.sh }",
      "  outputs: { id: { type: str, path: id.txt } }",
      "  undo:",
      "    type: Shell",
      "    condition: ${block.attempt.outcome} != 'failure' # it never came so far",
      "    inputs:",
      '      command: ./release.sh "${block.outputs.id}" "${block.inputs.command}" ${block.attempt.number}',
      '      env: { TOKEN: "${secrets.TOKEN}" }',
      "    retry: 5",
    ].join("\n"),
  );
  const [a] = planned(text).definition.blocks;
  expect(a?.undo?.definition).toMatchObject({ id: "a", type: { type: "Shell" }, dependsOn: [] });
  expect(a?.undo?.text.split("\n")[1]).toBe("condition: ${block.attempt.outcome} != 'failure' # it never came so far");
  expect(parse(a?.undo?.text ?? "")).toEqual(parse(text).blocks[0].undo);
});

test("what undoes a block adds nothing to what it waits for", () => {
  const plan = planned(withUndo("{ type: Shell, inputs: { command: 'x ${block.outputs.stdout}' } }"));
  expect(plan.blocks[0]?.edges).toEqual([]);
});

describe("it reads the block that is undone, and secrets, and nothing else", () => {
  test.each([
    ["${inputs.x}", "reference-not-allowed", /^Give the block an input with it/],
    ["${blocks.a.stdout}", "reference-not-allowed", /^Write block\.stdout\./],
    ["${metadata.run_id}", "reference-not-allowed", /block\.inputs\.NAME/],
    ["${vars.v}", "reference-not-allowed", /block\.inputs\.NAME/],
    ["${each.value}", "reference-not-allowed", /block\.inputs\.NAME/],
    ["${block.stdout}", "unknown-field", /^Write block\.outputs\.stdout\.$/],
    ["${block.command}", "unknown-field", /^Write block\.inputs\.command\.$/],
    ["${block.outcome}", "unknown-field", /^Write block\.attempt\.outcome\.$/],
    ["${block.succeeded}", "unknown-field", /block\.attempt\.outcome == 'success'/],
    ["${block.input.command}", "unknown-field", /Did you mean 'inputs'/],
    ["${block.outputs.stdot}", "unknown-output", /Did you mean 'stdout'/],
    ["${block.inputs.comand}", "unknown-input", /Did you mean 'command'/],
    ["${block.attempt.nummer}", "unknown-field", /Did you mean 'number'/],
    ["${block.outputs.success}", "no-success-output", /block\.attempt\.outcome == 'success'/],
    ["${block.inputs.env.T}", "secret-not-kept", /^Write \$\{secrets\.TOKEN\} itself\.$/],
    ["${block.inputs.env}", "secret-not-kept", /^Write \$\{secrets\.TOKEN\} itself\.$/],
  ])("%s", (reference, code, fix) => {
    const undo = `{ type: CreateFile, inputs: { path: a, content: "${reference}" } }`;
    const { problems } = check(withUndo(undo, "inputs: { x: { type: string, description: d } }\nvars: { v: 1 }\n"));
    const [problem, ...others] = problems.filter(({ level }) => level === "error");
    expect(others).toEqual([]);
    expect(problem?.code).toBe(code);
    expect(problem?.fix).toMatch(fix);
  });

  test("what the block was given under another name is pointed at", () => {
    const text = workflow(
      "- { id: a, type: MakeDir, inputs: { path: '${inputs.x}' }, undo: { type: Shell, inputs: { args: [rm, '${inputs.x}'] } } }",
      "inputs: { x: { type: string, description: d } }\n",
    );
    expect(onlyProblem(text).fix).toBe("Write block.inputs.path, which holds it.");
  });

  test("a comparison that can never hold is found", () => {
    const problem = onlyProblem(
      withUndo("{ type: Shell, condition: \"${block.attempt.outcome} == 'succeeded'\", inputs: { command: x } }"),
    );
    expect(problem).toMatchObject({ code: "never-equal" });
  });

  test("an input that is no secret can be read beside one", () => {
    expect(check(withUndo("{ type: Shell, inputs: { args: [rm, '${block.inputs.env.P}'] } }")).problems).toEqual([]);
  });
});

describe("what can't undo anything is refused", () => {
  test.each([
    ["{ type: Prompt, inputs: { prompt: Now? } }", "waits-in-undo"],
    ["{ type: Wait, inputs: { duration: 1s } }", "waits-in-undo"],
    ["{ type: ExecuteWorkflow, inputs: { workflow: ./undo.yaml } }", "path-in-undo"],
    ["{ blocks: [] }", "unknown-key"],
    ["{ type: Shell, inputs: { command: x }, undo: {} }", "unknown-key"],
    ["{ type: Shell, inputs: { command: x }, depends_on: [b] }", "unknown-key"],
    ["{ type: Shell, inputs: { command: x }, for_each: [1] }", "unknown-key"],
    ["{ id: b, type: Shell, inputs: { command: x } }", "unknown-key"],
    ["{ type: Shel, inputs: { command: x } }", "unknown-block-type"],
    ["{ inputs: { command: x } }", "missing-key"],
    ["{ type: Shell, inputs: { comand: x } }", "unknown-input"],
    ["{ type: Shell, command: x }", "unknown-key"],
    ["rm x", "wrong-type"],
    ["[rm, x]", "wrong-type"],
    ["~", "wrong-type"],
    ["{ type: Shell, inputs: { command: 'sh -c ${block.outputs.stdout}' } }", "value-in-code"],
  ])("%s", (undo, code) => {
    expect(check(withUndo(undo)).problems.map((problem) => problem.code)).toEqual([code]);
  });

  test("what other systems call it is answered with ours", () => {
    expect(onlyProblem(workflow(shell("a", "compensate: {}"))).fix).toBe("Write `undo:`.");
  });
});

test("a secret stands under undo where it could stand in any block", () => {
  const undo = "{ type: CreateFile, inputs: { path: a, content: '${secrets.TOKEN}' } }";
  expect(onlyProblem(withUndo(undo))).toMatchObject({ code: "secret-not-allowed" });
});

test("the variables of the workflow do not reach what undoes a block of it", () => {
  const text = withUndo("{ type: Shell, inputs: { command: x } }", "env: { CI: '1' }\n");
  const [a] = planned(text).definition.blocks;
  expect([...(a?.undo?.definition.inputs.keys() ?? [])]).toEqual(["command"]);
});

test("groups, loops and nested workflows are undone too; of a loop, each pass by itself", () => {
  const blocks = [
    "- { id: g, blocks: [{ id: x, type: Shell, inputs: { command: x } }], outputs: { o: '${blocks.x.stdout}' }, undo: { type: Shell, inputs: { command: 'u ${block.outputs.o}' } } }",
    "- { id: l, for_each: [1], type: Shell, inputs: { command: x }, undo: { type: Shell, inputs: { command: 'u ${block.outputs.stdout}' } } }",
    "- { id: n, type: ExecuteWorkflow, inputs: { workflow: other }, undo: { type: ExecuteWorkflow, inputs: { workflow: other, inputs: { o: '${block.outputs.o}' } } } }",
  ];
  const other = workflow(shell("x"), "inputs: { o: { type: json, description: d, default: 1 } }\noutputs: { o: 1 }\n");
  expect(check(workflow(blocks.join("\n")), { other }).problems).toEqual([]);
  const wrong = blocks[2]?.replace("block.outputs.o", "block.outputs.p") ?? "";
  expect(onlyProblem(workflow(wrong), { other })).toMatchObject({ code: "unknown-output" });
});

describe("undoes", () => {
  const undoes = "undoes: { block: d/a, outcome: success, inputs: { path: '${secrets.X}' }, outputs: { id: [1] } }";

  test("gives `block` a meaning in the expressions of a block", () => {
    const text = workflow(`- { id: a, type: Shell, ${undoes}, inputs: { command: 'x ${"${block.outputs.id}"}' } }`);
    expect(planned(text).definition.blocks[0]?.undoes).toEqual({
      block: "d/a",
      attempt: 1,
      outcome: "success",
      status: "completed",
      inputs: { path: "${secrets.X}" },
      outputs: { id: [1] },
    });
  });

  test("elsewhere `block` is nobody's", () => {
    expect(
      onlyProblem(workflow("- { id: a, type: CreateFile, inputs: { path: a, content: '${block.x}' } }")),
    ).toMatchObject({ code: "unknown-root", fix: expect.stringContaining("Did you mean 'blocks'?") });
    const code = "node -e 'console.log(`${block.name}`)'";
    expect(check(workflow(`- id: a\n  type: Shell\n  inputs:\n    command: |\n      ${code}`)).problems).toEqual([]);
  });

  test("names that it does not have are told", () => {
    const text = workflow(`- { id: a, type: Shell, ${undoes}, inputs: { command: 'x ${"${block.output.id}"}' } }`);
    expect(onlyProblem(text)).toMatchObject({ code: "unknown-field", fix: expect.stringContaining("outputs") });
  });

  test("is a map with these keys", () => {
    expect(onlyProblem(workflow(shell("a", "undoes: {}")))).toMatchObject({ code: "missing-key" });
    expect(onlyProblem(workflow(shell("a", "undoes: { block: a, output: {} }")))).toMatchObject({
      code: "unknown-key",
    });
    expect(onlyProblem(workflow(shell("a", "undoes: a")))).toMatchObject({ code: "wrong-type" });
  });
});
