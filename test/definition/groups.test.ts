import { expect, test } from "vitest";
import { check, codes, onlyProblem, planned, shell, workflow } from "./check.ts";

function group(id: string, blocks: string, more = ""): string {
  const indented = blocks.replaceAll(/^(?=.)/gm, "    ");
  const keys = more === "" ? "" : `${more.trimEnd().replaceAll(/^(?=.)/gm, "  ")}\n`;
  return `- id: ${id}\n${keys}  blocks:\n${indented}`;
}

/** A Shell block that reads something. */
function reading(id: string, expression: string, more = ""): string {
  const command = `'echo "\${${expression.replaceAll("'", "''")}}"'`;
  return `- { id: ${id}, type: Shell, inputs: { command: ${command} }${more === "" ? "" : `, ${more}`} }\n`;
}

function when(condition: string): string {
  return `condition: "${condition}"`;
}

function edgesOf(text: string, id: string): string[] {
  const plan = planned(text);
  const block = plan.blocks[plan.indexOf.get(id) ?? -1];
  return (block?.edges ?? []).map(({ on, required, conditionDecides }) => {
    const rule = conditionDecides ? "decides" : required ? "required" : "optional";
    return `${plan.blocks[on]?.definition.id} ${rule}`;
  });
}

function outerEdgesOf(text: string, id: string, inner: string): string[] {
  const plan = planned(text);
  const inside = plan.blocks[plan.indexOf.get(id) ?? -1]?.group;
  const block = inside?.blocks[inside.indexOf.get(inner) ?? -1];
  return (block?.outerEdges ?? []).map(({ on, levels, required }) => {
    return `${plan.blocks[on]?.definition.id} ${levels} ${required ? "required" : "optional"}`;
  });
}

test("a block with blocks instead of a type takes the keys of blocks, and outputs like those of a workflow", () => {
  const text = workflow(
    group(
      "g",
      shell("a"),
      `description: Does much
depends_on: []
condition: true
for_each: [1, 2]
for_each_mode: sequential
max_parallel: 2
on_error: stop
retry: 2
expect: { condition: "\${this.ok}" }
timeout: 5m
outputs: { ok: "\${blocks.a.succeeded}", both: { value: "\${blocks.a.exit_code}", type: integer } }`,
    ),
  );
  const { definition, problems } = check(text);
  expect(problems).toEqual([]);
  const [block] = definition?.blocks ?? [];
  expect(block).toMatchObject({ id: "g", type: { type: "group" }, forEach: { maxParallel: 2 }, fileOutputs: [] });
  expect([...(block?.group?.outputs.keys() ?? [])]).toEqual(["ok", "both"]);
  expect(block?.group).not.toHaveProperty("maxParallel");
});

test("without for_each, max_parallel of a group is about the blocks in it", () => {
  const plan = planned(workflow(group("g", shell("a") + shell("b"), "max_parallel: 1")));
  expect(plan.blocks[0]?.group?.definition.maxParallel).toBe(1);
  expect(plan.definition.maxParallel).toBeUndefined();
});

test("type and blocks exclude each other, and one of them must be there", () => {
  expect(onlyProblem(workflow(group("g", shell("a"), "type: Shell")))).toMatchObject({
    code: "type-and-blocks",
    message: "block 'g' has both 'type' and 'blocks'.",
  });
  expect(codes(workflow("- { id: g }\n"))).toEqual(["missing-key"]);
  expect(onlyProblem(workflow("- { id: g, blocks: [] }\n"))).toMatchObject({
    code: "no-blocks",
    message: "block 'g' has no blocks.",
  });
  expect(codes(workflow("- { id: g, type: group }\n"))).toEqual(["unknown-block-type"]);
});

test("what a group can't have is refused: inputs, a sandbox, an exit code", () => {
  expect(onlyProblem(workflow(group("g", shell("a"), "inputs: { x: 1 }")))).toMatchObject({
    code: "unknown-input",
    message: "block 'g' holds blocks and takes no inputs, so it has no input 'x'.",
  });
  expect(codes(workflow(group("g", shell("a"), "sandbox: true")))).toEqual(["no-sandbox"]);
  expect(codes(workflow(group("g", shell("a"), "expect: { exit_code: 0 }")))).toEqual(["no-exit-code"]);
  expect(codes(workflow(group("g", shell("a"), "on_interrupted: ask")), "hint")).toEqual([
    "on-interrupted-without-effect",
  ]);
});

