import { expect, test } from "vitest";
import { check, onlyProblem, planned, shell, workflow } from "../../test/definition/check.ts";
import { startCpuTime } from "../../test/rig/cpu-time.ts";
import { describeEdge, type Edge, type Plan } from "./plan.ts";

const child = workflow(`${shell("inner")}- { id: deep, type: ExecuteWorkflow, inputs: { workflow: leaf } }\n`);
const leaf = workflow(shell("step"));
const library = { child: child.replace("name: flow", "name: child"), leaf: leaf.replace("name: flow", "name: leaf") };

function edgesOf(plan: Plan, id: string): readonly Edge[] {
  return plan.blocks[plan.indexOf.get(id) ?? -1]?.edges ?? [];
}

/** The edges of a block, short: what it waits for, how, and why. */
function shown(plan: Plan, id: string): string[] {
  return edgesOf(plan, id).map(({ on, required, conditionDecides, reason }) =>
    [
      plan.blocks[on]?.definition.id,
      required ? "required" : "optional",
      ...(conditionDecides ? ["condition decides"] : []),
      describeEdge(reason),
    ].join(", "),
  );
}

const condition = (text: string): string => `condition: "${text}"`;

test("a declared dependency is required unless it says otherwise", () => {
  const plan = planned(
    workflow(
      `${shell("a")}${shell("b")}${shell("c")}${shell("d", "depends_on: [a, { block: b, required: false }, { block: c }]")}`,
    ),
  );
  expect(shown(plan, "d")).toEqual(["a, required, depends_on", "b, optional, depends_on", "c, required, depends_on"]);
});

test("depends_on takes one id alone", () => {
  expect(shown(planned(workflow(`${shell("a")}${shell("b", "depends_on: a")}`)), "b")).toEqual([
    "a, required, depends_on",
  ]);
});

const mentions: readonly string[] = [
  "${blocks.a.succeeded}",
  "${blocks.a.failed}",
  "${blocks.a.skipped}",
  "${blocks.a.status} == 'failed'",
  "${blocks.a.outcome} == 'failure'",
  "${blocks.a.error} != null",
  "${blocks.a.metadata.wave} == 0",
  "${blocks.a.exit_code} != 0",
  "${blocks.a.outputs.exit_code} != 0",
  "blocks.a.failed or false",
  "'${blocks.a.status}' == 'x'",
  "not (len([blocks['a'].failed]) == 2)",
];

test.each(mentions)("a condition that mentions state decides alone: %s", (text) => {
  const plan = planned(workflow(`${shell("a")}${shell("b", `depends_on: [a], ${condition(text)}`)}`));
  expect(shown(plan, "b")).toEqual(["a, required, condition decides, depends_on"]);
});

test.each([
  "${blocks.a.stdout} == 'x'",
  "${blocks.a.outputs.stderr} == ''",
  "${blocks.a.inputs.command} == 'true'",
  "true",
])("a condition that mentions no state decides nothing about the dependency: %s", (text) => {
  const plan = planned(workflow(`${shell("a")}${shell("b", `depends_on: [a], ${condition(text)}`)}`));
  expect(shown(plan, "b")).toEqual(["a, required, depends_on"]);
});

test("with required: true said, the condition decides nothing", () => {
  const more = `depends_on: [{ block: a, required: true }], ${condition("${blocks.a.failed}")}`;
  expect(shown(planned(workflow(`${shell("a")}${shell("b", more)}`)), "b")).toEqual(["a, required, depends_on"]);
});

test("the condition decides about each dependency on its own", () => {
  const more = `depends_on: [a, b], ${condition("${blocks.a.failed}")}`;
  expect(shown(planned(workflow(`${shell("a")}${shell("b")}${shell("c", more)}`)), "c")).toEqual([
    "a, required, condition decides, depends_on",
    "b, required, depends_on",
  ]);
});

test.each([
  ["inside a child that is known", "child", "${blocks.d.blocks.inner.failed}"],
  ["inside a child of a child", "child", "${blocks.d.blocks.deep.blocks.step.exit_code} != 0"],
  ["inside a child that is not known", "nowhere", "${blocks.d.blocks.x.failed}"],
  ["an exit code inside a child that is not known", "nowhere", "${blocks.d.blocks.x.outputs.exit_code} != 0"],
])("a mention %s is a mention of the whole", (_what, name, text) => {
  const call = `- { id: d, type: ExecuteWorkflow, inputs: { workflow: ${name} } }\n`;
  const plan = planned(workflow(`${call}${shell("b", `depends_on: [d], ${condition(text)}`)}`), library);
  expect(shown(plan, "b")).toEqual(["d, required, condition decides, depends_on"]);
});

