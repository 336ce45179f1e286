import type { ValueMap } from "../../expression/value.ts";
import { defined } from "../../util/defined.ts";
import type { Usage } from "../model/model-cost.ts";
import { readField, readText } from "../model/read-field.ts";
import { type Access, type AgentProgram, type AgentReport, addUsage } from "./agent-program.ts";
import { amountAt, countAt, mapAt, numberAt } from "./event-fields.ts";
import { failureOf, waitIn } from "./overload.ts";
import { oneLine, showCall, showResult } from "./show-event.ts";

/** What would be asked for ends it, so that nothing is left to ask. */
const permissions: Readonly<Record<Access, ValueMap>> = {
  read: { edit: "deny", bash: "deny" },
  edit: { edit: "allow", bash: "deny" },
  full: { edit: "allow", bash: "allow" },
};

/** opencode: `opencode run --format json`, which takes a prompt from standard input. */
export const opencode: AgentProgram = {
  name: "opencode",
  install: "npm install -g opencode-ai",
  lacks: {
    allowed_tools: "set `permission` in its settings",
    max_turns: "set `steps` of an agent in its settings, or limit it by the block's `timeout`",
  },
  hasSchema: false,
  keepsBudget: true,
  command({ access, model, session }) {
    return {
      args: [
        "run",
        "--format=json",
        ...(model === undefined ? [] : [`--model=${model}`]),
        ...(session === undefined ? [] : [`--session=${session}`]),
        ...(access === "full" ? ["--auto"] : []),
      ],
      env: { OPENCODE_PERMISSION: JSON.stringify(permissions[access]) },
    };
  },
  read(event, report) {
    Object.assign(report, defined({ sessionId: readText(event, "sessionID") }));
    switch (event.type) {
      case "step_start":
        report.text = "";
        report.hasEnded = false;
        return undefined;
      case "text":
        return readSaid(event, report);
      case "tool_use":
        return showTool(mapAt(event, "part"));
      case "step_finish":
        return readStep(mapAt(event, "part"), report);
      case "error":
        return readFailure(mapAt(event, "error"), report);
      default:
        return undefined;
    }
  },
};

function readSaid(event: ValueMap, report: AgentReport): string | undefined {
  const text = readText(event, "part", "text");
  if (text !== undefined) report.text += report.text === "" ? text : `\n${text}`;
  return text;
}

function showTool(part: ValueMap): string {
  const call = showCall(readText(part, "tool") ?? "?", readField(part, "state", "input"));
  const failed = readText(part, "state", "status") === "error";
  return `${call}\n${showResult(readField(part, "state", failed ? "error" : "output"), failed)}`;
}

function readStep(part: ValueMap, report: AgentReport): undefined {
  const tokens = mapAt(part, "tokens");
  const usage: Usage = {
    input: countAt(tokens, "input"),
    output: countAt(tokens, "output") + countAt(tokens, "reasoning"),
    cacheRead: countAt(tokens, "cache", "read"),
    cacheWrite: countAt(tokens, "cache", "write"),
  };
  report.usage = addUsage(report.usage, usage);
  report.turns = (report.turns ?? 0) + 1;
  // Of a model whose price it does not know it says that it costs nothing.
  const cost = amountAt(part, "cost");
  if (cost !== undefined && cost > 0) report.costUsd = (report.costUsd ?? 0) + cost;
  report.hasEnded = readText(part, "reason") !== "tool-calls";
}

function readFailure(error: ValueMap, report: AgentReport): string {
  const message = readText(error, "data", "message") ?? readText(error, "name") ?? "?";
  report.failure = failureOf(message, numberAt(error, "data", "statusCode"));
  Object.assign(report, defined({ retryAfterMs: waitIn(message) }));
  return `failed: ${oneLine(message)}`;
}
