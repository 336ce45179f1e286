import { describe, expect, test } from "vitest";
import { createTestEngine } from "../../test/rig/engine.ts";
import { atOnce } from "../util/time-slice.ts";
import { type OpenedPlan, openPlan, type PlanRequest } from "./open-plan.ts";

function attempt(plan: unknown, more: Partial<PlanRequest> = {}) {
  return atOnce(openPlan({ plan, ...more }, createTestEngine().engine.workflows));
}

function open(plan: unknown, more: Partial<PlanRequest> = {}): OpenedPlan {
  const opened = attempt(plan, more);
  if (!opened.ok) throw new Error(opened.error.map(({ message }) => message).join("\n"));
  return opened.value;
}

/** All that is said against a plan, each problem with what to do about it. */
function problems(plan: unknown, more: Partial<PlanRequest> = {}): string[] {
  const opened = attempt(plan, more);
  return opened.ok ? [] : opened.error.map(({ message, fix }) => (fix === undefined ? message : `${message} ${fix}`));
}

function blocksOf(plan: unknown, more: Partial<PlanRequest> = {}) {
  return open(plan, more).checked.plan.definition.blocks;
}

const touch = (more: object = {}): object => ({ action_type: "run_command", command: "true", ...more });

describe("a plan in any of its shapes", () => {
  const steps = [touch({ step_id: 1 }), touch({ step_id: 2 })];
  test.each<[string, unknown]>([
    ["a list of steps", steps],
    ["{steps}", { steps }],
    ["{plan: [...]}", { plan: steps }],
    ["{plan: {steps}}", { plan: { steps } }],
    ["{plan: {plan: {steps}}}", { plan: { plan: { steps } } }],
    ["{overview, steps}", { overview: "Two steps", steps }],
    ["its text", JSON.stringify({ steps })],
    ["a text of its text", JSON.stringify(JSON.stringify(steps))],
    ["a map with its text", { plan: JSON.stringify(steps) }],
    ["a fenced block in prose", `Sure.\n\n\`\`\`json\n${JSON.stringify(steps)}\n\`\`\`\nShall I?`],
    ["a fence without a language", `~~~\n${JSON.stringify({ steps }, null, 2)}\n~~~`],
    ["prose without a fence", `I will do this: ${JSON.stringify({ steps })} and then stop.`],
    [
      "lines that end as on Windows",
      `Plan:\r\n\`\`\`json\r\n${JSON.stringify({ steps }, null, 2).replaceAll("\n", "\r\n")}\r\n\`\`\``,
    ],
    [
      "JSON with comments and commas",
      `{"steps": [ // first\n${steps.map((step) => `${JSON.stringify(step)},`).join("\n")}]}`,
    ],
    [
      "YAML",
      "steps:\n  - { step_id: 1, action_type: run_command, command: 'true' }\n  - { step_id: 2, tool: bash, cmd: 'true' }",
    ],
    ["steps by id", { steps: { 1: touch(), 2: touch() } }],
  ])("%s is read", (_, plan) => {
    expect(blocksOf(plan).map(({ id }) => id)).toEqual(["step_1", "step_2"]);
  });

  test("a fence inside of a file's text is no end of the plan", () => {
    const plan = { steps: [{ action_type: "create_file", path: "README.md", content: "```sh\nnpm test\n```\n" }] };
    expect(
      blocksOf(`\`\`\`json\n${JSON.stringify(plan, null, 2)}\n\`\`\``)[0]?.inputs.get("content")?.value,
    ).toMatchObject({
      value: "```sh\nnpm test\n```\n",
    });
  });

  test.each<[unknown, RegExp]>([
    ["", /empty/],
    ["I can't do that.", /no plan in the text/],
    ['```json\n{"steps": [}\n```', /line 2 is not valid JSON/],
    [[], /has no steps/],
    [{ steps: [] }, /has no steps/],
    [7, /has no steps: it is the number 7/],
    [{ goals: [] }, /has no steps/],
    [
      `\`\`\`json\n[${JSON.stringify(touch())}]\n\`\`\`\n\`\`\`json\n[${JSON.stringify(touch({ max_retries: 0 }))}]\n\`\`\``,
      /2 plans/,
    ],
  ])("%j is refused", (plan, message) => {
    expect(problems(plan)).toEqual([expect.stringMatching(message)]);
  });
});

