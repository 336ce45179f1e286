import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { promises } from "./promises.ts";

const tests = ["src", "test"]
  .flatMap((root) => readdirSync(root, { recursive: true, encoding: "utf8" }).map((file) => `${root}/${file}`))
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

describe.each(Object.entries(promises))("%s", (document, promised) => {
  const text = readFileSync(document, "utf8").replaceAll(/\s+/g, " ");

  test.each(promised)("promises: $words", ({ words, keptBy }) => {
    expect(text.includes(words), `${document} still says so`).toBe(true);
    expect(tests.includes(`"${keptBy}`), `there is a test called ${keptBy}`).toBe(true);
  });
});
