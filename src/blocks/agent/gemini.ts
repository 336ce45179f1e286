import type { ValueMap } from "../../expression/value.ts";
import { defined } from "../../util/defined.ts";
import type { Usage } from "../model/model-cost.ts";
import { readField, readText } from "../model/read-field.ts";
import type { Access, AgentProgram, AgentReport, AgentTask } from "./agent-program.ts";
import { countAt, mapAt } from "./event-fields.ts";
import { failureOf, waitIn } from "./overload.ts";
import { oneLine, showCall, showResult } from "./show-event.ts";

const approvalModes: Readonly<Record<Access, string>> = { read: "default", edit: "auto_edit", full: "yolo" };

/** Gemini CLI: `gemini --output-format stream-json`, which takes a prompt from standard input. */
export const gemini: AgentProgram = {
  name: "gemini",
  install: "npm install -g @google/gemini-cli",
  provider: "google",
  lacks: { max_turns: "set `model.maxSessionTurns` in its settings, or limit it by the block's `timeout`" },
  hasSchema: false,
  keepsBudget: false,
  command(task) {
    // It does nothing in a directory that nobody has told it to trust; which files a run may use has been asked by Frond.
    return { args: ["--output-format=stream-json", "--skip-trust", ...options(task)] };
  },
  read(event, report) {
    switch (event.type) {
      case "init":
        Object.assign(report, defined({ sessionId: readText(event, "session_id"), model: readText(event, "model") }));
        return `session ${report.sessionId ?? "?"}, model ${report.model ?? "?"}`;
      case "message":
        return readMessage(event, report);
      case "tool_use":
        // What it said before was no answer yet.
        report.text = "";
        return showCall(readText(event, "tool_name") ?? "?", readField(event, "parameters"));
      case "tool_result":
        return showResult(
          readText(event, "error", "message") ?? readField(event, "output"),
          event.status !== "success",
        );
      case "error":
        return `error: ${oneLine(readText(event, "message") ?? "?")}`;
      case "result":
        return readEnd(event, report);
      default:
        return undefined;
    }
  },
};

function options({ access, model, allowedTools, session }: AgentTask): string[] {
  return [
    `--approval-mode=${approvalModes[access]}`,
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...allowedTools.map((tool) => `--allowed-tools=${tool}`),
    ...(session === undefined ? [] : [`--resume=${session}`]),
  ];
}

/** Its answer comes in pieces. */
function readMessage(event: ValueMap, report: AgentReport): string | undefined {
  const text = readText(event, "content");
  if (event.role !== "assistant" || text === undefined) return undefined;
  report.text += text;
  return text;
}

function readEnd(event: ValueMap, report: AgentReport): string | undefined {
  report.hasEnded = true;
  report.usage = usageOf(mapAt(event, "stats"));
  if (event.status === "success") return undefined;
  const message = readText(event, "error", "message") ?? "?";
  report.failure = failureOf(message);
  Object.assign(report, defined({ retryAfterMs: waitIn(message) }));
  return `failed: ${oneLine(message)}`;
}

/** What it has thought is paid as output, and counted only in the total. */
function usageOf(stats: ValueMap): Usage {
  const all = countAt(stats, "input_tokens");
  const cacheRead = Math.min(all, countAt(stats, "cached"));
  const output = Math.max(countAt(stats, "output_tokens"), countAt(stats, "total_tokens") - all);
  return { input: all - cacheRead, output, cacheRead, cacheWrite: 0 };
}
