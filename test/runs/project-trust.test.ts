import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Outside, TrustedProject } from "../../src/service/outside.ts";
import { surveyProject, trustProject } from "../../src/service/project-trust.ts";
import { ok } from "../../src/util/result.ts";

test("what is recorded is what was listed, read once, whatever has come meanwhile", () => {
  const saved: TrustedProject[] = [];
  let reads = 0;
  let owner = 1000;
  const outside = {
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
  } as unknown as Outside;
  const survey = surveyProject("/p", outside);
  expect([...survey.files]).toEqual([[".frond/workflows/a.yaml", "name: read-1"]]);
  owner = 0;
  trustProject(survey, outside);
  const hash = createHash("sha256").update("name: read-1").digest("hex");
  expect(saved).toEqual([{ owners: [1000], files: { ".frond/workflows/a.yaml": hash } }]);
  expect(reads).toBe(1);
});
