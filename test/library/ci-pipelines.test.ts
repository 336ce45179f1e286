import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFrond, type Frond } from "../rig/frond.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

function pythonProject(sum: string): Frond {
  const frond = createFrond({
    "calc.py": `def add(a, b):\n    return ${sum}\n`,
    "tests/test_calc.py": [
      "import unittest",
      "from calc import add",
      "",
      "",
      "class TestAdd(unittest.TestCase):",
      "    def test_adds(self):",
      "        self.assertEqual(add(1, 2), 3)",
      "",
      "    def test_takes_nothing_for_nothing(self):",
      "        self.assertEqual(add(0, 0), 0)",
      "",
    ].join("\n"),
  });
  // An environment of its own, so that it makes no difference what is installed on the machine.
  execFileSync("python3", ["-m", "venv", "--without-pip", ".venv"], { cwd: frond.directory });
  return frond;
}

function nodeProject(sum: string): Frond {
  return createFrond({
    "package.json": JSON.stringify({
      name: "calc",
      version: "1.0.0",
      scripts: {
        lint: "node --check calc.js",
        test: "node --test",
        build: "node -e \"fs.writeFileSync('built', '')\"",
      },
    }),
    "calc.js": `exports.add = (a, b) => ${sum};\n`,
    "test/calc.test.js": [
      'const { describe, it } = require("node:test");',
      'const assert = require("node:assert");',
      'const { add } = require("../calc.js");',
      'describe("add", () => {',
      '  it("adds", () => assert.equal(add(1, 2), 3));',
      '  it("takes nothing for nothing", () => assert.equal(add(0, 0), 0));',
      "});",
      "",
    ].join("\n"),
  });
}

/** Its block `ci_pipeline` is the guide's, word by word. */
const guideExample = `
name: guide
description: Prepares an environment and tests in it
inputs:
  workspace: { type: string, description: Where the project is, default: "." }
blocks:
  - id: setup
    type: ExecuteWorkflow
    inputs: { workflow: setup-python-env, inputs: { project_path: "\${inputs.workspace}" } }
  - id: ci_pipeline
    type: ExecuteWorkflow
    inputs:
      workflow: "python-ci-pipeline"
      inputs:
        project_path: "\${inputs.workspace}"
        python_path: "\${blocks.setup.outputs.python_path}"
outputs:
  python: \${blocks.setup.outputs.python_path}
  tests_passed: \${blocks.ci_pipeline.outputs.tests_passed}
`;

// That they succeed, and what else they do, is told by the tests beside them; this is how it comes to a program and to a person.
describe.skipIf(!hasPython)("continuous integration for a Python project (skipped without python3)", () => {
  test("fails and names the failing test, where it is and why, in its outputs and in its reply", async () => {
    const { code, reply } = await pythonProject("a - b").json(["run", "python-ci-pipeline", "-i", "build=true"]);
    expect(reply).toMatchObject({
      status: "failure",
      outputs: {
        passed: false,
        tests_passed: 1,
        tests_failed: 1,
        failing_tests: ["test_calc.TestAdd.test_adds"],
        failures: [
          { name: "test_calc.TestAdd.test_adds", where: "tests/test_calc.py:7", message: "AssertionError: -1 != 3" },
        ],
        built_files: [],
        summary: expect.stringContaining(
          "tests: 1 passed, 1 failed (unittest): test_calc.TestAdd.test_adds; build: did not run",
        ),
      },
      failed_blocks: [
        {
          block: "test/test",
          stderr_tail: expect.stringContaining(
            "FAILED test_calc.TestAdd.test_adds (tests/test_calc.py:7): AssertionError: -1 != 3\n",
          ),
        },
      ],
    });
    expect(code).toBe(1);
  });

  test("says to a person which test it was", async () => {
    const { code, stdout } = await pythonProject("a - b").run(["run", "python-ci-pipeline"]);
    expect(stdout).toContain("| FAILED test_calc.TestAdd.test_adds (tests/test_calc.py:7): AssertionError: -1 != 3\n");
    expect(stdout).toContain("| 1 passed, 1 failed (unittest): test_calc.TestAdd.test_adds\n");
    expect(code).toBe(1);
  });

  test("runs in the environment that another workflow made, as the founding guide writes it", async () => {
    const frond = pythonProject("a + b");
    frond.write("guide.yaml", guideExample);
    const { reply } = await frond.json(["run", "guide.yaml"]);
    const python = join(frond.directory, ".venv", "bin", "python");
    expect(reply).toMatchObject({ status: "success", outputs: { python, tests_passed: 2 } });
  });

  test("is a failure that names pytest when tests need it and the environment has none", async () => {
    const frond = pythonProject("a + b");
    frond.write("guide.yaml", guideExample);
    frond.write("tests/test_new.py", "def test_fails():\n    assert 1 == 2\n");
    const { code, reply } = await frond.json(["run", "guide.yaml"]);
    const python = join(frond.directory, ".venv", "bin", "python");
    expect(reply).toMatchObject({
      status: "failure",
      failed_blocks: expect.arrayContaining([
        expect.objectContaining({ message: expect.stringContaining(`Get it with: ${python} -m pip install pytest`) }),
      ]),
      outputs: { tests_passed: 0 },
    });
    expect(code).toBe(1);
  });
});

describe("continuous integration for a Node.js project", () => {
  test("fails and names the failing test, where it is and why, in its outputs and in its reply", async () => {
    const { code, reply } = await nodeProject("a - b").json(["run", "node-ci-pipeline"]);
    expect(reply).toMatchObject({
      status: "failure",
      outputs: {
        passed: false,
        tests_passed: 1,
        tests_failed: 1,
        failing_tests: ["add > adds"],
        failures: [{ name: "add > adds", where: "test/calc.test.js:5", message: expect.stringContaining("-1 == 3") }],
        built: false,
        summary: expect.stringContaining("tests: 1 passed, 1 failed (node:test): add > adds; build: did not run"),
      },
      failed_blocks: [
        { block: "test/test", stderr_tail: expect.stringContaining("FAILED add > adds (test/calc.test.js:5): ") },
      ],
    });
    expect(code).toBe(1);
  });
});
