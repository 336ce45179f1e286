import { describe, expect, test } from "vitest";
import { shell } from "../rig/frond.ts";
import { mismatchesOf, type Tested } from "../rig/test-files.ts";

const child = {
  inputs: { place: { type: "string", description: "Where to" } },
  blocks: [shell("build", "touch built"), shell("upload", "touch uploaded; echo real", { depends_on: ["build"] })],
  outputs: { said: "${blocks.upload.stdout}", place: "${inputs.place}" },
};

const tested: Tested = {
  workflow: {
    blocks: [
      { id: "deploy", type: "ExecuteWorkflow", inputs: { workflow: "ship", inputs: { place: "here" } } },
      shell("lint", 'touch "linted-${each.value}"', { for_each: ["a", "b", "c"] }),
      shell("after", 'touch "after-${blocks.deploy.outputs.said}"', {
        depends_on: [{ block: "deploy", required: false }],
      }),
    ],
    outputs: { said: "${blocks.deploy.outputs.said}", place: "${blocks.deploy.outputs.place}" },
  },
  library: { ship: child },
};

describe("a mock", () => {
  test("gives a success of the block's type with other outputs, and the block does not run", async () => {
    const outputs = { exit_code: 0, stdout: "mocked", stderr: "" };
    expect(
      await mismatchesOf(tested, {
        mocks: { "deploy/upload": { outputs: { stdout: "mocked" } } },
        expect: {
          outputs: { said: "mocked" },
          blocks: { "deploy/upload": { status: "succeeded", outputs } },
          files: { built: "", uploaded: "absent" },
        },
      }),
    ).toEqual([]);
  });

  test("fails as an operation fails, or as a block that could not run", async () => {
    expect(
      await mismatchesOf(tested, {
        mocks: {
          "deploy/upload": { fails: "3 problems", outputs: { exit_code: 7 } },
          "lint/1": { crashes: "no route" },
        },
        expect: {
          status: "failure",
          blocks: {
            "deploy/upload": {
              status: "completed",
              outcome: "failure",
              outputs: { exit_code: 7, stdout: "" },
              message: "3 problems",
            },
            "lint/1": { status: "failed", outcome: "n/a", message: "no route", outputs: { exit_code: -1 } },
            "lint/0": "succeeded",
          },
          files: { "linted-a": "", "linted-b": "absent" },
        },
      }),
    ).toEqual([]);
  });

  test("can be a list with one for each attempt, and no delay is waited for", async () => {
    const fetch = shell("fetch", "exit 3", { retry: { attempts: 5, delay: "2h" } });
    const nap = { id: "nap", type: "Wait", inputs: { duration: "2h" } };
    const flaky: Tested = { workflow: { blocks: [fetch, nap] } };
    const mocks = { fetch: [{ fails: "no route" }, { fails: "no route" }, {}] };
    expect(
      await mismatchesOf(flaky, { mocks, expect: { blocks: { fetch: { attempts: 3 }, nap: "succeeded" } } }),
    ).toEqual([]);
    expect(
      await mismatchesOf(flaky, { expect: { status: "failure", blocks: { fetch: { attempts: 2 } } } }),
    ).toMatchObject([{ at: "blocks.fetch.attempts", expected: 2, found: 5 }]);
  });

  test("with a * means every block there", async () => {
    expect(
      await mismatchesOf(tested, {
        mocks: { "lint/*": { outputs: {} }, "lint/2": { fails: "only this one" }, "*/build": { outputs: {} } },
        expect: {
          status: "failure",
          blocks: {
            "lint/0": "succeeded",
            "lint/2": { message: "only this one" },
            "lint/*": { inputs: { shell: true } },
          },
          files: { "linted-a": "absent", "linted-c": "absent", built: "absent", uploaded: "" },
        },
      }),
    ).toEqual([]);
  });

  test("can take the place of a whole workflow, whose outputs are null if nothing is said of them", async () => {
    expect(
      await mismatchesOf(tested, {
        mocks: { deploy: { outputs: { said: "mocked" } } },
        expect: {
          outputs: { said: "mocked", place: null },
          blocks: { deploy: { inputs: { workflow: "ship" } }, "deploy/build": "not_run" },
          files: { built: "absent", "after-mocked": "" },
        },
      }),
    ).toEqual([]);
  });

  test("with outputs that the block's type can't have fails the block and says so", async () => {
    const [first] = await mismatchesOf(tested, { mocks: { "lint/0": { outputs: { exit_code: "none" } } } });
    expect(first).toMatchObject({ at: "status", message: expect.stringContaining("output 'exit_code' must be") });
  });

  test.each([
    ["lint/0", "stdot", "stdout"],
    ["deploy", "siad", "said"],
  ])("of %s with an output '%s', which it can't have, is told", async (address, output, meant) => {
    const [first] = await mismatchesOf(tested, { mocks: { [address]: { outputs: { [output]: "x" } } } });
    const message = `The mock has an output '${output}'. Did you mean '${meant}'?`;
    expect(first).toMatchObject({ at: "status", message: expect.stringContaining(message) });
  });

  test.each([
    ["deplo", "There is no block 'deplo' in the workflow. Did you mean 'deploy'?"],
    ["deploy/uplaod", "There is no block 'uplaod' in 'deploy'. Did you mean 'upload'?"],
    ["after/x", "There are no blocks in 'after'."],
    ["lint", "'lint' is a loop. Its passes are blocks of their own: 'lint/*'."],
  ])("of '%s', which means no block, is told", async (address, message) => {
    expect(await mismatchesOf(tested, { mocks: { [address]: { outputs: {} } } })).toEqual([
      { at: address.includes("/") ? `mocks["${address}"]` : `mocks.${address}`, message },
    ]);
  });
});

describe("a workflow of the case", () => {
  test("is called instead of the one of that name", async () => {
    const standIn = {
      blocks: [shell("only", "printf instead")],
      outputs: { said: "${blocks.only.stdout}", place: "x" },
    };
    expect(
      await mismatchesOf(tested, {
        workflows: { ship: { inputs: child.inputs, ...standIn } },
        expect: { outputs: { said: "instead" }, blocks: { "deploy/only": "succeeded" }, files: { built: "absent" } },
      }),
    ).toEqual([]);
  });

  test("that does not fit the call fails the case, with the place in the workflow", async () => {
    const [first] = await mismatchesOf(tested, { workflows: { ship: { blocks: [shell("only", "true")] } } });
    expect(first).toMatchObject({ at: expect.stringMatching(/main\.yaml:1:\d+$/), message: expect.any(String) });
  });
});
