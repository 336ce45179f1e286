import type { Value, ValueMap } from "../../expression/value.ts";
import { defined } from "../../util/defined.ts";
import type { Usage } from "../model/model-cost.ts";
import { readField, readText } from "../model/read-field.ts";
import { type Access, type AgentProgram, type AgentReport, type AgentTask, addUsage } from "./agent-program.ts";
import { amountAt, countAt, listAt, mapAt, numberAt } from "./event-fields.ts";
import { failureOf, waitIn } from "./overload.ts";
import { oneLine, showCall, showResult } from "./show-event.ts";

const permissionModes: Readonly<Record<Access, string>> = {
  read: "dontAsk",
  edit: "acceptEdits",
  full: "bypassPermissions",
};

/** Claude Code 2: `claude -p --output-format stream-json`. */
export const claude: AgentProgram = {
  name: "claude",
  install: "npm install -g @anthropic-ai/claude-code",
  provider: "anthropic",
  lacks: {},
  hasSchema: true,
  keepsBudget: true,
  command(task) {
    return { args: ["--print", "--output-format=stream-json", "--verbose", ...options(task)] };
  },
  read(event, report) {
    const { type } = event;
    if (type === "system") return readSystem(event, report);
    if (type === "assistant") return readAnswer(event, report);
    if (type === "user") return readResults(event);
    return type === "result" ? readEnd(event, report) : undefined;
  },
};

function options({ access, model, allowedTools, maxTurns, budgetUsd, session, schema }: AgentTask): string[] {
  return [
    `--permission-mode=${permissionModes[access]}`,
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(allowedTools.length === 0 ? [] : [`--allowedTools=${allowedTools.join(",")}`]),
    ...(maxTurns === undefined ? [] : [`--max-turns=${maxTurns}`]),
    ...(budgetUsd === undefined ? [] : [`--max-budget-usd=${budgetUsd}`]),
    ...(session === undefined ? [] : [`--resume=${session}`]),
    ...(schema === undefined ? [] : [`--json-schema=${JSON.stringify(schema)}`]),
  ];
}

function readSystem(event: ValueMap, report: AgentReport): string | undefined {
  if (event.subtype === "init") {
    Object.assign(report, defined({ sessionId: readText(event, "session_id"), model: readText(event, "model") }));
    return `session ${report.sessionId ?? "?"}, model ${report.model ?? "?"}`;
  }
  if (event.subtype !== "api_retry") return undefined;
  const wait = numberAt(event, "retry_delay_ms");
  // Its own delays have a random part; whole seconds are what the provider has asked for.
  if (wait !== undefined && wait % 1000 === 0) report.retryAfterMs = wait;
  else delete report.retryAfterMs;
  const status = numberAt(event, "error_status");
  return `the model's provider refused (${status ?? readText(event, "error") ?? "?"}); trying again`;
}

function readAnswer(event: ValueMap, report: AgentReport): string | undefined {
  countMessage(mapAt(event, "message"), report);
  const lines = listAt(event, "message", "content").flatMap((part) => showPart(part, report) ?? []);
  return lines.length === 0 ? undefined : lines.join("\n");
}

/** One message comes as several events. What it will have written is not known yet. */
function countMessage(message: ValueMap, report: AgentReport): void {
  const id = readText(message, "id");
  if (id === undefined || id === report.countedMessage) return;
  report.countedMessage = id;
  const usage = mapAt(message, "usage");
  report.usage = addUsage(report.usage, {
    input: countAt(usage, "input_tokens"),
    output: countAt(usage, "output_tokens"),
    cacheRead: countAt(usage, "cache_read_input_tokens"),
    cacheWrite: countAt(usage, "cache_creation_input_tokens"),
  });
}

function showPart(part: Value, report: AgentReport): string | undefined {
  const text = readText(part, "text");
  if (readText(part, "type") === "text" && text !== undefined) {
    report.text = text;
    return text;
  }
  if (readText(part, "type") !== "tool_use") return undefined;
  return showCall(readText(part, "name") ?? "?", readField(part, "input"));
}

function readResults(event: ValueMap): string | undefined {
  const results = listAt(event, "message", "content").filter((part) => readText(part, "type") === "tool_result");
  const lines = results.map((part) => showResult(contentOf(part), readField(part, "is_error") === true));
  return lines.length === 0 ? undefined : lines.join("\n");
}

function contentOf(part: Value): Value | undefined {
  const content = readField(part, "content");
  const texts = listAt(part, "content").flatMap((item) => readText(item, "text") ?? []);
  return texts.length > 0 ? texts.join(" ") : content;
}

function readEnd(event: ValueMap, report: AgentReport): string | undefined {
  const text = readText(event, "result");
  report.hasEnded = true;
  Object.assign(report, {
    ...defined({ sessionId: readText(event, "session_id"), turns: countAt(event, "num_turns") }),
    ...defined({ text, json: readField(event, "structured_output") }),
    ...defined({ costUsd: amountAt(event, "total_cost_usd"), usage: usageOf(event) }),
  });
  const denied = listAt(event, "permission_denials").map((denial) => readText(denial, "tool_name") ?? "?");
  const remark =
    denied.length === 0 ? undefined : `not allowed: ${[...new Set(denied)].join(", ")} (see access, allowed_tools)`;
  if (event.is_error !== true) return remark;
  const message =
    listAt(event, "errors").flatMap((error) => (typeof error === "string" ? error : []))[0] ?? text ?? "?";
  const wait = waitIn(message);
  if (wait !== undefined) report.retryAfterMs = wait;
  const status = numberAt(event, "api_error_status");
  // The one status in its result is that of the model's provider; what it ended for by itself has none.
  report.failure = status === undefined ? { message, isOverload: false } : failureOf(message, status);
  return `failed: ${oneLine(message)}`;
}

/** By model, for that is complete also where it ended early. */
function usageOf(event: ValueMap): Usage | undefined {
  const models = Object.values(mapAt(event, "modelUsage"));
  return models.reduce<Usage | undefined>(
    (sum, model) =>
      addUsage(sum, {
        input: countAt(model, "inputTokens"),
        output: countAt(model, "outputTokens"),
        cacheRead: countAt(model, "cacheReadInputTokens"),
        cacheWrite: countAt(model, "cacheCreationInputTokens"),
      }),
    undefined,
  );
}
