import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { ok } from "../util/result.ts";
import { surveyProject, trustProject } from "./project-trust.ts";
import type { TrustedProject, WorkflowFiles } from "./workflow-files.ts";

test("what is recorded is what was listed, read once, whatever has come meanwhile", () => {
  const saved: TrustedProject[] = [];
  let reads = 0;
  let owner = 1000;
  const files = {
    listWorkflowFiles: () => ["/p/.frond/workflows/a.yaml"],
    // Somebody writes to the file all the time.
    readWorkflowText: () => ({ text: `name: read-${++reads}` }),
    ownerOf: () => ({ user: owner, isOurs: true }),
    trust: {
      find: () => undefined,
      save(_project: string, trusted: TrustedProject) {
        saved.push(trusted);
        return ok(undefined);
      },
    },
  } as unknown as WorkflowFiles;
  const survey = surveyProject("/p", files);
  expect([...survey.files]).toEqual([[".frond/workflows/a.yaml", "name: read-1"]]);
  owner = 0;
  trustProject(survey, files);
  const hash = createHash("sha256").update("name: read-1").digest("hex");
  expect(saved).toEqual([{ owners: [1000], files: { ".frond/workflows/a.yaml": hash } }]);
  expect(reads).toBe(1);
});
