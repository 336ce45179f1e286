import { expect, test } from "vitest";
import { takeSecrets } from "../../src/platform/secrets.ts";

test("secrets are taken out of an environment, by either name, Frond's own first", () => {
  const variables: NodeJS.ProcessEnv = {
    WORKFLOW_SECRET_A: "other",
    FROND_SECRET_A: "mine",
    WORKFLOW_SECRET_B: "b",
    FROND_SECRET_C: "",
    FROND_STATE_DIR: "/x",
    PATH: "/bin",
  };
  expect([...takeSecrets(variables)]).toEqual([
    ["A", "mine"],
    ["C", ""],
    ["B", "b"],
  ]);
  expect(variables).toEqual({ FROND_STATE_DIR: "/x", PATH: "/bin" });
});