test("problems inside a group are found at any depth", () => {
  const deep = group("g", group("h", "- { id: x, type: Shel }\n- { id: y, type: Shell, inputs: { comand: ls } }\n"));
  expect(codes(workflow(deep))).toEqual(["unknown-block-type", "unknown-input"]);
});

test("an id may not repeat one that is visible around it, but two groups may use the same", () => {
  expect(onlyProblem(workflow(shell("a") + group("g", shell("a"))))).toMatchObject({
    code: "id-taken",
    message: "block 'a' in 'g' has the id of a block around it.",
    marked: "a",
  });
  expect(codes(workflow(group("g", shell("g"))))).toEqual(["id-taken"]);
  expect(codes(workflow(group("g", group("h", shell("later"))) + shell("later")))).toEqual(["id-taken"]);
  expect(codes(workflow(group("g", shell("a")) + group("h", shell("a"))))).toEqual([]);
  expect(codes(workflow(group("g", shell("a") + shell("a"))))).toEqual(["duplicate-block"]);
});

test("depends_on inside names blocks beside it only, and says so", () => {
  const inner = shell("b", "depends_on: [a]");
  expect(onlyProblem(workflow(shell("a") + group("g", inner)))).toMatchObject({
    code: "depends-on-outside",
    message: "block 'b' can't depend on 'a', which is not in 'g' like itself.",
    why: "`depends_on` names blocks beside it only.",
    fix: "Remove it: reading 'a' makes 'g' wait for it, and so does naming it there.",
  });
  expect(onlyProblem(workflow(group("g", shell("b", "depends_on: [g]")))).fix).toBe("Remove it.");
  expect(onlyProblem(workflow(group("g", shell("b")) + shell("c", "depends_on: [b]")))).toMatchObject({
    code: "unknown-block",
    message: "block 'c' depends on 'b', which is not beside it.",
    fix: "It is inside 'g': write `depends_on: [g]`.",
  });
});

test("an inner reference gives the group the edge, with where it stands", () => {
  const text = workflow(shell("a") + group("g", reading("b", "blocks.a.stdout")));
  expect(edgesOf(text, "g")).toEqual(["a required"]);
  expect(onlyProblem(text)).toMatchObject({
    code: "implicit-dependency",
    level: "hint",
    message: "block 'g' waits for 'a' because inputs.command of 'b' reads it.",
    fix: "Say so with `depends_on: [a]` on 'g'.",
  });
  const deep = group("g", group("h", reading("b", "blocks.a.stdout")));
  expect(edgesOf(workflow(shell("a") + deep), "g")).toEqual(["a required"]);
  const output = group("g", shell("b"), 'outputs: { x: "${blocks.a.stdout}" }');
  expect(edgesOf(workflow(shell("a") + output), "g")).toEqual(["a required"]);
  const declared = group("g", reading("b", "blocks.a.stdout"), "depends_on: [a]");
  expect(check(workflow(shell("a") + declared)).problems).toEqual([]);
});

test("a condition inside that asks how a block around went decides, for the group as for its block", () => {
  const asking = shell("b", when("${blocks.a.failed}"));
  expect(edgesOf(workflow(shell("a") + group("g", asking)), "g")).toEqual(["a decides"]);
  expect(edgesOf(workflow(shell("a") + group("g", asking, "depends_on: [a]")), "g")).toEqual(["a decides"]);
  const explicit = group("g", asking, "depends_on: [{ block: a, required: true }]");
  expect(edgesOf(workflow(shell("a") + explicit), "g")).toEqual(["a required"]);
  // To say so would hold the other blocks of the group to it.
  expect(codes(workflow(shell("a") + group("g", asking)), "hint")).toEqual([]);
  const mentioning = group("g", reading("b", "blocks.a.status"));
  expect(edgesOf(workflow(shell("a") + mentioning), "g")).toEqual(["a optional"]);
});

