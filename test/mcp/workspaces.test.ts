import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";

const leavesMark = `
name: leaves-mark
description: Writes a file where it works
blocks:
  - { id: write, type: CreateFile, inputs: { path: mark, content: "" } }
`;

test("a run works in a directory of the roots, relative to the workspace, and in no other", async () => {
  const frond = createFrond({ "shop/a/.keep": "", "shop/b/.keep": "", "other/.keep": "" });
  symlinkSync(join(frond.directory, "other"), join(frond.directory, "shop/link"));
  const { call } = await connect(frond, { args: ["--workspace", "shop/a", "--root", "shop"] });
  const run = (workspace: string): ReturnType<typeof call> =>
    call("execute_inline_workflow", { workflow_yaml: leavesMark, workspace });
  expect((await run("../b")).data).toMatchObject({ status: "success" });
  expect(existsSync(join(frond.directory, "shop/b/mark"))).toBe(true);
  for (const elsewhere of ["../../other", "../link", "/"]) {
    expect((await run(elsewhere)).data.errors).toMatchObject([{ code: "out-of-reach" }]);
  }
  expect(existsSync(join(frond.directory, "other/mark"))).toBe(false);
});

test("no run works in what only git may change, or in what Frond runs, however it is named", async () => {
  const frond = createFrond({ ".git/config": "", ".frond/workflows/.keep": "" });
  const { call } = await connect(frond);
  for (const guarded of [".git", ".frond/workflows"]) {
    for (const workspace of [guarded, join(frond.directory, guarded)]) {
      const { data } = await call("execute_inline_workflow", { workflow_yaml: leavesMark, workspace });
      expect(data.errors).toMatchObject([{ code: "bad-workspace", fix: expect.stringContaining(".git") }]);
    }
    expect(existsSync(join(frond.directory, guarded, "mark"))).toBe(false);
  }
});

test("a server whose workspace lies in no root does not start, because it could not deal with its own runs", async () => {
  const frond = createFrond({ "a/.keep": "", "b/.keep": "" });
  const { code, stderr } = await frond.run(["serve", "--workspace", "a", "--root", "b"]);
  expect(code).toBe(2);
  expect(stderr).toContain("lies in no directory that --root names");
});
