import * as z from "zod";
import { compileAnswerSchema } from "../block/answer-schema.ts";
import {
  BlockCannotRun,
  type BlockType,
  type InputProblem,
  type Question,
  type WrittenInputs,
} from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import { isMap, type Value, type ValueMap } from "../expression/value.ts";
import { defined } from "../util/defined.ts";

const inputs = () =>
  z.strictObject({
    prompt: z.string().min(1).describe("The question"),
    audience: z
      .enum(["llm", "human"])
      .default("llm")
      .describe("Who is to answer; a human's answer can't be given by a model"),
    schema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("JSON Schema the answer must fit, as a JSON value or its text; without it the answer is text"),
    choices: z.array(z.string()).min(1).optional().describe("The answers that are possible, exactly as written"),
    default: z.unknown().optional().describe("Taken when the answer is empty; never answers by itself"),
  });

export const prompt: BlockType = defineLeaf({
  type: "Prompt",
  summary: "Asks the model or a person a question; the run pauses until it is answered, however long that takes.",
  inputs,
  outputs: () =>
    z.strictObject({
      response: z
        .unknown()
        .describe("The answer: text, and 2 or true given as JSON are too; with a schema, a value that fits it"),
    }),
  otherNames: {
    ...{ message: "prompt", question: "prompt", text: "prompt", title: "prompt", label: "prompt" },
    ...{ options: "choices", answers: "choices", values: "choices", enum: "choices", default_value: "default" },
  },
  defaultOutputs: { response: null },
  timeoutHint: "It waits for its answer as long as that takes, and a pause costs nothing.",
  check: checkSchema,
  capabilities: ["prompts"],
  pure: true,
  undo: "not_needed",
  onInterrupted: "rerun",
  run: async (input) => ({ kind: "paused", question: askable(request(input)) }),
  resume: async (_input, answer) => ({ kind: "succeeded", outputs: { response: answer } }),
});

/** A question that no answer could ever fit must not be asked. */
function askable(question: Question): Question {
  const compiled = question.schema === undefined ? undefined : compileAnswerSchema(question.schema);
  if (compiled?.ok === false) throw new BlockCannotRun(`The schema of the answer can't be used: ${compiled.error}.`);
  return question;
}

function request({ prompt: text, audience, schema, choices, default: fallback }: InputsOf<typeof inputs>): Question {
  return {
    text,
    audience,
    ...defined({
      schema: schema as ValueMap | undefined,
      choices,
      default: fallback as Value | undefined,
    }),
  };
}

function checkSchema({ schema, choices }: WrittenInputs): InputProblem[] {
  const problems: InputProblem[] = [];
  if (schema !== undefined && choices !== undefined) {
    const message = "a Prompt takes a schema or choices, not both.";
    problems.push({
      code: "two-answer-rules",
      level: "error",
      message,
      fix: "Put the choices into the schema as `enum`.",
      input: "choices",
    });
  }
  if (schema?.known && isMap(schema.value)) {
    const compiled = compileAnswerSchema(schema.value);
    if (!compiled.ok) {
      const message = `the schema of the answer can't be used: ${compiled.error}.`;
      problems.push({ code: "bad-answer-schema", level: "error", message, input: "schema" });
    }
  }
  return problems;
}
