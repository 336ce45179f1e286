import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A program that speaks as a coding agent does, in a directory of its own. */
export interface FakeAgent {
  /** Absolute path. */
  readonly program: string;
  /** Where it is, with whatever it writes beside itself. */
  readonly directory: string;
}

/**
 * Writes a program of which this is the body. It has `prompt` (its standard input), `args`, `emit(event)`, `beside(name)` (a path beside the
 * program, outside of any workspace) and Node's `fs`. Removed with the test.
 */
export function writeFakeAgent(body: string): FakeAgent {
  const agent = openFakeAgent(body);
  onTestFinished(() => rmSync(agent.directory, { recursive: true, force: true }));
  return agent;
}

/** The same for those who remove it themselves. */
export function openFakeAgent(body: string): FakeAgent {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "frond-agent-")));
  const program = join(directory, "fake-agent");
  writeFileSync(
    program,
    `#!${process.execPath}
const fs = require("node:fs");
const path = require("node:path");
const args = process.argv.slice(2);
const prompt = fs.readFileSync(0, "utf8");
const emit = (event) => fs.writeSync(1, JSON.stringify(event) + "\\n");
const beside = (name) => path.join(__dirname, name);
(async () => {
${body}
})();
`,
    { mode: 0o755 },
  );
  return { program, directory };
}

/** The events of an agent that has done what it was asked, in the form of each program. */
const successes: Readonly<Record<string, readonly object[]>> = {
  claude: [
    { type: "system", subtype: "init", session_id: "s-1", model: "claude-x" },
    {
      type: "assistant",
      message: {
        id: "m1",
        content: [
          { type: "text", text: "I make a file." },
          { type: "tool_use", name: "Write", input: { file_path: "made.txt", content: "made" } },
        ],
        usage: { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 20, cache_creation_input_tokens: 10 },
      },
    },
    { type: "user", message: { content: [{ type: "tool_result", content: "File created", is_error: false }] } },
    {
      type: "result",
      subtype: "success",
      is_error: false,
      num_turns: 2,
      result: "All done",
      session_id: "s-1",
      total_cost_usd: 0.25,
      modelUsage: {
        "claude-x": {
          ...{ inputTokens: 200, outputTokens: 100, cacheReadInputTokens: 40, cacheCreationInputTokens: 20 },
          costUSD: 0.25,
        },
      },
      permission_denials: [],
    },
  ],
  codex: [
    { type: "thread.started", thread_id: "s-1" },
    { type: "turn.started" },
    { type: "item.started", item: { type: "command_execution", command: "/bin/bash -lc 'touch made.txt'" } },
    {
      type: "item.completed",
      item: { type: "command_execution", command: "x", aggregated_output: "", exit_code: 0, status: "completed" },
    },
    { type: "item.completed", item: { type: "file_change", changes: [{ path: "/w/made.txt", kind: "add" }] } },
    { type: "item.completed", item: { type: "agent_message", text: "All done" } },
    {
      type: "turn.completed",
      usage: { input_tokens: 260, cached_input_tokens: 40, cache_write_input_tokens: 20, output_tokens: 100 },
    },
  ],
  gemini: [
    { type: "init", session_id: "s-1", model: "gemini-x" },
    { type: "message", role: "user", content: "do it" },
    { type: "message", role: "assistant", content: "I make a file.", delta: true },
    { type: "tool_use", tool_name: "write_file", tool_id: "t", parameters: { file_path: "made.txt" } },
    { type: "tool_result", tool_id: "t", status: "success" },
    { type: "message", role: "assistant", content: "All ", delta: true },
    { type: "message", role: "assistant", content: "done", delta: true },
    {
      type: "result",
      status: "success",
      stats: { total_tokens: 360, input_tokens: 260, output_tokens: 80, cached: 60, input: 200 },
    },
  ],
  opencode: [
    { type: "step_start", sessionID: "s-1", part: {} },
    {
      type: "tool_use",
      sessionID: "s-1",
      part: { tool: "write", state: { status: "completed", input: { filePath: "made.txt" }, output: "Wrote it" } },
    },
    stepFinish("tool-calls"),
    { type: "step_start", sessionID: "s-1", part: {} },
    { type: "text", sessionID: "s-1", part: { text: "All done" } },
    stepFinish("stop"),
  ],
};

function stepFinish(reason: string): object {
  const tokens = { input: 100, output: 40, reasoning: 10, cache: { read: 20, write: 10 } };
  return { type: "step_finish", sessionID: "s-1", part: { reason, tokens, cost: 0.125 } };
}

/** The body of one that succeeds. */
export function succeedAs(agent: string): string {
  return `for (const event of ${JSON.stringify(successes[agent])}) emit(event);`;
}
