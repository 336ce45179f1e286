import { describe, expect, test } from "vitest";
import { nodeProject } from "./node-project.ts";
import type { FirstSteps, ProjectFacts, ProjectKind } from "./project-kind.ts";
import { pythonProject } from "./python-project.ts";

/** A project by its files, on a machine that has every program. */
function plan(kind: ProjectKind, files: Readonly<Record<string, string>>): FirstSteps {
  const paths = Object.keys(files);
  const facts: ProjectFacts = {
    names: (directory = "") =>
      directory === ""
        ? paths.map((path) => path.split("/")[0] ?? "")
        : paths.flatMap((path) => (path.startsWith(`${directory}/`) ? [path.slice(directory.length + 1)] : [])),
    text: (path) => files[path],
    hasProgram: () => true,
  };
  const steps = kind.plan(facts);
  if (steps === undefined) throw new Error("It is not of this kind.");
  return steps;
}

const commands = ({ steps }: FirstSteps): Readonly<Record<string, string>> =>
  Object.fromEntries(steps.map(({ id, command }) => [id, command]));

describe("a Node.js project", () => {
  const packages = { devDependencies: { vitest: "1" }, scripts: { test: "vitest" } };

  test.each([
    ["package-lock.json", "npm ci", "npm run test"],
    ["pnpm-lock.yaml", "pnpm install --frozen-lockfile", "pnpm run test"],
    ["yarn.lock", "yarn install --frozen-lockfile", "yarn run test"],
    ["bun.lockb", "bun install --frozen-lockfile", "bun run test"],
    ["none", "npm install", "npm run test"],
  ])("with the lockfile %s installs by %s and runs %s", (lockfile, install, test) => {
    const steps = plan(nodeProject, { "package.json": JSON.stringify(packages), [lockfile]: "" });
    expect(commands(steps)).toEqual({ install: `[ -d node_modules ] || ${install}`, test });
    expect(steps.steps.at(-1)?.after).toEqual(["install"]);
  });

  test("without a lockfile uses the package manager that package.json names", () => {
    const named = { ...packages, packageManager: "pnpm@9.1.0+sha.x" };
    expect(commands(plan(nodeProject, { "package.json": JSON.stringify(named) })).install).toContain("|| pnpm install");
  });

  test.each([["null"], ["[]"], ['{ "scripts": ["test"] }'], ['{ "scripts": { "test": 1 } }']])(
    "a package.json that holds %s has no scripts",
    (text) => {
      expect(Object.keys(commands(plan(nodeProject, { "package.json": text })))).toEqual(["describe"]);
    },
  );
});

describe("a Python project", () => {
  test.each([
    ["uv.lock", "uv sync", "uv run python3 -m pytest"],
    ["poetry.lock", "poetry install", "poetry run python3 -m pytest"],
    [
      "requirements.txt",
      "[ -d .venv ] || { python3 -m venv .venv && .venv/bin/pip install --quiet -r requirements.txt; }",
      'PATH="$PWD/.venv/bin:$PATH" python3 -m pytest',
    ],
  ])("with %s gets its packages by %s", (file, setup, call) => {
    const settings = "[tool.pytest.ini_options]\n[tool.ruff.lint]\n";
    const steps = plan(pythonProject, { "pyproject.toml": settings, [file]: "", "tests/test_a.py": "" });
    expect(commands(steps)).toMatchObject({ setup, test: call, lint: expect.stringMatching(/ruff check \.$/) });
  });

  test("without pytest runs the tests of the standard library, where they are", () => {
    const steps = plan(pythonProject, { "setup.py": "", "test/thing_test.py": "" });
    expect(commands(steps).test).toContain("python3 -m unittest discover -s test");
  });
});
