import { expect, test } from "vitest";
import { sayChecked, sayWorkflows } from "./say-workflows.ts";
import type { PageDiagnostic, WorkflowLine } from "./workflow-records.ts";

const problem = (level: PageDiagnostic["level"]): PageDiagnostic => ({ level, code: "x", message: "x" });

test("a text is sound or has errors, and what else is said of it is counted", () => {
  expect(sayChecked({ valid: true, problems: [] })).toBe("It is sound.");
  expect(sayChecked({ valid: true, problems: [problem("hint")] })).toBe("It is sound, with 1 hint.");
  expect(sayChecked({ valid: false, problems: [problem("error"), problem("error"), problem("warning")] })).toBe(
    "2 errors, 1 warning.",
  );
});

test("workflows are counted, and those that can't be run yet", () => {
  const common = { name: "a", target: "a", description: "", tags: [], source: "project", file: "a.yaml" } as const;
  const own: WorkflowLine = { ...common, trust: { trusted: true } };
  const all: readonly WorkflowLine[] = [own, { ...common, trust: { trusted: false, why: "", command: "" } }];
  expect(sayWorkflows({ workflows: [own], broken: [] })).toBe("1 workflow.");
  const broken = [{ file: "a", source: "project", problems: [], text: "" } as const];
  expect(sayWorkflows({ workflows: all, broken })).toBe("2 workflows, 1 not trusted yet, 1 broken file.");
});
