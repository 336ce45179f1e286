import { expect, test } from "vitest";
import { executeWorkflow } from "../blocks/execute-workflow.ts";
import { shell } from "../blocks/shell.ts";
import { createCatalog } from "./catalog.ts";

test("a type is found by its name and by its other names, and by nothing else", () => {
  const catalog = createCatalog([shell, executeWorkflow]);
  expect(catalog.names).toEqual(["Shell", "ExecuteWorkflow", "Workflow"]);
  expect(catalog.find("Workflow")).toBe(executeWorkflow);
  for (const name of ["shell", "constructor", "__proto__", ""]) expect(catalog.find(name)).toBeUndefined();
});

test("two types can't share a name", () => {
  expect(() => createCatalog([shell, { ...executeWorkflow, aliases: ["Shell"] }])).toThrow("called Shell");
});
