import { expect, test } from "vitest";
import { createProcesses } from "./processes.ts";

const { inspect } = createProcesses();

test("a program that looks at its standard input gives its exit code and what it complained of", async () => {
  expect(await inspect("bash", ["-n"], "echo fine")).toEqual({ exitCode: 0, stderr: "" });
  const broken = await inspect("bash", ["-n"], "if true; then");
  expect(broken?.exitCode).not.toBe(0);
  expect(broken?.stderr).toContain("unexpected end of file");
});

test("a program that does not read, or is not there, is no error", async () => {
  expect(await inspect("true", [], "x".repeat(1_000_000))).toEqual({ exitCode: 0, stderr: "" });
  expect(await inspect("no-such-program", [], "")).toBeUndefined();
});
