import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";

const waiting = `
name: wait-for-ever
description: Writes a file, and does not end
blocks:
  - { id: write, type: CreateFile, inputs: { path: leaf.txt, content: x } }
  - { id: wait, type: Shell, inputs: { command: sleep 600 }, depends_on: [write] }
`;

test("a run of feature-worktree that is cancelled leaves neither a worktree nor a branch behind", async () => {
  const frond = createFrond();
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: frond.directory, env: { ...process.env, ...frond.env }, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("-c", "user.name=Fern", "-c", "user.email=fern@example.com", "commit", "-q", "--allow-empty", "-m", "first");
  frond.write("../home/.frond/workflows/wait-for-ever.yaml", waiting);
  const run = frond.start(["run", "feature-worktree", "-i", "branch=feature", "-i", "workflow=wait-for-ever"]);
  await run.until("start   work/wait");
  expect(existsSync(join(frond.directory, ".worktrees", "feature", "leaf.txt"))).toBe(true);
  run.child.kill("SIGINT");
  const { code } = await run.ended;
  expect(code).toBe(130);
  expect(existsSync(join(frond.directory, ".worktrees", "feature"))).toBe(false);
  expect(git("branch", "--format=%(refname:short)")).toBe("main\n");
  expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
});
