import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";

const documents = [
  "README.md",
  "docs/browser.md",
  "docs/language.md",
  "docs/machines.md",
  "docs/schedules.md",
  "docs/shell-values.md",
  "docs/undo.md",
  "docs/budgets.md",
  "docs/models.md",
  "docs/agents.md",
];
const head = "name: from-the-documents\ndescription: Made whole by the test\n";
const someBlock = "blocks:\n  - { id: some, type: Shell, inputs: { command: ls } }\n";

function yamlIn(document: string): string[] {
  return [...readFileSync(document, "utf8").matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1] ?? "");
}

/** Fragments are made whole; a fragment may name what stands outside it. */
function whole(text: string): string {
  if (/^\s*- id:/.test(text)) return `${head}blocks:\n${text}`;
  if (/^\s+outputs:/.test(text))
    return `${head}blocks:\n  - id: a\n    type: Shell\n    inputs: { command: ls }\n${text}`;
  if (text.startsWith("inputs:") && /^blocks:/m.test(text)) return `${head}${text}`;
  if (/^(inputs|outputs):/.test(text)) return `${head}${someBlock}${text}`;
  if (/^blocks: \.\.\.$/m.test(text))
    return text.replaceAll(/^(inputs|outputs): \.\.\.\n/gm, "").replace("blocks: ...\n", someBlock);
  if (text.startsWith("runs_on:"))
    return `${head}${someBlock}inputs: { branch: { type: string, description: d, default: main } }\n${text}`;
  return /^(blocks|vars|env):/.test(text) ? `${head}${text}` : text;
}

const outsideTheFragment = new Set(["unknown-block", "unknown-input", "unknown-workflow", "path-not-allowed"]);

describe.each(documents)("%s", (document) => {
  test.each(yamlIn(document).map((text) => [text.split("\n").find((line) => /\w/.test(line)) ?? "", text]))(
    "shows YAML that is right: %s",
    (_, text) => {
      const { diagnostics } = createTestEngine().check(whole(text));
      const wrong = diagnostics.filter(({ level, code }) => level !== "hint" && !outsideTheFragment.has(code));
      expect(wrong.map(({ message }) => message)).toEqual([]);
    },
  );
});

test("the example of blocks inside blocks in the documents is the one in examples/", () => {
  expect(yamlIn("docs/language.md")).toContain(readFileSync("examples/blocks-in-blocks.yaml", "utf8"));
});

test("the workflow in the README is the one in examples/", () => {
  expect(yamlIn("README.md")).toEqual([readFileSync("examples/release-check.yaml", "utf8")]);
});
