import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";

test("a var has the value of its expression wherever it is read", async () => {
  const engine = createTestEngine();
  const { response } = await engine.run({
    inputs: { app: { type: "string", description: "d", default: "it's" } },
    vars: {
      version: "${from_json(blocks.meta.stdout).version}",
      tag: "${inputs.app}:${vars.version}",
      isNew: "${vars.version} == '2.0'",
      list: ["a", "${vars.tag}"],
    },
    blocks: [
      { id: "meta", type: "Shell", inputs: { command: 'echo \'{"version": "2.0"}\'' } },
      {
        id: "show",
        type: "Shell",
        condition: "${vars.isNew}",
        inputs: { command: "printf '%s|' ${vars.tag} \"<${vars.version}>\" ${vars.list}" },
      },
      { id: "words", type: "Shell", inputs: { command: "echo ${vars.tag} ${vars.list}", shell: false } },
      { id: "old", type: "Shell", condition: "not ${vars.isNew}", inputs: { command: "true" } },
    ],
    outputs: {
      shown: "${blocks.show.stdout}",
      words: "${trim(blocks.words.stdout)}",
      old: "${blocks.old.skipped}",
      second: "${vars.list[1]}",
      isNew: "${vars.isNew}",
      text: "new: ${vars.isNew}, ${vars.tag}",
    },
  });
  expect(response.outputs).toEqual({
    shown: "it's:2.0|<2.0>|a|it's:2.0|",
    words: "it's:2.0 a it's:2.0",
    old: true,
    second: "it's:2.0",
    isNew: true,
    text: "new: true, it's:2.0",
  });
});

test("a value that a var leads to is never read as an expression", async () => {
  const engine = createTestEngine();
  const { response } = await engine.run(
    {
      inputs: { text: { type: "string", description: "d", default: "x" } },
      vars: { text: "<${inputs.text}>" },
      blocks: [{ id: "a", type: "Shell", inputs: { command: "true" } }],
      outputs: { text: "${vars.text}" },
    },
    { inputs: { text: "${vars.text} ${inputs.text}" } },
  );
  expect(response.outputs).toEqual({ text: "<${vars.text} ${inputs.text}>" });
});

test("what can't be read through a var is told with its name", async () => {
  const engine = createTestEngine();
  const { response } = await engine.run({
    vars: { version: "${from_json(blocks.meta.stdout).version}" },
    blocks: [
      { id: "meta", type: "Shell", inputs: { command: "echo '{}'" } },
      { id: "show", type: "Shell", inputs: { command: "echo ${vars.version}" } },
    ],
  });
  expect(response.failed_blocks?.[0]?.message).toContain(
    "${vars.version}: from_json(...).version does not exist: from_json(...) is empty.",
  );
});

test("a run with vars goes on after a pause", async () => {
  const engine = createTestEngine();
  const run = await engine.start({
    vars: { answer: "${upper(blocks.ask.response)}" },
    blocks: [
      { id: "ask", type: "Prompt", inputs: { prompt: "Which?" } },
      { id: "show", type: "Shell", inputs: { command: "echo ${vars.answer}" } },
    ],
    outputs: { shown: "${trim(blocks.show.stdout)}" },
  });
  await run.settled;
  await run.answer("ask", "b");
  const { response } = await run.goOn();
  expect(response.outputs).toEqual({ shown: "B" });
});
