import type { Value, ValueMap } from "../../expression/value.ts";
import { defined } from "../../util/defined.ts";
import type { Usage } from "../model/model-cost.ts";
import { readField, readText } from "../model/read-field.ts";
import type { Access, AgentProgram, AgentReport, AgentTask } from "./agent-program.ts";
import { countAt, listAt, mapAt, numberAt } from "./event-fields.ts";
import { failureOf, waitIn } from "./overload.ts";
import { oneLine, showCall, showResult } from "./show-event.ts";

const sandboxes: Readonly<Record<Access, string>> = {
  read: "read-only",
  edit: "workspace-write",
  full: "danger-full-access",
};

/** Codex CLI: `codex exec --json`. */
export const codex: AgentProgram = {
  name: "codex",
  install: "npm install -g @openai/codex",
  provider: "openai",
  lacks: {
    allowed_tools: "what it may do is set by `access` alone",
    max_turns: "limit it by the block's `timeout`",
  },
  hasSchema: false,
  keepsBudget: false,
  hasSandbox: true,
  command(task) {
    return { args: ["exec", "--json", "--color=never", "--skip-git-repo-check", ...options(task), "-"] };
  },
  read(event, report) {
    switch (event.type) {
      case "thread.started":
        Object.assign(report, defined({ sessionId: readText(event, "thread_id") }));
        return `session ${report.sessionId ?? "?"}`;
      case "item.started":
        return showBegin(event);
      case "item.completed":
        return readItem(event, report);
      case "turn.completed":
        report.hasEnded = true;
        report.usage = usageOf(mapAt(event, "usage"));
        return undefined;
      case "turn.failed":
        return readFailure(readText(event, "error", "message") ?? "?", report);
      case "error":
        return `error: ${oneLine(readText(event, "message") ?? "?")}`;
      default:
        return undefined;
    }
  },
};

function options({ access, model, session }: AgentTask): string[] {
  return [
    `--sandbox=${sandboxes[access]}`,
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(session === undefined ? [] : ["resume", session]),
  ];
}

function showBegin(event: ValueMap): string | undefined {
  const command = readText(event, "item", "command");
  return command === undefined ? undefined : showCall("command", { command });
}

function readItem(event: ValueMap, report: AgentReport): string | undefined {
  const item: ValueMap = mapAt(event, "item");
  const text = readText(item, "text");
  switch (item.type) {
    case "agent_message":
      report.text = text ?? "";
      return text;
    case "command_execution":
      return showResult(readField(item, "aggregated_output"), (numberAt(item, "exit_code") ?? -1) !== 0);
    case "file_change":
      return listAt(item, "changes").map(showChange).join("\n");
    case "error":
      return `error: ${oneLine(readText(item, "message") ?? "?")}`;
    default:
      return text === undefined ? `> ${readText(item, "type") ?? "?"}` : oneLine(text);
  }
}

function showChange(change: Value): string {
  return `> ${readText(change, "kind") ?? "change"}: ${readText(change, "path") ?? "?"}`;
}

function readFailure(message: string, report: AgentReport): string {
  report.hasEnded = true;
  report.failure = failureOf(message);
  Object.assign(report, defined({ retryAfterMs: waitIn(message) }));
  return `failed: ${oneLine(message)}`;
}

/** Of a session that goes on, it counts what earlier runs of the session have used too. What the cache held is part of the input. */
function usageOf(usage: ValueMap): Usage {
  const cacheRead = countAt(usage, "cached_input_tokens");
  const cacheWrite = countAt(usage, "cache_write_input_tokens");
  const input = Math.max(0, countAt(usage, "input_tokens") - cacheRead - cacheWrite);
  return { input, output: countAt(usage, "output_tokens"), cacheRead, cacheWrite };
}
