import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";

const build = workflow("build", [
  shell("compile", "touch compiled"),
  { id: "note", type: "CreateFile", inputs: { path: "note.txt", content: "built\n" } },
  shell("after", "true", { condition: "${blocks.compile.failed}" }),
]);

test("a tool that runs a workflow can tell what it would do, and runs nothing then", async () => {
  const frond = createFrond({ ".frond/workflows/build.yaml": build });
  await frond.run(["trust"]);
  const { call } = await connect(frond);
  const named = await call("execute_workflow", { workflow: "build", dry_run: true });
  expect(named.isError).toBe(false);
  expect(named.data).toEqual({
    status: "dry_run",
    workflow: "build",
    counts: { "would run": 2, "may run": 1 },
    blocks: [
      { block: "compile", type: "Shell", verdict: "would run", inputs: { command: "touch compiled" }, not_run: true },
      { block: "note", type: "CreateFile", verdict: "would run", inputs: { path: "note.txt", content: "built\n" } },
      {
        block: "after",
        type: "Shell",
        verdict: "may run",
        why: "Its condition depends on how 'compile' ends.",
        inputs: { command: "true" },
        not_run: true,
      },
    ],
    files: [expect.objectContaining({ path: "note.txt", change: "created" })],
    remarks: [expect.any(String)],
    message: "Nothing was run or changed. To run it, make the same call without dry_run.",
  });
  const inline = await call("execute_inline_workflow", { workflow_yaml: build, dry_run: true });
  expect(inline.data.blocks).toEqual(named.data.blocks);
  expect((await call("list_runs")).data.runs).toEqual([]);
  expect(() => frond.read("compiled")).toThrow("ENOENT");
  expect(() => frond.read("note.txt")).toThrow("ENOENT");
});

test("what may not be run can't be tried either: files that nobody trusts, inline texts, unsafe blocks", async () => {
  const unsafe = workflow("careless", [shell("a", "true", { inputs: { command: "true", unsafe: true } })]);
  const frond = createFrond({ ".frond/workflows/build.yaml": build });
  const { call } = await connect(frond, { args: ["--no-unsafe"] });
  const untrusted = await call("execute_workflow", { workflow: "build", dry_run: true });
  expect(untrusted).toMatchObject({ isError: true, data: { status: "failure" } });
  const refused = await call("execute_inline_workflow", { workflow_yaml: unsafe, dry_run: true });
  expect(refused).toMatchObject({ isError: true, data: { status: "failure" } });
  const wrong = await call("execute_inline_workflow", { workflow_yaml: build, inputs: { x: 1 }, dry_run: true });
  expect(wrong).toMatchObject({ isError: true, data: { errors: [{ code: "unknown-input" }] } });
});

test("a large dry run is told in 20,000 characters: every block with its verdict as long as that fits", async () => {
  const list = Array.from({ length: 60 }, (_, index) => `element ${index}`);
  const large = workflow("large", [
    { ...shell("loop", `echo \${each.value} ${"x".repeat(2_000)}`), for_each: list },
    { id: "file", type: "CreateFile", inputs: { path: "file", content: "line\n".repeat(20_000) } },
  ]);
  const { call } = await connect(createFrond());
  const { data } = await call("execute_inline_workflow", { workflow_yaml: large, dry_run: true });
  expect(JSON.stringify(data).length).toBeLessThan(20_000);
  expect(data.blocks.map(({ verdict }: { verdict: string }) => verdict)).toEqual(Array(62).fill("would run"));
  expect(data.files[0].path).toBe("file");
});

test("rerun_workflow can tell what it would reuse", async () => {
  const text = (last: string): string => workflow("w", [shell("a", "echo a"), shell("b", last)]);
  const { call } = await connect(createFrond());
  const { data: failed } = await call("execute_inline_workflow", { workflow_yaml: text("false") });
  const again = { run_id: failed.run_id, workflow_yaml: text("true") };
  const { isError, data } = await call("rerun_workflow", { ...again, plan: true });
  expect(isError).toBe(false);
  expect(data).toMatchObject({
    status: "dry_run",
    blocks: [
      { block: "a", verdict: "would be reused" },
      { block: "b", verdict: "would run", not_reused: "It failed before." },
    ],
    message: expect.stringContaining("To run it, make the same call without plan."),
  });
  expect((await call("list_runs")).data.runs).toHaveLength(1);
});
