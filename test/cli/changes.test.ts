import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";

const release = workflow("release", [
  {
    id: "notes",
    type: "EditFile",
    inputs: { path: "notes", operations: [{ type: "replace_text", old_text: "next", new_text: "2.4.0" }] },
  },
  { id: "build", type: "CreateFile", inputs: { path: "dist/app/main.js", content: "one\ntwo\n" } },
  { id: "tidy", type: "MoveFile", inputs: { from: "old", to: "new" } },
  { id: "clean", type: "DeleteFile", inputs: { path: "log" } },
  shell("last", "exit 1", { depends_on: ["notes", "build", "tidy", "clean"] }),
]);

async function runRelease(): Promise<Frond> {
  const frond = createFrond({ "release.yaml": release, notes: "# next\n\n- a\n", old: "old\n", log: "a log\n" });
  expect((await frond.run(["run", "release.yaml"])).code).toBe(1);
  return frond;
}

test("frond changes tells of each file what became of it, by which block and in how many lines", async () => {
  const frond = await runRelease();
  const { code, stdout } = await frond.run(["changes", "last", "--stat"]);
  expect(code).toBe(0);
  expect(stdout.replaceAll(/run_\w+/g, "RUN").split("\n")).toEqual([
    "release RUN: 4 files: 1 created, 1 edited, 1 deleted, 1 moved",
    "  created  dist/app/main.js  +2      build",
    "  deleted  log                   -1  clean",
    "  moved    old -> new                tidy",
    "  edited   notes             +1  -1  notes",
    "",
  ]);
});

test("frond changes shows the differences below the list, and one block's alone", async () => {
  const frond = await runRelease();
  const { stdout } = await frond.run(["changes", "last", "--block", "notes"]);
  expect(stdout.split("\n").slice(1)).toEqual([
    "  edited  notes  +1  -1  notes",
    "",
    "--- a/notes",
    "+++ b/notes",
    "@@ -1,3 +1,3 @@",
    "-# next",
    "+# 2.4.0",
    "",
    " - a",
    "",
  ]);
  const wrong = await frond.run(["changes", "last", "--block", "note"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("Did you mean 'notes'?")]);
});

test("frond changes --diff is a patch that takes the contents back", async () => {
  const frond = await runRelease();
  frond.write("patch", (await frond.run(["changes", "last", "--diff"])).stdout);
  execFileSync("git", ["apply", "-R", "patch"], { cwd: frond.directory });
  expect([frond.read("notes"), frond.read("log")]).toEqual(["# next\n\n- a\n", "a log\n"]);
});

test("frond changes says of each file whether it has changed since, or is as before the run again", async () => {
  const frond = await runRelease();
  frond.write("notes", "# mine\n");
  frond.write("log", "a log\n");
  const { stdout } = await frond.run(["changes", "last", "--stat"]);
  expect(stdout).toMatch(/edited .* notes {2}.*changed since$/m);
  expect(stdout).toMatch(/deleted .* clean {2}is as before again$/m);
  const { reply } = await frond.json(["changes", "last"]);
  const changes = (reply as { changes: readonly { path: string }[] }).changes;
  expect(changes.find(({ path }) => path === "notes")).toMatchObject({ change: "edited", now: "changed since" });
});

test("a run that changed nothing that is known says so", async () => {
  const frond = createFrond({ "touch.yaml": workflow("touch", [shell("a", "touch made")]) });
  await frond.run(["run", "touch.yaml"]);
  const { code, stdout } = await frond.run(["changes", "last"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("changed no file that Frond knows of")]);
});
