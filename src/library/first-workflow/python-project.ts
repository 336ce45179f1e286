import {
  chain,
  type FirstSteps,
  type Program,
  type ProjectFacts,
  type ProjectKind,
  type Step,
} from "./project-kind.ts";

/** What gets the packages of a project, and how a program among them is called. */
interface Setup {
  readonly program: Program;
  readonly step?: Step;
  call(command: string): string;
}

const python: Program = { name: "python3", hint: "Get Python from https://www.python.org/." };
const uv: Program = { name: "uv", hint: "Get it from https://docs.astral.sh/uv/." };
const poetry: Program = { name: "poetry", hint: "Get it from https://python-poetry.org/." };

const marks = ["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg"];

export const pythonProject: ProjectKind = {
  name: "python",
  title: "Python",
  plan(facts) {
    const knownBy = marks.find((name) => facts.names().includes(name));
    return knownBy === undefined ? undefined : planPython(knownBy, facts);
  },
};

function planPython(knownBy: string, facts: ProjectFacts): FirstSteps {
  const names = facts.names();
  const settings = [...marks, "requirements-dev.txt", "dev-requirements.txt", "pytest.ini", "tox.ini"]
    .map((name) => facts.text(name) ?? "")
    .join("\n");
  const { program, step, call } = findSetup(facts);
  const directory = ["tests", "test"].find((name) => facts.names(name).some(isTest));
  const hasTests = directory !== undefined || names.some(isTest);
  const usesPytest = /\bpytest\b/.test(settings) || names.includes("conftest.py");
  const usesRuff = /^\[tool\.ruff\b/m.test(settings) || names.some((name) => /^\.?ruff\.toml$/.test(name));
  const find = directory === undefined ? "" : ` -s ${directory}`;
  const steps = chain([
    step,
    {
      id: "compile",
      description: "Whether every file is Python",
      command: call("python3 -m compileall -q -x '/(\\.[^/]+|node_modules|venv)/' ."),
      after: ["setup"],
    },
    usesRuff ? { id: "lint", description: "The linter", command: call("ruff check ."), after: ["setup"] } : undefined,
    hasTests
      ? {
          id: "test",
          description: "The tests",
          command: call(usesPytest ? "python3 -m pytest" : `python3 -m unittest discover${find}`),
          after: ["setup", "compile"],
        }
      : undefined,
  ]);
  const isHere = (name: string): boolean => facts.hasProgram(name) || facts.names(".venv/bin").includes(name);
  const tools =
    step === undefined ? [...(usesPytest && hasTests ? ["pytest"] : []), ...(usesRuff ? ["ruff"] : [])] : [];
  return {
    knownBy,
    description: "Checks this Python project",
    steps,
    programs: [program],
    missing: [
      ...(hasTests ? [] : ["There are no tests yet (tests/test_*.py): add some, and a block that runs them."]),
      ...tools
        .filter((name) => !isHere(name))
        .map((name) => `${name} is not installed: python3 -m venv .venv && .venv/bin/pip install ${name}`),
    ],
  };
}

const isTest = (name: string): boolean => /^test_.*\.py$|_test\.py$/.test(name);

function findSetup(facts: ProjectFacts): Setup {
  const names = facts.names();
  const id = "setup";
  if (names.includes("uv.lock")) {
    const step = { id, description: "The packages of uv.lock", command: "uv sync" };
    return { program: uv, step, call: (command) => `uv run ${command}` };
  }
  if (names.includes("poetry.lock")) {
    const step = { id, description: "The packages of poetry.lock", command: "poetry install" };
    return { program: poetry, step, call: (command) => `poetry run ${command}` };
  }
  // What is not in there is taken from the system.
  const call = (command: string): string => `PATH="$PWD/.venv/bin:$PATH" ${command}`;
  if (!names.includes("requirements.txt")) return { program: python, call };
  const step = {
    id,
    description: "An environment with the packages of requirements.txt, if there is none yet",
    command: "[ -d .venv ] || { python3 -m venv .venv && .venv/bin/pip install --quiet -r requirements.txt; }",
  };
  return { program: python, step, call };
}