describe("order", () => {
  test("steps that name no dependency run in order", () => {
    const edges = blocksOf([touch(), touch(), touch()]).map(({ dependsOn }) => dependsOn.map(({ block }) => block));
    expect(edges).toEqual([[], ["step_1"], ["step_2"]]);
  });

  test("steps run as declared where any of them names a dependency", () => {
    const edges = (plan: unknown): unknown =>
      blocksOf(plan).map(({ dependsOn }) => dependsOn.map(({ block }) => block));
    expect(edges([touch(), touch(), touch({ depends_on: [0] })])).toEqual([[], [], ["step_1"]]);
    expect(edges([touch({ id: "a" }), touch({ id: "b" }), touch({ id: "c", needs: "a, b" })])).toEqual([
      [],
      [],
      ["a", "b"],
    ]);
    expect(edges([touch({ id: 7 }), touch({ id: 8, dependsOn: "7" })])).toEqual([[], ["step_7"]]);
    expect(edges([touch({ depends_on: [] }), touch({ depends_on: [] })])).toEqual([[], []]);
  });

  test("a cycle is an error that names the way around", () => {
    const plan = [
      touch({ id: "a", depends_on: ["c"] }),
      touch({ id: "b", depends_on: ["a"] }),
      touch({ id: "c", depends_on: "b" }),
    ];
    expect(problems(plan)).toEqual([
      "Step 1 (a) waits for itself: step 1 (a) -> step 3 (c) -> step 2 (b) -> step 1 (a). Remove one of these dependencies.",
    ]);
    expect(problems([touch({ depends_on: [0] })])).toEqual([
      "Step 1 depends on itself. Remove it from its depends_on.",
    ]);
  });

  test("a dependency that there is not is an error", () => {
    expect(problems([touch({ id: "build" }), touch({ id: "test", depends_on: ["biuld"] })])).toEqual([
      "Step 2 (test) depends on 'biuld', which is no step of the plan. Did you mean 'build'?",
    ]);
    expect(problems([touch(), touch({ depends_on: [2] })])).toEqual([
      "Step 2 depends on '2', which is no step of the plan. No step has a step_id, so steps are counted from 0: 0 to 1.",
    ]);
  });

  test("ids become ids of blocks, each its own, and the text tells which is which", () => {
    const { steps, text } = open(
      ["a-b", "a_b", "A b", "2nd", "constructor", "ünïcode", 5].map((id) => touch({ step_id: id })),
    );
    const blocks = ["a_b", "a_b_2", "a_b_3", "step_2nd", "step_constructor", "unicode", "step_5"];
    expect(steps.map(({ block }) => block)).toEqual(blocks);
    expect(steps.map(({ id }) => id)).toEqual(["a-b", "a_b", "A b", "2nd", "constructor", "ünïcode", "5"]);
    expect(text).toContain('# step_id "a-b"\n  - id: a_b\n');
  });
});

