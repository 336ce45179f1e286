import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestEngine } from "../../test/rig/engine.ts";
import { longTimeout, scaled } from "../../test/rig/scale.ts";
import { toValue, type Value } from "../expression/value.ts";
import type { Workflows } from "../library/workflows.ts";
import { atOnce } from "../util/time-slice.ts";
import { openPlan, planSource } from "./open-plan.ts";

/** Whatever was given: a workflow that the real loader takes, or a list of problems that says something. */
function judge(plan: unknown, known: Workflows): "compiled" | "refused" {
  const opened = atOnce(openPlan({ plan }, known));
  if (!opened.ok) {
    expect(opened.error.length).toBeGreaterThan(0);
    for (const { level, message } of opened.error)
      expect([level, message]).toEqual(["error", expect.stringMatching(/\S/)]);
    return "refused";
  }
  const again = known.checkText(planSource(opened.value.text, known));
  expect(again.diagnostics.filter(({ level }) => level === "error")).toEqual([]);
  for (const block of opened.value.checked.plan.definition.blocks) {
    for (const [name, { value }] of block.inputs) {
      // The plan's own inputs are variables of its commands.
      if (name === "env") continue;
      const expressions = value.kind === "compiled" ? value.compiled.expressions : [];
      expect([value.kind, expressions]).toEqual([value.kind === "compiled" ? "compiled" : "literal", []]);
    }
  }
  return "compiled";
}

const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    "a",
    "b",
    "build-app",
    "Build App",
    "build_app",
    "1",
    "",
    " ",
    "__proto__",
    "constructor",
    "${x}",
    "${inputs.x} ${HOME}",
    "click",
    "a: b\nc",
  ),
);
const anything = fc.oneof(
  word,
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer({ min: -3, max: 400 }),
  fc.boolean(),
  fc.constant(null),
);
const actions = fc.constantFrom(
  ...["create_file", "modify_file", "delete_file", "read_file", "run_command", "get_user_input", "browser_act"],
  ...[
    "Shell",
    "HttpCall",
    "http_call",
    "Wait",
    "ExecuteWorkflow",
    "Prompt",
    "ask_user",
    "bash",
    "RenderTemplate",
    "no_such_thing",
  ],
);
const fieldNames = fc.constantFrom(
  ...["path", "content", "command", "args", "working_directory", "prompt", "url", "success_conditions", "old_text"],
  ...["new_text", "operations", "env", "inputs", "parameters", "choices", "duration", "timeout_seconds", "max_retries"],
  ...[
    "rollback_on_fail",
    "description",
    "depends_on",
    "step_id",
    "id",
    "nonsense",
    "template",
    "target",
    "value",
    "action",
    "type",
    "notes",
    "schema",
  ],
);
const step = fc
  .tuple(
    fc.option(actions),
    fc.dictionary(fieldNames, anything, { maxKeys: 6 }),
    fc.constantFrom("action_type", "type", "tool"),
  )
  .map(([action, fields, key]) => (action === null ? fields : { [key]: action, ...fields }));
const steps = fc.array(fc.oneof({ weight: 9, arbitrary: step }, { weight: 1, arbitrary: anything }), { maxLength: 6 });
const plan = fc.oneof(
  steps,
  steps.map((some) => ({ steps: some })),
  fc
    .tuple(steps, fc.dictionary(word, anything))
    .map(([some, more]) => ({ ...more, plan: { overview: "A plan", steps: some } })),
  steps.map((some) => `Here it is:\n\n\`\`\`json\n${JSON.stringify(some, null, 2)}\n\`\`\`\nDone.`),
  fc.jsonValue(),
  fc.string(),
);

test("any value is compiled to a workflow that is valid, or refused with problems", { timeout: longTimeout }, () => {
  const { workflows } = createTestEngine().engine;
  const ends = { compiled: 0, refused: 0 };
  fc.assert(
    fc.property(plan, (given) => {
      ends[judge(given, workflows)] += 1;
    }),
    { numRuns: scaled({ slice: 100, long: 20_000 }) },
  );
  expect(ends.refused).toBeGreaterThan(0);
});

const sound = fc.oneof(
  fc.record({
    action_type: fc.constant("create_file"),
    path: fc.string({ minLength: 1 }),
    content: fc.string({ unit: "binary" }),
  }),
  fc.record({ tool: fc.constant("run_command"), command: fc.array(fc.string({ minLength: 1 }), { minLength: 1 }) }),
  fc.record({ action: fc.constant("ask_user"), prompt: fc.string({ minLength: 1 }) }),
  fc.record({
    type: fc.constant("HttpCall"),
    inputs: fc.record({ url: fc.constant("https://a.example"), method: fc.constant("POST"), json: fc.jsonValue() }),
  }),
);

test("what a plan says stands in the workflow as it is, whatever it looks like", { timeout: longTimeout }, () => {
  const { workflows } = createTestEngine().engine;
  fc.assert(
    fc.property(fc.array(sound, { minLength: 1, maxLength: 4 }), (given) => {
      const opened = atOnce(openPlan({ plan: given }, workflows));
      if (!opened.ok) {
        expect(opened.error.filter(({ message }) => !/^Step \d/.test(message))).toEqual([]);
        return;
      }
      const { blocks } = opened.value.checked.plan.definition;
      for (const [index, { inputs }] of blocks.entries()) {
        for (const [name, { value }] of inputs) {
          expect(value.kind).toBe("literal");
          const said = saidOf(given[index] as Record<string, unknown>)[name];
          // YAML, like JSON, has one zero.
          if (said !== undefined && value.kind === "literal") expect(value.value).toEqual(oneZero(said));
        }
      }
    }),
    { numRuns: scaled({ slice: 50, long: 10_000 }) },
  );
});

function saidOf(step: Record<string, unknown>): Record<string, Value> {
  const { command, inputs, ...fields } = step;
  const said = toValue({ ...fields, ...(inputs as object), ...(command === undefined ? {} : { args: command }) });
  if (!said.ok) throw new Error(said.error);
  return said.value as Record<string, Value>;
}

function oneZero(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