test("beside such a condition the other blocks of the group are held to what they ask for", () => {
  const asking = shell("b", when("${blocks.a.failed}"));
  const both = workflow(shell("a") + group("g", asking + reading("c", "blocks.a.stdout") + shell("d")));
  expect(edgesOf(both, "g")).toEqual(["a decides"]);
  expect(outerEdgesOf(both, "g", "b")).toEqual([]);
  expect(outerEdgesOf(both, "g", "c")).toEqual(["a 1 required"]);
  expect(outerEdgesOf(both, "g", "d")).toEqual([]);
  const declared = workflow(shell("a") + group("g", asking + shell("d"), "depends_on: [a]"));
  expect(outerEdgesOf(declared, "g", "b")).toEqual([]);
  expect(outerEdgesOf(declared, "g", "d")).toEqual(["a 1 required"]);
  const optional = group("g", asking + reading("c", "blocks.a.stdout"), "depends_on: [{ block: a, required: false }]");
  expect(outerEdgesOf(workflow(shell("a") + optional), "g", "c")).toEqual(["a 1 optional"]);
  const own = group("g", reading("c", "blocks.a.stdout"), when("${blocks.a.failed}"));
  expect(edgesOf(workflow(shell("a") + own), "g")).toEqual(["a decides"]);
  expect(outerEdgesOf(workflow(shell("a") + own), "g", "c")).toEqual([]);
});

test("only a condition of the group itself can handle a failure around it", () => {
  const inner = planned(workflow(shell("a") + group("g", shell("b", when("${blocks.a.failed}")))));
  expect(inner.blocks[1]?.mentions).toEqual([]);
  expect(inner.blocks[1]?.group?.blocks[0]?.mentions).toEqual([]);
  const own = planned(workflow(shell("a") + group("g", shell("b"), when("${blocks.a.failed}"))));
  expect(own.blocks[1]?.mentions).toEqual([0]);
});

test("blocks that wait for each other through a group are reported as the circle", () => {
  const text = workflow(shell("a", "depends_on: [g]") + group("g", reading("b", "blocks.a.stdout")));
  expect(onlyProblem(text)).toMatchObject({
    code: "cycle",
    message: "The blocks wait for each other: a -> g -> a.",
    why: "'a' needs 'g' (depends_on); 'g' needs 'a' (inputs.command of 'b' reads blocks.a.stdout).",
  });
  const inside = shell("x", "depends_on: [y]") + shell("y", "depends_on: [x]");
  expect(codes(workflow(group("g", inside)))).toEqual(["cycle"]);
});

test("a block reads neither the group that holds it nor, by its bare id, one inside another", () => {
  expect(onlyProblem(workflow(group("g", reading("b", "blocks.g.status"))))).toMatchObject({
    code: "self-reference",
    message: "block 'b' reads 'g', which holds it.",
  });
  const outside = (loop: string): string => workflow(group("g", shell("b"), loop) + reading("c", "blocks.b.stdout"));
  expect(onlyProblem(outside(""))).toMatchObject({
    code: "unknown-block",
    fix: "It is inside 'g': write blocks.g.blocks.b.",
  });
  expect(onlyProblem(outside("for_each: [1]")).fix).toBe("It is inside 'g': write blocks.g.blocks['KEY'].blocks.b.");
  const nested = group("g", group("h", shell("b"))) + reading("c", "blocks.b.stdout");
  expect(onlyProblem(workflow(nested)).fix).toBe("It is inside 'h': write blocks.g.blocks.h.blocks.b.");
});

const loop = group("g", shell("b"), 'for_each: [1]\noutputs: { ok: "${blocks.b.succeeded}" }');

test.each([
  ["blocks.g.blocks['0'].blocks.b.stdout", undefined],
  ["blocks.g.blocks['0'].ok", undefined],
  ["blocks.g.blocks['0'].metadata.total_blocks", undefined],
  ["blocks.g.results", undefined],
  ["blocks.g.blocks['0'].blocks.c.stdout", "block 'g' has no block 'c'."],
  ["blocks.g.blocks['0'].blocks.b.stdot", "blocks.g.blocks.0.blocks.b has no output 'stdot'."],
  ["blocks.g.blocks['0'].okay", "blocks.g.blocks.0 has no output 'okay'."],
  ["blocks.g.blocks['0'].inputs.x", "blocks.g.blocks.0 has no input 'x'."],
])("from outside ${%s} is checked", (path, message) => {
  const { problems } = check(workflow(loop + reading("c", path, "depends_on: [g]")));
  expect(problems.map((problem) => problem.message)).toEqual(message === undefined ? [] : [message]);
});

