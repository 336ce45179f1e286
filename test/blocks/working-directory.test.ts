import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { runShell } from "../rig/shell-block.ts";

const byValue = { command: "touch here; pwd -P", working_dir: "${inputs.v}" };

test.each<[string, (outside: string) => string]>([
  ["an absolute path", (outside) => outside],
  ["a path that goes up", () => ".."],
  ["a link", () => "link"],
  ["a path through a link", () => "link/sub"],
])("%s that a value names as working directory does not lead out of the workspace", async (_, name) => {
  const engine = createTestEngine();
  const outside = createMachine().workspace;
  mkdirSync(join(outside, "sub"));
  symlinkSync(outside, join(engine.workspace, "link"));
  const { metadata } = await runShell(engine, byValue, {}, { v: name(outside) });
  expect(metadata).toMatchObject({ status: "failed", error: expect.stringContaining("is outside the workspace") });
  expect(metadata.error).toContain("or set `unsafe: true` on the block");
  expect([readdirSync(outside), readdirSync(join(outside, "sub"))]).toEqual([["sub"], []]);
});

test("with unsafe a value may name a working directory anywhere, and what is written in the file may too", async () => {
  const engine = createTestEngine();
  const outside = createMachine().workspace;
  const unsafe = await runShell(engine, { ...byValue, unsafe: true }, {}, { v: outside });
  expect(unsafe.outputs.stdout).toBe(`${outside}\n`);
  const literal = await runShell(engine, { ...byValue, working_dir: outside });
  expect(literal.outputs.stdout).toBe(`${outside}\n`);
});

test("a value may name a directory of the workspace, also by an absolute path and through a link that stays inside", async () => {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "a/b"), { recursive: true });
  symlinkSync("a", join(engine.workspace, "link"));
  for (const v of ["a/b", join(engine.workspace, "a/b"), "link/b"]) {
    const { outputs } = await runShell(engine, byValue, {}, { v });
    expect(outputs.stdout).toBe(`${engine.workspace}/a/b\n`);
  }
});

test("a working directory by value that is missing is said to be", async () => {
  const engine = createTestEngine();
  const { metadata } = await runShell(engine, byValue, {}, { v: "no" });
  expect(metadata.error).toBe(`the working directory '${engine.workspace}/no' does not exist`);
});
