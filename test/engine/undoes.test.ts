import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";

const undoes = {
  block: "deploy/publish",
  attempt: 2,
  outcome: "n/a",
  status: "failed",
  inputs: { tag: "$(touch pwned) ${secrets.CANARY}", list: [1, { a: null }] },
  outputs: { id: "7; x" },
};

test("in a block that undoes another, `block` is what it says", async () => {
  const engine = createTestEngine({ secrets: { CANARY: "tweet" } });
  const { response } = await engine.run({
    blocks: [
      {
        id: "back",
        type: "Shell",
        undoes,
        condition: "${block.attempt.outcome} != 'success' and ${block.attempt.status} == 'failed'",
        inputs: {
          command:
            'printf "%s|" ${block.inputs.tag} ${block.outputs.id} ${block.attempt.number} "${block.outputs.gone}" "$LIST"',
          env: { LIST: "${json(block.inputs.list)}" },
        },
      },
      { id: "words", type: "Shell", undoes, inputs: { command: "printf %s, ${block.outputs.id}", shell: false } },
      { id: "not_needed", type: "Shell", undoes, condition: "${block.inputs.list[0]} > 1", inputs: { command: "x" } },
    ],
    outputs: {
      back: "${blocks.back.stdout}",
      words: "${blocks.words.stdout}",
      skipped: "${blocks.not_needed.skipped}",
    },
  });
  expect(response.outputs).toEqual({
    back: '$(touch pwned) ${secrets.CANARY}|7; x|2||[1,{"a":null}]|',
    words: "7; x,",
    skipped: true,
  });
});
