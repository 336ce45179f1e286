import { expect, test } from "vitest";
import { redactResult } from "./redact-result.ts";
import { Redactor } from "./redactor.ts";

const secret = "kanarienvogel";
const redactor = new Redactor(new Map([["NAME", secret]]));

test("a question shows no secret in any of its parts", () => {
  const question = {
    text: `Is it ${secret}?`,
    audience: "human",
    schema: { enum: [secret, { const: `a ${secret}` }] },
    choices: ["yes", secret],
    default: [secret],
  } as const;
  const hidden = "[secret NAME]";
  expect(JSON.parse(JSON.stringify(redactResult({ kind: "paused", question }, redactor)))).toEqual({
    kind: "paused",
    question: {
      text: `Is it ${hidden}?`,
      audience: "human",
      schema: { enum: [hidden, { const: `a ${hidden}` }] },
      choices: ["yes", hidden],
      default: [hidden],
    },
  });
});