test("a block inside that is read like an output is told its way", () => {
  const plain = group("g", shell("b")) + reading("c", "blocks.g.b.stdout", "depends_on: [g]");
  expect(onlyProblem(workflow(plain))).toMatchObject({
    code: "unknown-output",
    message: "blocks.g has no output 'b': a block inside it has that id.",
    fix: "Write blocks.g.blocks.b.",
  });
  for (const path of ["blocks.g.b.stdout", "blocks.g.blocks.b.stdout"]) {
    const problem = onlyProblem(workflow(loop + reading("c", path, "depends_on: [g]")));
    expect(problem.fix).toBe("Write blocks.g.blocks['KEY'].blocks.b, with the key of a pass, such as 0.");
  }
});

test("the element of a loop around is told in commands too", () => {
  const inner = group("h", shell("b").replace('"true"', '"echo ${item}"'));
  expect(codes(workflow(group("g", inner, "for_each: [1]")))).toEqual(["not-the-element"]);
  expect(codes(workflow(group("g", inner)))).toEqual([]);
});

test("inside, each is that of the nearest loop, and each.outer that of the loop around it", () => {
  const inner = (expression: string, more = ""): string => reading("b", expression, more);
  const around = (blocks: string, more = "for_each: [1]"): string => workflow(group("g", blocks, more));
  expect(codes(around(inner("each.value")))).toEqual([]);
  expect(codes(around(inner("each.outer.value", "for_each: [2]")))).toEqual([]);
  expect(codes(around(inner("each.value", "for_each: ['${each.value}']")))).toEqual([]);
  expect(codes(around(group("h", inner("each.outer.outer.key", "for_each: [3]"), "for_each: [2]")))).toEqual([]);
  expect(codes(around(shell("b"), 'for_each: [1]\noutputs: { x: "${each.value}" }'))).toEqual([]);
  expect(codes(around(inner("each.value", "repeat: { max: '${each.value}' }")))).toEqual(["unknown-each"]);
  expect(codes(around(inner("each.outer.value", "repeat: { max: '${each.value}' }")))).toEqual([]);
  expect(codes(around(inner("each.previous.blocks.b.stdout"), "repeat: { max: 2 }"))).toEqual([]);
  expect(check(around(inner("each.outer.value"))).problems).toMatchObject([
    { code: "each-outside-loop", message: "There is no each.outer here." },
  ]);
  expect(codes(around(inner("each.outer.previous.status", "for_each: [2]")))).toEqual(["unknown-each"]);
  expect(codes(around(inner("each.value"), "timeout: 5s"))).toEqual(["each-outside-loop"]);
  expect(codes(workflow(loop + reading("c", "each.value")))).toEqual(["each-outside-loop"]);
});

test("inputs inside are those of the workflow, and metadata too", () => {
  const inputs = "inputs: { x: { type: string, description: d } }\n";
  const text = (expression: string): string => workflow(group("g", reading("b", expression)), inputs);
  expect(codes(text("inputs.x"))).toEqual([]);
  expect(codes(text("metadata.start_time"))).toEqual([]);
  expect(codes(text("inputs.y"))).toEqual(["unknown-input"]);
});

test("secrets are checked in groups as elsewhere", () => {
  const env = "- { id: b, type: Shell, inputs: { command: 'true', env: { T: '${secrets.TOKEN}' } } }\n";
  expect(codes(workflow(group("g", env)))).toEqual([]);
  const directory = "- { id: b, type: Shell, inputs: { command: 'true', working_dir: '${secrets.TOKEN}' } }\n";
  expect(codes(workflow(group("g", directory)))).toEqual(["secret-not-allowed"]);
  const given = group("g", shell("b"), 'outputs: { x: "${secrets.TOKEN}" }');
  expect(codes(workflow(given))).toEqual(["secret-not-allowed"]);
});

