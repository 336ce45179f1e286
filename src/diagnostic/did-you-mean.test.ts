import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestName, relatedNames, suggestName } from "./did-you-mean.ts";

test.each([
  ["biuld", ["test", "build"], "build"],
  ["dependsOn", ["depends_on", "description"], "depends_on"],
  ["working-dir", ["working_dir"], "working_dir"],
  ["suceeded", ["failed", "succeeded"], "succeeded"],
  ["a", ["b", "c"], undefined],
  ["q", ["Q"], "Q"],
  ["wholly_other", ["build"], undefined],
  ["x".repeat(101), ["x".repeat(100)], undefined],
])("the name meant by %s among %j is %s", (name, known, meant) => {
  expect(nearestName(name, known)).toBe(meant);
});

test("of several near names the nearest is taken", () => {
  expect(nearestName("stdot", ["stdin", "stderr", "stdout"])).toBe("stdout");
});

test("a long list does not change which name is meant", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abcde_"), minLength: 2, maxLength: 8 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 30 }), (name, known) => {
      const nearest = nearestName(name, known);
      if (nearest === undefined) for (const one of known) expect(nearestName(name, [one])).toBeUndefined();
      else expect(nearestName(name, [nearest])).toBe(nearest);
    }),
    { seed: 7, numRuns: 300 },
  );
});

test("with nothing to choose from it says so", () => {
  expect(suggestName("x", [], "block")).toBe("There is no block at all.");
});

const workflows = [
  ...["git-status", "git-commit", "git-push", "git-pull-request", "semantic-commit", "run-pytest", "lint-python"],
  ...["python-ci-pipeline", "node-ci-pipeline", "setup-python-env", "deploy-production", "hello-world", "tdd-cycle"],
  ...["create-readme", "quality-gate", "build-docker-image", "check-links", "release-notes", "bump-version"],
];

test.each([
  ["pytest", ["run-pytest"]],
  ["deploy", ["deploy-production"]],
  ["deployment", ["deploy-production"]],
  ["commit-semantic", ["semantic-commit"]],
  ["docker-build", ["build-docker-image"]],
  ["python-lint", ["lint-python"]],
  ["ci-python", ["python-ci-pipeline"]],
  ["nothing-alike", []],
])("the names related to %s are %j", (name, related) => {
  expect(relatedNames(name, workflows).slice(0, Math.max(1, related.length))).toEqual(related);
});

test("a word that most names have relates none of them", () => {
  const tools = ["execute_workflow", "resume_workflow", "list_workflows", "get_workflow_info", "cancel_run", "get_run"];
  expect(relatedNames("rerun_workflow", tools)).toEqual([]);
  expect(nearestName("rerun_workflow", tools)).toBeUndefined();
  expect(nearestName("resum_workflow", tools)).toBe("resume_workflow");
  expect(nearestName("executeWorkflow", tools)).toBe("execute_workflow");
});

test("several likely names are one question", () => {
  expect(suggestName("python", workflows, "workflow")).toBe(
    "Did you mean 'lint-python', 'setup-python-env' or 'python-ci-pipeline'?",
  );
});

test("a name may be the end of the one that is meant as well as its beginning", () => {
  const outputs = ["exit_code", "stdout", "stderr", "succeeded", "failed", "skipped", "status", "outcome", "error"];
  expect(suggestName("out", outputs, "output")).toMatch(/'stdout'/);
});