describe("what a step becomes", () => {
  const one = (step: object): string => open([step]).text.slice(open([step]).text.indexOf("    type:"));

  test("retries, timeouts and rollback are those of the step, or the usual ones", () => {
    expect(one(touch())).toBe(
      '    type: Shell\n    inputs: { command: "true" }\n    retry: { max_retries: 2 }\n    timeout: 300\n',
    );
    expect(one(touch({ max_retries: "0", timeout: "30s" }))).toContain("    timeout: 30\n");
    expect(one(touch({ max_retries: 5, timeout_ms: 500 }))).toContain(
      "    retry: { max_retries: 5 }\n    timeout: 0.5\n",
    );
    expect(one({ action_type: "get_user_input", prompt: "Go on?" })).not.toMatch(/retry|timeout/);
  });

  test("a plan rolls back unless all its steps say otherwise", () => {
    expect(open([touch()]).text).toContain("\non_failure: rollback\n");
    const mixed = open([touch(), touch({ rollback_on_fail: false })]).text;
    expect(mixed.match(/on_failure: \w+/g)).toEqual(["on_failure: rollback", "on_failure: continue"]);
    const none = open([touch({ rollback_on_fail: "false" })]).text;
    expect(none).not.toContain("on_failure");
    expect(none).toContain("effects: observe");
    expect(
      open([touch(), touch({ rollback_on_fail: false })], { onFailure: "stop" }).text.match(/on_failure: \w+/g),
    ).toEqual(["on_failure: stop"]);
  });

  test.each<[object, string, object]>([
    [{ action_type: "create_file", path: "a", content: "b" }, "CreateFile", { path: "a", content: "b" }],
    [
      { action: "write_file", file: "a.json", content: { b: 1 } },
      "CreateFile",
      { path: "a.json", content: '{\n  "b": 1\n}\n' },
    ],
    [
      { action_type: "modify_file", path: "a", content: "b" },
      "CreateFile",
      { path: "a", content: "b", overwrite: true },
    ],
    [
      { tool: "edit_file", path: "a", old_str: "b", new_str: "c" },
      "EditFile",
      { path: "a", operations: [{ type: "replace_text", old_text: "b", new_text: "c" }] },
    ],
    [
      {
        tool: "modify_file",
        path: "a",
        edits: [
          { search: "b", replace: "c" },
          { type: "delete_lines", line_start: 1 },
        ],
      },
      "EditFile",
      {
        path: "a",
        operations: [
          { type: "replace_text", old_text: "b", new_text: "c" },
          { type: "delete_lines", line_start: 1 },
        ],
      },
    ],
    [{ action_type: "delete_file", path: "a" }, "DeleteFile", { path: "a" }],
    [{ action_type: "read_file", path: "a" }, "ReadFile", { path: "a" }],
    [{ action_type: "run_command", command: "npm", args: ["run", "b c"] }, "Shell", { args: ["npm", "run", "b c"] }],
    [{ action_type: "run_command", command: "cd x && ls", args: ["b c"] }, "Shell", { command: "cd x && ls 'b c'" }],
    [
      { action_type: "run_command", command: ["ls", "-l"], cwd: "x" },
      "Shell",
      { args: ["ls", "-l"], working_dir: "x" },
    ],
    [{ action_type: "run_command", command: "a\r\nb" }, "Shell", { command: "a\nb" }],
    [
      { action_type: "run_command", command: 'inputs=(a b); echo "${inputs[1]}"' },
      "Shell",
      { args: ["bash", "-c", 'inputs=(a b); echo "${inputs[1]}"'] },
    ],
    [
      { action_type: "get_user_input", description: "Which one?" },
      "Prompt",
      { prompt: "Which one?", audience: "human" },
    ],
    [{ action: { type: "run_command", parameters: null, command: "ls" } }, "Shell", { command: "ls" }],
    [{ tool: "run_command", parameters: { command: "ls" }, reason: "To see" }, "Shell", { command: "ls" }],
    [
      { action_type: "browser_act", action: "click", selector: "text=Pay ${x}", url: "https://a.example/?${inputs.x}" },
      "Browser",
      { action: "click", url: "https://a.example/?${inputs.x}", target: "text=Pay $${x}" },
    ],
    [{ tool: "browser", url: "https://a.example" }, "Browser", { action: "navigate", url: "https://a.example" }],
    [
      { action_type: "RenderTemplate", inputs: { template: "{{ name }} ${inputs.x}", variables: { name: "${y}" } } },
      "RenderTemplate",
      { template: "{{ name }} $${inputs.x}", variables: { name: "${y}" } },
    ],
    [{ action_type: "HttpCall", inputs: { url: "https://a.example" } }, "HttpCall", { url: "https://a.example" }],
    [{ action_type: "http_call", url: "https://a.example" }, "HttpCall", { url: "https://a.example" }],
    [
      { action_type: "ExecuteWorkflow", workflow: "hello", inputs: { name: "${x}" } },
      "ExecuteWorkflow",
      { workflow: "hello", inputs: { name: "${x}" } },
    ],
    [
      { action_type: "ExecuteWorkflow", inputs: { workflow: "hello", inputs: { name: "a" } } },
      "ExecuteWorkflow",
      { workflow: "hello", inputs: { name: "a" } },
    ],
  ])("%j is a block of type %s", (step, type, inputs) => {
    const [block] = blocksOf([step]);
    const literal = [...(block?.inputs ?? [])].map(([name, { value }]) => [
      name,
      value.kind === "literal" ? value.value : value.kind === "compiled" ? value.text.text : value,
    ]);
    expect([block?.type.type, Object.fromEntries(literal)]).toEqual([type, inputs]);
    const live = [...(block?.inputs ?? [])].filter(
      ([, { value }]) => value.kind === "compiled" && value.compiled.expressions.length > 0,
    );
    expect(live).toEqual([]);
  });

  test("what has to hold is checked, and what can't be is said", () => {
    const conditions = ["exit code 3", "file 'dist/app.js' exists", 'stdout contains "it\'s ${done}"', "All is well"];
    const { text, warnings } = open([touch({ success_conditions: conditions })]);
    expect(text).toContain('# not checked: "All is well"');
    expect(text).toContain("      exit_code: 3\n      file_exists: dist/app.js\n");
    expect(warnings.map(({ code }) => code)).toEqual(["not-checked"]);
    expect(open([touch({ success_conditions: { type: "stdout_contains", value: "x" } })]).text).toContain(
      "contains(this.stdout, 'x')",
    );
    expect(problems([touch({ success_conditions: [{ colour: "red" }] })])).toEqual([
      expect.stringContaining("'colour', which can't be checked"),
    ]);
  });

  test("inputs of a plan are inputs of the workflow, and variables of its commands", () => {
    const plan = {
      inputs: { who: "world", count: { type: "integer", default: 2 } },
      steps: [touch({ command: 'echo "$who"' })],
    };
    const { definition } = open(plan).checked.plan;
    expect([...definition.inputs.values()].map(({ name, type, required }) => [name, type, required])).toEqual([
      ["who", "string", false],
      ["count", "integer", false],
    ]);
    expect(open(plan).text).toContain('env: { who: "${inputs.who}", count: "${inputs.count}" }');
  });
});

