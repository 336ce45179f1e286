import { expect, test } from "vitest";
import { onlyProblem, shell, workflow } from "./check.ts";

const inputs = "inputs: { environment: { type: string, description: Where } }\n";
const child = workflow(
  shell("compile"),
  "inputs: { target: { type: string, description: Where, enum: [staging, production] } }\n",
).replace("name: flow", "name: deploy-app");
const call = (given: string): string =>
  `- { id: deploy, type: ExecuteWorkflow, inputs: { workflow: deploy-app, inputs: { ${given} } } }\n`;
const reads = (path: string): string => shell("report", `depends_on: [build, deploy], condition: "\${${path}} == 'x'"`);
const both = `${shell("build")}${call("target: staging")}`;

const cases: readonly [what: string, text: string, marked: string, meant: string][] = [
  ["a workflow key", workflow(shell("a"), "verson: '2'\n"), "verson", "version"],
  ["a block key", workflow(shell("a", "contition: true")), "contition", "condition"],
  [
    "a key of an input",
    workflow(shell("a"), "inputs: { x: { type: string, description: d, defualt: a } }\n"),
    "defualt",
    "default",
  ],
  [
    "a key of an output",
    workflow(shell("a"), "outputs: { x: { value: '1', descripton: d } }\n"),
    "descripton",
    "description",
  ],
  [
    "a key of a file output",
    workflow(shell("a", "outputs: { x: { path: a.txt, requird: false } }")),
    "requird",
    "required",
  ],
  [
    "a key of a dependency",
    workflow(`${shell("a")}${shell("b", "depends_on: [{ block: a, requird: false }]")}`),
    "requird",
    "required",
  ],
  ["a type of an input", workflow(shell("a"), "inputs: { x: { type: strng, description: d } }\n"), "strng", "string"],
  ["a type of a file output", workflow(shell("a", "outputs: { x: { path: a.txt, type: jsn } }")), "jsn", "json"],
  ["a block type", workflow("- { id: a, type: Shel, inputs: { command: x } }"), "Shel", "Shell"],
  [
    "a block input",
    workflow('- { id: a, type: Shell, inputs: { command: "true", workingDir: x } }'),
    "workingDir",
    "working_dir",
  ],
  [
    "a value of a block input",
    workflow("- { id: a, type: Prompt, inputs: { prompt: Go?, audience: humen } }"),
    "humen",
    "human",
  ],
  ["a value of a key", workflow(shell("a", "for_each: [1], for_each_mode: sequentiel")), "sequentiel", "sequential"],
  ["a block in depends_on", workflow(`${shell("build")}${shell("b", "depends_on: [biuld]")}`), "biuld", "build"],
  ["a block in a reference", workflow(`${both}${reads("blocks.biuld.status")}`), "blocks.biuld.status", "build"],
  [
    "an input in a reference",
    workflow(shell("a", "condition: \"${inputs.enviroment} == 'x'\""), inputs),
    "inputs.enviroment",
    "environment",
  ],
  ["an output", workflow(`${both}${reads("blocks.build.outputs.stdot")}`), "blocks.build.outputs.stdot", "stdout"],
  ["a shortcut", workflow(`${both}${reads("blocks.build.suceeded")}`), "blocks.build.suceeded", "succeeded"],
  [
    "metadata of a block",
    workflow(`${both}${reads("blocks.build.metadata.statsu")}`),
    "blocks.build.metadata.statsu",
    "status",
  ],
  ["metadata of the run", workflow(shell("a", "condition: \"${metadata.runid} == 'x'\"")), "metadata.runid", "run_id"],
  [
    "metadata in a default",
    workflow(shell("a"), 'inputs: { x: { type: string, description: d, default: "${metadata.workflowname}" } }\n'),
    "metadata.workflowname",
    "workflow_name",
  ],
  ["a field of each", workflow(shell("a", 'for_each: [1], condition: "${each.vaule} == 1"')), "each.vaule", "value"],
  ["a function", workflow(shell("a", "condition: \"${lenn('x')} == 1\"")), "lenn", "len"],
  ["a root", workflow(shell("a", 'condition: "${input.x} == 1"')), "input", "inputs"],
  [
    "a default that is none of the enum",
    workflow(shell("a"), "inputs: { x: { type: string, description: d, enum: [red, green], default: gren } }\n"),
    "gren",
    "green",
  ],
  ["an input of a child", workflow(call('targt: "a"').replace("} } }", ", target: staging } } }")), "targt", "target"],
  ["an enum value of a child's input", workflow(call("target: stagin")), "stagin", "staging"],
  [
    "a block of a child",
    workflow(`${both}${reads("blocks.deploy.blocks.complie.stdout")}`),
    "blocks.deploy.blocks.complie.stdout",
    "compile",
  ],
];

test.each(cases)("a mistake in %s is marked and answered with what was meant", (_what, text, marked, meant) => {
  const problem = onlyProblem(text, { "deploy-app": child });
  expect(problem).toMatchObject({ marked, fix: expect.stringContaining(`'${meant}'`) });
  expect(problem.fix).toMatch(/did you mean/i);
});

test("where nothing is near, what there is is listed", () => {
  const { fix } = onlyProblem(workflow(`${shell("a")}${shell("b", "depends_on: [wholly_other]")}`));
  expect(fix).toBe("Known: a, b.");
});

test("what is listed leaves out other spellings and what can't be used", () => {
  const fix = (text: string): string | undefined => onlyProblem(text).fix;
  expect(fix(workflow("- { id: a, type: Docker }"))).toMatch(/^Known: Shell, ExecuteWorkflow, /);
  expect(fix(workflow("- { id: a, type: Docker }"))).not.toMatch(/\bWorkflow\b/);
  expect(fix(workflow("- { id: a, type: Workflw }"))).toBe("Did you mean 'Workflow'?");
  expect(fix(workflow(shell("a"), "inputs: { x: { type: blob, description: d } }\n"))).toBe(
    "Known: string, integer, number, boolean, array, object, json.",
  );
  expect(fix(workflow(shell("a", 'condition: "${zzz.x} == 1"')))).not.toContain("secrets");
});

test("a long list of what there is, is cut", () => {
  const ids = Array.from({ length: 30 }, (_, index) => `block_number_${index}`);
  const { fix } = onlyProblem(workflow(`${ids.map((id) => shell(id)).join("")}${shell("z", "depends_on: [q]")}`));
  expect(fix).toMatch(/^Known: block_number_0, .*, and 11 more\.$/);
});

test("a block that can't be read is not reported a second time by those that name it", () => {
  const text = workflow(
    `- { id: build, type: Shel }\n${shell("b", 'depends_on: [build], condition: "${blocks.build.failed}"')}`,
  );
  expect(onlyProblem(text).code).toBe("unknown-block-type");
});