test("calls in groups are checked, and a workflow that calls itself from one is refused", () => {
  const call = (name: string): string => `- { id: c, type: ExecuteWorkflow, inputs: { workflow: ${name} } }\n`;
  const child = workflow(shell("a"), "inputs: { x: { type: string, description: d } }\n").replace("flow", "child");
  expect(onlyProblem(workflow(group("g", call("child"))), { child })).toMatchObject({ code: "missing-input" });
  expect(codes(workflow(group("g", call("flow"))))).toEqual(["workflow-cycle"]);
  const back = workflow(group("h", call("flow"))).replace("name: flow", "name: back");
  expect(onlyProblem(workflow(call("back")), { back }).code).toBe("workflow-cycle");
});

test("ten thousand blocks in groups of groups are checked", () => {
  const leaves = (name: string): string =>
    Array.from({ length: 100 }, (_, index) =>
      shell(`${name}_${index}`, index === 0 ? "" : `depends_on: [${name}_${index - 1}]`),
    ).join("");
  const groups = Array.from({ length: 100 }, (_, index) => group(`g${index}`, leaves(`g${index}`))).join("");
  expect(codes(workflow(groups))).toEqual([]);
});

test("a group may stand under finally, where nothing in it may wait", () => {
  const under = (blocks: string): string =>
    `${workflow(shell("main"))}finally:\n${blocks.replaceAll(/^(?=.)/gm, "  ")}`;
  expect(codes(under(group("g", reading("b", "run.status") + reading("c", "blocks.main.stdout"))))).toEqual([]);
  const plan = planned(under(group("g", reading("c", "blocks.main.stdout"))));
  expect(plan.blocks[1]?.edges).toEqual([]);
  expect(plan.blocks[1]?.group?.blocks[0]?.outerEdges).toEqual([]);
  const asking = "- { id: ask, type: Prompt, inputs: { prompt: Why } }\n";
  expect(onlyProblem(under(group("g", group("h", asking))))).toMatchObject({
    code: "waits-in-finally",
    message: "block 'g': 'h/ask' in it asks, being of type Prompt, and nothing under `finally` may wait.",
  });
  const reads = `${workflow(group("g", reading("b", "blocks.last.stdout")))}finally:\n  ${shell("last")}`;
  expect(onlyProblem(reads)).toMatchObject({ code: "reads-finally" });
  expect(codes(workflow(group("g", reading("b", "run.status"))))).toEqual(["run-elsewhere"]);
  expect(onlyProblem(workflow(group("g", shell("a"), "finally: []")))).toMatchObject({
    code: "unknown-key",
    fix: "It belongs to the workflow: groups have none.",
  });
});

test("what is declared of values is known in groups too: of the inputs, of blocks around and of the loops around", () => {
  const inputs = "inputs: { n: { type: integer, description: d }, names: { type: list, description: d } }\n";
  const evil = "a[$(id)]";
  const calculating = (expression: string): string =>
    `- { id: calc, type: Shell, inputs: { command: '[[ \${${expression}} -gt 5 ]]' } }\n`;
  const inLoop = (items: string, expression: string): string[] =>
    codes(workflow(group("g", calculating(expression), `for_each: ${items}`), inputs));
  expect(codes(workflow(group("g", calculating("inputs.n")), inputs))).toEqual([]);
  expect(inLoop("[1, 2]", "each.value")).toEqual([]);
  expect(inLoop(`[1, "${evil}"]`, "each.value")).not.toEqual([]);
  expect(inLoop("${inputs.names}", "each.value")).not.toEqual([]);
  const twice = (outer: string, inner: string, expression: string): string[] =>
    codes(
      workflow(group("g", group("h", calculating(expression), `for_each: ${inner}`), `for_each: ${outer}`), inputs),
    );
  expect(twice("[1, 2]", "['${each.value}']", "each.value")).toEqual([]);
  expect(twice(`["${evil}"]`, "['${each.value}']", "each.value")).not.toEqual([]);
  expect(twice("[1]", `["${evil}"]`, "each.outer.value")).toEqual([]);
  expect(twice(`["${evil}"]`, "[1]", "each.outer.value")).not.toEqual([]);
  expect(codes(workflow(group("g", shell("a") + calculating("blocks.a.exit_code")), inputs))).toEqual([]);
  expect(codes(workflow(group("g", shell("a") + calculating("blocks.a.stdout")), inputs))).not.toEqual([]);
});