test("an unknown action is refused", () => {
  expect(problems([{ action_type: "run_comand", command: "ls" }])).toEqual([
    "Step 1 has the unknown action 'run_comand'. Did you mean 'run_command'?",
  ]);
  expect(problems([{ action_type: "send_email", to: "a" }])[0]).toMatch(
    /^Step 1 has the unknown action 'send_email'\. Known: create_file, .*or any block type/,
  );
});

test("all that is wrong with a plan is said at once, step by step", () => {
  const plan = {
    max_paralel: 2,
    steps: [
      { step_id: "a", command: "ls" },
      { step_id: "a", action_type: "create_file", path: ["x"], contnet: "y" },
      "ls",
      {
        step_id: "d",
        action_type: "run_command",
        command: "echo '",
        depends_on: ["e"],
        max_retries: -1,
        timeout: "soon",
      },
      { step_id: "f", action_type: "modify_file", path: "x", new_text: "y", depends_on: ["g"] },
      { step_id: "g", action_type: "HttpCall", inputs: { urll: "https://a.example" }, depends_on: ["f"] },
    ],
  };
  expect(problems(plan)).toEqual([
    "The plan has the unknown field 'max_paralel'. Did you mean 'max_parallel'?",
    expect.stringMatching(/^Step 1 \(a\) has no 'action_type'\. Say what it does: create_file,/),
    "Step 2 (a) has a 'path' that must be a text, not a list of 1.",
    "Step 2 (a) has the field 'contnet', which create_file does not take. Did you mean 'content'?",
    "Step 2 (a) has no 'content', which create_file needs.",
    "Step 2 (a) has the step_id of step 1. Give each step an id of its own.",
    expect.stringMatching(/^Step 3 must be a map, not the text 'ls'\./),
    "Step 4 (d) has a 'max_retries' that must be a whole number from 0 to 99, not the number -1.",
    expect.stringMatching(/^Step 4 \(d\) has a 'timeout_seconds' that must be a number of seconds/),
    expect.stringMatching(/^Step 4 \(d\) depends on 'e', which is no step of the plan\./),
    "Step 4 (d): The shell can't read this: unterminated single quote.",
    "Step 5 (f) has no 'old_text'. Give old_text and new_text, or content for all of the file.",
    "Step 5 (f) waits for itself: step 5 (f) -> step 6 (g) -> step 5 (f). Remove one of these dependencies.",
    "Step 6 (g): HttpCall has no input 'urll'. Did you mean 'url'?",
  ]);
});
