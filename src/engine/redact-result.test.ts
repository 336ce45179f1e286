import { expect, test } from "vitest";
import type { StoredState } from "./events.ts";
import { redactResult, withoutSecretContent } from "./redact-result.ts";
import { Redactor } from "./redactor.ts";

const secret = "kanarienvogel";
const redactor = new Redactor(new Map([["NAME", secret]]));

test("a question shows no secret in any of its parts", () => {
  const prompt = {
    text: `Is it ${secret}?`,
    audience: "human",
    schema: { enum: [secret, { const: `a ${secret}` }] },
    choices: ["yes", secret],
    default: [secret],
  } as const;
  const hidden = "[secret NAME]";
  expect(JSON.parse(JSON.stringify(redactResult({ kind: "paused", prompt }, redactor)))).toEqual({
    kind: "paused",
    prompt: {
      text: `Is it ${hidden}?`,
      audience: "human",
      schema: { enum: [hidden, { const: `a ${hidden}` }] },
      choices: ["yes", hidden],
      default: [hidden],
    },
  });
});

test("a file that holds a secret is not kept, whatever becomes of it", () => {
  const place = { root: "/", path: "a" };
  const rest = { kind: "file", mode: 0o644, sha256: "", size: 1 } as const;
  const holding = (text: string): StoredState => ({ ...rest, content: Buffer.from(text).toString("base64") });
  const changesOf = (state: StoredState) =>
    [
      { kind: "write", place, before: state, after: rest, temporary: "t" },
      { kind: "remove", place, before: state },
      { kind: "rename", from: place, to: place, replaced: state },
    ] as const;
  const kept = (state: StoredState) => changesOf(state).map((change) => withoutSecretContent(change, redactor));
  expect(kept(holding(`token=${secret}`))).toEqual(changesOf(rest));
  expect(kept(holding("harmless"))).toEqual(changesOf(holding("harmless")));
});