test.each([
  ["child", "${blocks.d.blocks.inner.stdout} == ''"],
  ["nowhere", "${blocks.d.blocks.failed.outputs.x} == ''"],
  ["nowhere", "${blocks.d.blocks.x.outputs.status} == ''"],
])("a name that only looks like state, in a call of %s, is no mention: %s", (name, text) => {
  const call = `- { id: d, type: ExecuteWorkflow, inputs: { workflow: ${name} } }\n`;
  const plan = planned(workflow(`${call}${shell("b", `depends_on: [d], ${condition(text)}`)}`), library);
  expect(shown(plan, "b")).toEqual(["d, required, depends_on"]);
});

test("a mention inside a pass of a loop is a mention of the loop", () => {
  const text = workflow(
    `${shell("a", "for_each: [1, 2]")}${shell("b", `depends_on: [a], ${condition("${blocks.a.blocks['1'].failed}")}`)}`,
  );
  expect(shown(planned(text), "b")).toEqual(["a, required, condition decides, depends_on"]);
});

test("a mention of a pass whose key is computed is a mention of the loop, and what follows it is checked", () => {
  const loop = shell("a", "for_each: [1, 2]");
  const asks = (path: string): string =>
    workflow(
      `${loop}${shell("b", `for_each: [0, 1], depends_on: [a], ${condition(`\${blocks.a.blocks[each.key].${path}}`)}`)}`,
    );
  expect(shown(planned(asks("failed")), "b")).toEqual(["a, required, condition decides, depends_on"]);
  expect(check(asks("outputs.nope")).problems).toMatchObject([{ code: "unknown-output" }]);
});

test("a reference to a block that is not upstream adds an edge, and a hint to declare it", () => {
  const text = workflow(`${shell("a")}- { id: b, type: Shell, inputs: { command: "echo $\{blocks.a.stdout}" } }\n`);
  const { plan, problems } = check(text);
  expect(shown(plan as Plan, "b")).toEqual(["a, required, inputs.command reads blocks.a.stdout"]);
  expect(problems).toMatchObject([
    {
      code: "implicit-dependency",
      level: "hint",
      message: "block 'b' waits for 'a' because inputs.command reads it.",
      fix: "Say so with `depends_on: [a]`.",
      marked: "blocks.a.stdout",
    },
  ]);
});

const readers: readonly [where: string, block: string][] = [
  ["inputs.stdin", '- { id: b, type: Shell, inputs: { command: cat, stdin: "${blocks.a.stdout}" } }'],
  ["inputs.env", '- { id: b, type: Shell, inputs: { command: x, env: { A: "${blocks.a.stdout}" } } }'],
  ["inputs.args", '- { id: b, type: Shell, inputs: { args: [echo, "${blocks.a.stdout}"] } }'],
  ["inputs.prompt", '- { id: b, type: Prompt, inputs: { prompt: "${blocks.a.stdout}" } }'],
  ["condition", shell("b", condition("${blocks.a.stdout} == ''"))],
  ["for_each", shell("b", 'for_each: "${split(blocks.a.stdout)}"')],
  ["timeout", shell("b", 'timeout: "${int(blocks.a.stdout)}"')],
  ["outputs.f.path", shell("b", 'outputs: { f: { path: "${blocks.a.stdout}" } }')],
];

test.each(readers)("a reference in %s adds an edge", (where, block) => {
  expect(shown(planned(workflow(`${shell("a")}${block}`)), "b")).toEqual([
    `a, required, ${where} reads blocks.a.stdout`,
  ]);
});

test("an added edge is optional if any reference to the block mentions its state", () => {
  const text = workflow(
    `${shell("a")}- { id: b, type: Shell, inputs: { command: "echo $\{blocks.a.stdout} $\{blocks.a.status}" } }\n`,
  );
  expect(shown(planned(text), "b")).toEqual(["a, optional, inputs.command reads blocks.a.stdout"]);
});

test("an added edge of a condition that mentions state is decided by the condition", () => {
  const text = workflow(`${shell("a")}${shell("b", condition("${blocks.a.failed}"))}`);
  expect(shown(planned(text), "b")).toEqual(["a, optional, condition decides, condition reads blocks.a.failed"]);
});

test("a reference to a block already upstream, directly or through others, adds nothing", () => {
  const text = workflow(
    `${shell("a")}${shell("b", "depends_on: [a]")}${shell("c", "depends_on: [b]")}${shell("d", `depends_on: [c], ${condition("${blocks.a.failed} and ${blocks.b.stdout} == '' and ${blocks.c.failed}")}`)}`,
  );
  const { plan, problems } = check(text);
  expect(shown(plan as Plan, "d")).toEqual(["c, required, condition decides, depends_on"]);
  expect(plan?.blocks[3]?.mentions).toEqual([0, 2]);
  expect(problems).toEqual([]);
});

