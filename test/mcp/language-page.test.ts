import { describe, expect, test } from "vitest";
import { blockTypes } from "../../src/blocks/index.ts";
import { functions } from "../../src/expression/functions.ts";
import { languageKeys } from "../../src/library/describe-keys.ts";
import { exampleWorkflows } from "../../src/library/language-examples.ts";
import { writeLanguagePage } from "../../src/library/language-page.ts";
import { createTestEngine } from "../rig/engine.ts";
import { createFrond } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";

test("get_workflow_schema without arguments is a page that says all of the language in under 11,400 characters", async () => {
  const { call } = await connect(createFrond());
  const { text: page, data } = await call("get_workflow_schema");
  expect(page.length).toBeLessThan(11_400);
  expect(data, "no data, which some clients show instead of the text").toBeUndefined();
  for (const { name, parameters } of functions.values()) {
    const taken = parameters.map(({ name: parameter, optional }) => `${parameter}${optional ? "?" : ""}`).join(", ");
    expect(page).toContain(`${name}(${taken}) -> `);
  }
  for (const { type } of blockTypes) if (type !== "group") expect(page).toMatch(new RegExp(`^- ${type}\\(`, "m"));
  for (const name of ["workflow keys", "block keys"]) {
    for (const key of languageKeys[name] ?? []) expect(page, key.name).toMatch(new RegExp(`\\b${key.name}\\b`));
  }
  for (const text of exampleWorkflows) expect(page).toContain(text);
  for (const word of [
    "required: false",
    "allow_failure",
    "finally",
    "rerun_workflow",
    "save_workflow",
    "frond trust",
  ]) {
    expect(page).toContain(word);
  }
});

test("the shape of a file is one that has no problem, not even a hint", () => {
  const engine = createTestEngine();
  const [, shape = ""] = /```yaml\n(.*?)```/s.exec(writeLanguagePage(engine.engine.workflows.catalog)) ?? [];
  expect(shape).toContain("name: build-and-test");
  expect(engine.check(shape).diagnostics).toEqual([]);
});

const expected: Readonly<
  Record<string, { readonly answers?: Readonly<Record<string, string>>; readonly outputs: object }>
> = {
  "check-project": { outputs: { files: expect.any(Number), has_todo: false } },
  "test-packages": { outputs: { built: ["built leaf", "built stem"], failed: ["stem"] } },
  "release-with-approval": { answers: { ask: "yes" }, outputs: { said: "queued" } },
};

describe.each(exampleWorkflows)("the example %#", (text) => {
  test("has no problem, not even a hint, and gives what it says", async () => {
    const engine = createTestEngine();
    expect(engine.check(text).diagnostics).toEqual([]);
    const [, name = ""] = /^name: (.*)$/m.exec(text) ?? [];
    const { answers = {}, outputs } = expected[name] ?? { outputs: { missing: "in this test" } };
    const run = await engine.start(text);
    let outcome = await run.settled;
    for (const [block, answer] of Object.entries(answers)) {
      expect((await run.answer(block, answer)).ok).toBe(true);
      outcome = await run.goOn();
    }
    expect(outcome.response).toMatchObject({ status: "success", outputs });
  });
});

test("with block_type there is all that the type takes and gives, and an example", async () => {
  const { call } = await connect(createFrond());
  for (const { type } of blockTypes) {
    const { text } = await call("get_workflow_schema", { block_type: type });
    expect(text.length, type).toBeLessThan(4_000);
    expect(text.startsWith(`## ${type}\n`), type).toBe(true);
    for (const part of ["| input |", "```yaml\nname: ", `type: ${type}\n`]) expect(text, type).toContain(part);
  }
  expect((await call("get_workflow_schema", { block_type: "Bash" })).data.errors[0].code).toBe("unknown-block-type");
});
