import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Value } from "../../src/expression/value.ts";
import { browserVariables } from "../rig/browser.ts";
import { createTestEngine } from "../rig/engine.ts";

// Before any test begins: it may have to be fetched.
const variables = browserVariables();

interface Expected {
  /** Success unless it says otherwise. */
  readonly status?: "failure";
  readonly outputs: Readonly<Record<string, Value>>;
  /** Files that are in the workspace afterwards. */
  readonly leaves?: Readonly<Record<string, string>>;
  /** Files that are not. */
  readonly undoes?: readonly string[];
  /** Answers to the questions it asks, by block. */
  readonly answers?: Readonly<Record<string, Value>>;
}

/** The whole library, by name. */
const workflows = Object.fromEntries(
  readdirSync("workflows", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml") && !file.endsWith(".test.yaml"))
    .map((file) => [basename(file, ".yaml"), readFileSync(join("workflows", file), "utf8")]),
);
const message = 'it\'s "quoted" $(touch x) `touch y` ${HOME} \\';

const examples: Readonly<Record<string, Expected>> = {
  "ask-before-deploy": { answers: { confirm: "yes" }, outputs: { deployed: true } },
  "blocks-in-blocks": { outputs: { first_artifact: "leaf-1.2", last_check: "test of stem" } },
  "check-form": { outputs: { answer: "Your order is number 7", picture: true } },
  "check-tools": { outputs: { bash_found: true, missing: "no-such-tool" } },
  "hostile-values": {
    outputs: {
      said: `in double quotes: ${message}\nin single quotes: ${message}\nbare: ${message}\nin a here-document: ${message}\n`,
    },
  },
  "loop-over-files": { outputs: { report: "first has 2 lines", texts_counted: 2, all_counted: true } },
  nested: { outputs: { greeting: "Hello, fern!", said_by: 'echo "Hello, fern!"', characters: 12 } },
  "new-project": {
    answers: {
      "interview/basics": { name: "leaf", purpose: "Counts leaves." },
      "interview/kind": "library",
      "interview/language": "other",
      "interview/tests": ["bash", "-c", "exit 0"],
    },
    outputs: { name: "leaf", tests_pass: true },
  },
  "nightly-report": { outputs: { files: 0 }, leaves: { "report.txt": "main has 0 files\n" } },
  "notify-on-failure": {
    status: "failure",
    outputs: { deployed: false },
    leaves: { "notification.txt": "'test' failed: exit code 1\n" },
  },
  "release-check": { outputs: { deployed: true } },
  "parallel-build": { outputs: { packaged: true } },
  "repeat-until": {
    outputs: {
      pages: 3,
      last_items: ["reed", "rush"],
      second_page: '{ "items": ["ivy"], "next": "three" }',
    },
  },
  "retry-upload": { outputs: { said: "stored at attempt 3", first_attempt: "exit code 75: busy" } },
  "undo-attempt": { outputs: { unpacked: ["one", "two"], attempts: 2 } },
  "undo-release": {
    status: "failure",
    outputs: { released: false },
    leaves: { "slots.log": "slot-7 given back after success\n" },
    undoes: ["VERSION", "dist"],
  },
};

test("every example is run here", () => {
  const files = readdirSync("examples")
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => file.replace(/\.yaml$/, ""));
  expect(files.sort()).toEqual(Object.keys(examples).sort());
});

describe.each(Object.entries(examples))(
  "examples/%s.yaml",
  (name, { status = "success", outputs, leaves = {}, undoes = [], answers = {} }) => {
    const text = readFileSync(join("examples", `${name}.yaml`), "utf8");

    test("has no problem, not even a hint", () => {
      const { check } = createTestEngine({ workflows, environment: variables });
      // Several lines without strict mode are what this one shows, so it says `set -e` itself.
      expect(check(text).diagnostics).toEqual([]);
    });

    test("runs and gives what it says", async () => {
      const engine = createTestEngine({ workflows, environment: variables });
      const run = await engine.start(text);
      let outcome = await run.settled;
      for (const [block, answer] of Object.entries(answers)) {
        expect(outcome.response.status).toBe("paused");
        expect((await run.answer(block, answer)).ok).toBe(true);
        outcome = await run.goOn();
      }
      expect(outcome.response).toMatchObject({ status, outputs });
      for (const [path, left] of Object.entries(leaves)) {
        expect(readFileSync(join(engine.workspace, path), "utf8")).toBe(left);
      }
      for (const path of undoes) expect(existsSync(join(engine.workspace, path)), path).toBe(false);
    });
  },
);