test("several references to one block add one edge", () => {
  const text = workflow(
    `${shell("a")}- { id: b, type: Shell, inputs: { command: "echo $\{blocks.a.stdout} $\{blocks.a.stderr}" } }\n`,
  );
  expect(edgesOf(planned(text), "b")).toHaveLength(1);
});

test("a merge after exclusive branches gets a hint, unless it says required: false", () => {
  const ok = shell("b", `depends_on: [a], ${condition("${blocks.a.succeeded}")}`);
  const not = shell("c", `depends_on: [a], ${condition("${blocks.a.failed}")}`);
  const merge = (more: string): string => workflow(`${shell("a")}${ok}${not}${shell("d", more)}`);
  const hints = (more: string): readonly object[] => check(merge(more)).problems;
  expect(hints("depends_on: [b, c]")).toMatchObject([
    {
      code: "requires-conditional-block",
      level: "hint",
      message: "block 'd' is skipped whenever the condition of 'b' is false.",
      fix: "Write `{ block: b, required: false }` if it should run anyway.",
      marked: "b",
    },
    { code: "requires-conditional-block", marked: "c" },
  ]);
  expect(hints("depends_on: [{ block: b, required: false }, { block: c, required: false }]")).toEqual([]);
  expect(hints(`depends_on: [b, c], ${condition("${blocks.b.succeeded} or ${blocks.c.succeeded}")}`)).toEqual([]);
});

test.each([
  ["one condition, as after an approval", "depends_on: [b]"],
  ["the same condition twice", "depends_on: [b, b2]"],
  ["conditions about different things", "depends_on: [b, other]"],
  ["a chain of conditions", "depends_on: [b, chained]"],
])("what follows %s gets no hint", (_what, more) => {
  const approved = condition("${blocks.a.exit_code} == 0");
  const blocks = [
    shell("a"),
    shell("b", `depends_on: [a], ${approved}`),
    shell("b2", `depends_on: [a], ${approved}`),
    shell("other", condition("${inputs.x}")),
    shell("chained", `depends_on: [a, b], ${condition("${blocks.a.stdout} == ''")}`),
    shell("d", more),
  ];
  const inputs = "inputs: { x: { type: boolean, description: d } }\n";
  expect(check(workflow(blocks.join(""), inputs)).problems).toEqual([]);
});

test("a loop whose condition is about its elements is not skipped by it, so what requires it gets no hint", () => {
  const loop = shell("a", `for_each: [1, 2], ${condition("${each.value} > 1")}`);
  expect(check(workflow(`${loop}${shell("b", "depends_on: [a]")}`)).problems).toEqual([]);
});

test("waves are levels: the longest way to a block", () => {
  const plan = planned(
    workflow(
      `${shell("a")}${shell("b", "depends_on: [a]")}${shell("c")}${shell("d", "depends_on: [b, c]")}- { id: e, type: Shell, inputs: { command: "echo $\{blocks.c.stdout}" } }\n`,
    ),
  );
  expect(plan.waves).toEqual([["a", "c"], ["b", "e"], ["d"]]);
  expect(plan.blocks.map(({ wave }) => wave)).toEqual([0, 1, 0, 2, 1]);
  expect(plan.blocks[0]?.dependents).toEqual([1]);
});

test("a cycle of dependencies is shown as the path that closes it, with the reasons", () => {
  const text = workflow(
    `${shell("z")}${shell("a", "depends_on: [z, c]")}${shell("b", "depends_on: [a]")}${shell("c", "depends_on: [b]")}`,
  );
  expect(onlyProblem(text)).toMatchObject({
    code: "cycle",
    message: "The blocks wait for each other: a -> c -> b -> a.",
    why: "'a' needs 'c' (depends_on); 'c' needs 'b' (depends_on); 'b' needs 'a' (depends_on).",
    fix: "Remove one of these dependencies.",
    marked: "a",
    line: 6,
  });
});

test("a cycle through references names what reads what", () => {
  const reads = (id: string, of: string): string =>
    `- { id: ${id}, type: Shell, inputs: { command: "echo $\{blocks.${of}.stdout}" } }\n`;
  const { problems } = check(workflow(`${reads("a", "b")}${reads("b", "a")}`));
  expect(problems.find(({ code }) => code === "cycle")).toMatchObject({
    message: "The blocks wait for each other: a -> b -> a.",
    why: "'a' needs 'b' (inputs.command reads blocks.b.stdout); 'b' needs 'a' (inputs.command reads blocks.a.stdout).",
    marked: "blocks.b.stdout",
  });
});

