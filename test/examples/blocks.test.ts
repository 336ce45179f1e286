import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { blockTypes } from "../../src/blocks/index.ts";
import type { Value } from "../../src/expression/value.ts";
import { browserVariables } from "../rig/browser.ts";
import { createTestEngine } from "../rig/engine.ts";

// Before any test begins: it may have to be fetched.
const variables = browserVariables();

interface Expected {
  readonly outputs: Readonly<Record<string, Value>>;
  readonly answers?: Readonly<Record<string, Value>>;
}

const directory = "examples/blocks";
const helloWorld = readFileSync("workflows/examples/hello-world.yaml", "utf8");

const examples: Readonly<Record<string, Expected>> = {
  agent: { outputs: { said: "", cost: null } },
  browser: { outputs: { greets: false, said: "no welcome at http://127.0.0.1:65534/" } },
  "copy-file": { outputs: { text: "one\n" } },
  "create-file": { outputs: { size: 19, is_new: true } },
  "create-worktree": { outputs: { branch: "feature/leaf", is_new: true } },
  "delete-file": { outputs: { gone: true } },
  "edit-file": { outputs: { added: 2, removed: 1 } },
  "execute-workflow": { outputs: { greeting: "Hello, fern!" } },
  "http-call": { outputs: { healthy: false, said: "not healthy (status 0)" } },
  "llm-call": { outputs: { kind: "unknown", said: "not sorted (status 0)" } },
  "make-dir": { outputs: { is_new: true } },
  "merge-json-state": { outputs: { found: true } },
  "move-file": { outputs: { text: "done\n" } },
  prompt: { answers: { how_many: "3" }, outputs: { copies: 3 } },
  "read-file": { outputs: { found: false, text: "" } },
  "read-json-state": { outputs: { found: false, data: {} } },
  "remove-worktree": { outputs: { gone: true } },
  "render-template": { outputs: { text: "- FERN\n- MOSS\n" } },
  "restore-files": { outputs: { restored: 1, conflicts: [] } },
  shell: { outputs: { letters: 13 } },
  wait: { outputs: { waited_ms: 0, said: "deployed" } },
  "write-json-state": { outputs: { phase: "tests" } },
};

function exampleName(type: string): string {
  return type.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "-").toLowerCase();
}

test("every block type has an example, and every example is run here", () => {
  const files = readdirSync(directory).map((file) => file.replace(/\.yaml$/, ""));
  const types = blockTypes.map(({ type }) => exampleName(type));
  expect(files.sort()).toEqual(Object.keys(examples).sort());
  expect(types.sort()).toEqual(files);
});

describe.each(Object.entries(examples))("examples/blocks/%s.yaml", (name, { outputs, answers = {} }) => {
  test("has no problem, not even a hint, and gives what it says", async () => {
    const engine = createTestEngine({ workflows: { "hello-world": helloWorld }, environment: variables });
    const text = readFileSync(join(directory, `${name}.yaml`), "utf8");
    expect(engine.check(text).diagnostics).toEqual([]);
    const run = await engine.start(text);
    let outcome = await run.settled;
    for (const [block, answer] of Object.entries(answers)) {
      expect((await run.answer(block, answer)).ok).toBe(true);
      outcome = await run.goOn();
    }
    expect(outcome.response).toMatchObject({ status: "success", outputs });
  });
});
