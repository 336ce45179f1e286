import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const page = readFileSync("CONTRIBUTING.md", "utf8");
const [, recipe = ""] = /## Add a block type in ten minutes\n(.*?)\n## /s.exec(page) ?? [];

/** The code of a step, by its number. */
function codeOf(step: number): string {
  const [, text = ""] = new RegExp(`^${step}\\. (.*?)(?=^\\d\\. |$(?![^]))`, "ms").exec(recipe) ?? [];
  const [, code] = /```ts\n(.*?)\n {3}```/s.exec(text) ?? [];
  if (code === undefined) throw new Error(`Step ${step} of the recipe has no code.`);
  return code.replaceAll(/^ {3}/gm, "");
}

/** A copy of the sources, in which nothing can be broken. */
function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), "frond-recipe-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  const parts = [
    "src",
    "test/rig",
    "test/blocks/contract.test.ts",
    "scripts",
    "workflows",
    "examples",
    "schema",
    "docs",
  ];
  const files = [
    ".gitignore",
    "package.json",
    "tsconfig.json",
    "vitest.config.ts",
    "biome.json",
    "README.md",
    "ARCHITECTURE.md",
  ];
  for (const part of [...parts, ...files, "test/promises"]) cpSync(part, join(copy, part), { recursive: true });
  symlinkSync(join(process.cwd(), "node_modules"), join(copy, "node_modules"));
  return copy;
}

test("a block type is added by the steps of CONTRIBUTING.md, and nothing else", { timeout: 600_000 }, () => {
  const copy = copySources();
  const edit = (file: string, change: (text: string) => string): void => {
    const path = join(copy, file);
    writeFileSync(path, change(readFileSync(path, "utf8")));
  };
  writeFileSync(join(copy, "src/blocks/count-words.ts"), codeOf(1));
  writeFileSync(join(copy, "src/blocks/count-words.test.ts"), codeOf(2));
  edit("src/blocks/index.ts", (text) =>
    `import { countWords } from "./count-words.ts";\n${text}`.replace("\n];", "\n  countWords,\n];"),
  );
  edit("test/blocks/contract.test.ts", (text) =>
    text.replace("  Prompt: { prompt", `${codeOf(4)}\n  Prompt: { prompt`),
  );
  const run = (...command: string[]): void =>
    void execFileSync(process.execPath, command, { cwd: copy, stdio: "pipe" });
  run("scripts/build.js");
  run("scripts/generate.js");
  // Of the suite for every block type, its own: the others are the same here as anywhere.
  const tests = ["src/blocks/count-words.test.ts", "test/blocks/contract.test.ts"];
  run("node_modules/vitest/vitest.mjs", "run", "--project", "together", ...tests, "-t", "CountWords|words are counted");
  expect(readFileSync(join(copy, "schema/workflow.schema.json"), "utf8")).toContain('"CountWords"');
  expect(readFileSync(join(copy, "docs/blocks.md"), "utf8")).toContain("## CountWords\n\nCounts the words of a text.");
});