test("a cycle through a dependency and a reference says both", () => {
  const text = workflow(`${shell("a", condition("${blocks.b.failed}"))}${shell("b", "depends_on: [a]")}`);
  expect(check(text).problems.find(({ code }) => code === "cycle")).toMatchObject({
    why: "'a' needs 'b' (condition reads blocks.b.failed); 'b' needs 'a' (depends_on).",
    marked: "blocks.b.failed",
  });
});

test("a block that depends on itself, or reads itself, is told so", () => {
  expect(onlyProblem(workflow(shell("a", "depends_on: [a]")))).toMatchObject({
    code: "cycle",
    message: "block 'a' depends on itself.",
    fix: "Remove it from its own `depends_on`.",
    marked: "a",
  });
  expect(onlyProblem(workflow(shell("a", condition("${blocks.a.failed}"))))).toMatchObject({
    code: "self-reference",
    marked: "blocks.a.failed",
  });
});

test("every group of blocks that wait for each other is shown at once, with what only follows them left out", () => {
  const text = workflow(
    [
      shell("a", "depends_on: [b, c]"),
      shell("b", "depends_on: [a]"),
      shell("c", "depends_on: [d]"),
      shell("d", `depends_on: [e], ${condition("${blocks.c.failed}")}`),
      shell("e"),
      shell("f", "depends_on: [f, a]"),
      shell("g", "depends_on: [a, f]"),
    ].join(""),
  );
  expect(check(text).problems.map(({ message }) => message)).toEqual([
    "The blocks wait for each other: a -> b -> a.",
    "The blocks wait for each other: c -> d -> c.",
    "block 'f' depends on itself.",
  ]);
});

test("two cycles that share a block are one group, and told of once", () => {
  const text = workflow(
    `${shell("a", "depends_on: [b, c]")}${shell("b", "depends_on: [a]")}${shell("c", "depends_on: [a]")}`,
  );
  expect(onlyProblem(text).message).toBe("The blocks wait for each other: a -> b -> a.");
});

test("ten thousand blocks in a tangle are told of without walking it again and again", () => {
  const blocks = Array.from({ length: 10_000 }, (_, index) =>
    shell(`b${index}`, `depends_on: [b${Math.min(index + 1, 9_999)}, b${Math.max(0, index - 5_000)}, b${index >> 1}]`),
  );
  const cpuTime = startCpuTime();
  expect(check(workflow(blocks.join(""))).problems.map(({ code }) => code)).toContain("cycle");
  expect(cpuTime()).toBeLessThan(100_000);
});

test("a long cycle is shown in part", () => {
  const blocks = Array.from({ length: 50 }, (_, index) => shell(`b${index}`, `depends_on: [b${(index + 1) % 50}]`));
  expect(onlyProblem(workflow(blocks.join(""))).message).toMatch(/b0 -> b1 .* -> b7 -> \.\.\. -> b0\.$/);
});

test("a dependency named twice is a hint and one edge", () => {
  const { plan, problems } = check(workflow(`${shell("a")}${shell("b", "depends_on: [a, a]")}`));
  expect(edgesOf(plan as Plan, "b")).toHaveLength(1);
  expect(problems).toMatchObject([{ code: "duplicate-dependency", level: "hint" }]);
  const optional = "depends_on: [{ block: a, required: false }, { block: a, required: false }]";
  expect(check(workflow(`${shell("a")}${shell("b", optional)}`)).problems).toMatchObject([{ level: "hint" }]);
});

test.each(["a, { block: a, required: false }", "{ block: a, required: false }, { block: a, required: true }"])(
  "dependencies that contradict each other are an error: [%s]",
  (dependencies) => {
    expect(onlyProblem(workflow(`${shell("a")}${shell("b", `depends_on: [${dependencies}]`)}`))).toMatchObject({
      code: "contradictory-dependency",
      level: "error",
      message: "block 'b' depends on 'a' twice, once required and once not.",
    });
  },
);

test("a condition that speaks of each is judged for each element, any other once", () => {
  const plan = planned(
    workflow(
      `${shell("a", `for_each: [1], ${condition("${each.value} == 1")}`)}${shell("b", `for_each: [1], ${condition("true")}`)}${shell("c", condition("true"))}`,
    ),
  );
  expect(plan.blocks.map(({ conditionPerElement }) => conditionPerElement)).toEqual([true, false, false]);
});

test("a plan of ten thousand blocks, each reading the first of a chain, is made without walking the chain each time", () => {
  const blocks = Array.from({ length: 10_000 }, (_, index) =>
    shell(`b${index}`, index === 0 ? "" : `depends_on: [b${index - 1}], condition: "$\{blocks.b0.failed}"`),
  );
  const cpuTime = startCpuTime();
  const plan = planned(workflow(blocks.join("")));
  expect(cpuTime()).toBeLessThan(100_000);
  expect(plan.waves).toHaveLength(10_000);
  expect(plan.blocks[9_999]?.edges).toHaveLength(1);
});
