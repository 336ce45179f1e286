import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { forecastOf, foresee, verdicts } from "../rig/foresee.ts";
import { shell } from "../rig/frond.ts";

test("every block has a verdict: it would run, may run, would be skipped or would fail", async () => {
  const engine = createTestEngine();
  const response = await foresee(engine, {
    inputs: { stage: { type: "string", default: "test" } },
    blocks: [
      shell("build", "make ${inputs.stage}"),
      { ...shell("deploy", "deploy"), condition: "${inputs.stage} == 'production'", depends_on: ["build"] },
      { ...shell("tell", "tell ${blocks.build.stdout} ${inputs.stage}"), condition: "${blocks.build.stdout} != ''" },
      { ...shell("after", "after"), depends_on: ["tell"] },
      { id: "read", type: "ReadFile", inputs: { path: "missing.txt" } },
      { ...shell("use", "use"), depends_on: ["read"] },
    ],
  });
  expect(verdicts(response)).toEqual([
    "build: would run",
    "deploy: would skip: The condition is false: ${inputs.stage} == 'production'",
    "tell: may run: Its condition depends on stdout of 'build'.",
    "after: may run: 'tell' may be skipped.",
    "read: would fail: the file 'missing.txt' does not exist",
    "use: would skip: 'read' failed, and is required.",
  ]);
  expect(forecastOf(response, "build")).toMatchObject({
    type: "Shell",
    not_run: true,
    inputs: { command: "make test" },
  });
  expect(forecastOf(response, "tell").inputs).toEqual({ command: "tell ${blocks.build.stdout} test" });
  expect(response).toMatchObject({ status: "dry_run", would_fail: expect.stringContaining("'read' failed") });
});

test("a file block reads what an earlier one would have written, and the change is shown as a diff", async () => {
  const engine = createTestEngine();
  const response = await foresee(engine, {
    blocks: [
      { id: "write", type: "CreateFile", inputs: { path: "a/b.txt", content: "one\n" } },
      { id: "read", type: "ReadFile", inputs: { path: "a/b.txt" }, depends_on: ["write"] },
    ],
    outputs: { text: "${blocks.read.outputs.content}", run: "${metadata.run_id}" },
  });
  expect(response.outputs).toEqual({ text: "one\n" });
  expect(response.unknown_outputs).toEqual({ run: "metadata.run_id" });
  expect(response.files).toEqual([
    { path: "a", change: "created", kind: "directory", mode: expect.any(String) },
    {
      path: "a/b.txt",
      change: "created",
      mode: expect.any(String),
      diff: "--- /dev/null\n+++ b/a/b.txt\n@@ -0,0 +1 @@\n+one\n",
    },
  ]);
});
