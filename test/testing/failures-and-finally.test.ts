import { expect, test } from "vitest";
import { shell } from "../rig/frond.ts";
import { mismatchesOf, type Tested } from "../rig/test-files.ts";

const tested: Tested = {
  workflow: {
    blocks: [
      shell("probe", "exit 3", { allow_failure: true }),
      { id: "deploy", type: "ExecuteWorkflow", inputs: { workflow: "ship" } },
    ],
    finally: [
      shell("unlock", 'echo "${run.status}" > told'),
      shell("alert", "touch alerted", { condition: "${run.status} == 'failure'" }),
    ],
  },
  library: { ship: { blocks: [shell("upload", "true")], finally: [shell("tidy", "touch tidied")] } },
};

test("a case sees what is allowed to fail, and what runs under finally at any depth", async () => {
  expect(
    await mismatchesOf(tested, {
      expect: {
        status: "success",
        blocks: {
          probe: { status: "completed", outcome: "failure", outputs: { exit_code: 3 } },
          "deploy/tidy": "succeeded",
          unlock: "succeeded",
          alert: "skipped",
        },
        files: { told: "success\n", tidied: "", alerted: "absent" },
      },
    }),
  ).toEqual([]);
});

test("a mock can fail what comes before finally, and finally itself", async () => {
  expect(
    await mismatchesOf(tested, {
      mocks: { "deploy/upload": { fails: "no route" } },
      expect: {
        status: "failure",
        error: { contains: "no route" },
        blocks: { alert: "succeeded" },
        files: { told: "failure\n", alerted: "", tidied: "" },
      },
    }),
  ).toEqual([]);
  expect(
    await mismatchesOf(tested, {
      mocks: { unlock: { fails: "still locked" } },
      expect: { status: "failure", error: { contains: "finally: 'unlock' failed: still locked" } },
    }),
  ).toEqual([]);
});

test("a rollback happens as in a run, and nothing is done to take back what was a mock", async () => {
  const undo = (name: string): object => ({ undo: { type: "Shell", inputs: { command: `touch ${name}` } } });
  const rolledBack: Tested = {
    workflow: {
      on_failure: "rollback",
      blocks: [
        { id: "make", type: "CreateFile", inputs: { path: "made", content: "x" } },
        shell("deploy", "touch deployed", { ...undo("taken-back"), effects: "none" }),
        shell("register", "true", { ...undo("unregistered"), effects: "none" }),
        shell("check", "exit 1", { depends_on: ["make", "deploy", "register"], effects: "none" }),
      ],
    },
  };
  expect(
    await mismatchesOf(rolledBack, {
      mocks: { deploy: { outputs: { stdout: "" } } },
      expect: {
        status: "failure",
        files: { made: "absent", deployed: "absent", "taken-back": "absent", unregistered: "" },
      },
    }),
  ).toEqual([]);
});
