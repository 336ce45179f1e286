import { expect, test } from "vitest";
import type { CliContext } from "../context.ts";
import { createWholeProgram } from "../program.ts";
import { findCandidates } from "./find-candidates.ts";

/** What follows from the commands alone needs no more than this. */
const context = { version: "1", terminal: {}, installation: { platform: "linux" } } as unknown as CliContext;
const program = createWholeProgram(context);

async function suggest(...words: string[]): Promise<readonly string[]> {
  return (await findCandidates(program, words, context)).words.map(({ value }) => value);
}

test("commands are suggested with what they do, and no hidden ones", async () => {
  const { words } = await findCandidates(program, [""], context);
  expect(words).toContainEqual({ value: "run", description: "run a workflow, by name or from a file" });
  const names = await suggest("");
  expect(names).toEqual(expect.arrayContaining(["init", "completion", "help"]));
  expect(names).not.toContain("docs");
  expect(names).not.toContain("complete");
  expect(await suggest("help", "")).toEqual(names);
  expect(await suggest("nonsense", "")).toEqual([]);
  expect(await suggest("nonsense", "--")).toEqual([]);
});

test("options are suggested once unless they can be repeated, and none behind --", async () => {
  expect(await suggest("-")).toEqual(["--version", "--help"]);
  expect(await suggest("logs", "last", "--")).toContain("--follow");
  expect(await suggest("logs", "last", "-f", "--")).not.toContain("--follow");
  expect(await suggest("run", "x", "--input", "a=1", "--")).toContain("--input");
  expect(await suggest("run", "x", "--dotenv", ".env", "--")).toContain("--dotenv");
  expect(await suggest("run", "x", "--workspace", ".", "--")).not.toContain("--workspace");
  expect(await suggest("runs", "--status", "paused", "--")).toContain("--status");
  expect(await suggest("mcp-config", "cursor", "--", "--")).toEqual([]);
});

test("where no argument is left, options are suggested", async () => {
  expect(await suggest("doctor", "")).toContain("--json");
  expect(await suggest("cancel", "run_1", "")).toContain("--json");
});

test("values that have choices are suggested, also behind = and commas, and further ones of the same option", async () => {
  expect(await suggest("resume", "x", "--on-interrupted", "")).toEqual(["rerun", "ask", "fail"]);
  expect(await suggest("resume", "x", "--on-interrupted=")).toContain("--on-interrupted=ask");
  expect(await suggest("runs", "--status", "")).toContain("paused");
  expect(await suggest("runs", "--status", "paused", "")).toEqual(expect.arrayContaining(["running", "--all"]));
  expect(await suggest("serve", "--toolsets", "core,")).toContain("core,runs");
  expect(await suggest("serve", "--toolsets", "core,")).not.toContain("core,core");
  expect(await suggest("init", "--agent", "cursor", "")).toContain("codex");
  expect(await suggest("mcp-config", "")).toContain("claude-desktop");
  expect(await suggest("completion", "")).toEqual(["bash", "zsh", "fish"]);
});

test("an option whose value may be left out can be followed by another", async () => {
  expect(await suggest("serve", "--http", "")).toContain("--host");
  expect(await suggest("serve", "--http", "--ho")).toContain("--host");
});

test("numbers and texts have no suggestions, and paths are left to whoever lists them", async () => {
  expect(await suggest("logs", "x", "--tail", "")).toEqual([]);
  expect(await findCandidates(program, ["run", "x", "--inputs", ""], context)).toEqual({
    words: [],
    paths: { endings: [] },
  });
  expect(await findCandidates(program, ["trust", ""], context)).toEqual({ words: [], paths: {} });
});
