import type { Call } from "../../src/mcp/call.ts";
import { startAndAwait } from "../../src/mcp/start-and-await.ts";
import type { JsonSchema, Tool } from "../../src/mcp/tool.ts";
import type { ToolSource } from "../../src/mcp/tool-source.ts";
import { builtInTools } from "../../src/mcp/tools/index.ts";

/** How a call of the tool is to end when its client takes tasks, whom the suite tells before it knows how long anything takes. */
type Ending =
  /** With the result. */
  | "result"
  /** With a task, before there can be a result. */
  | "task"
  /** With a task or not at all. */
  | "only task"
  /** With questions, which the client asks itself. */
  | "questions"
  /** The same, but of no use to clients that take no tasks. */
  | "questions, then task";

const text = { type: "string" };

/** The tools of the suite that do something: each is the workflow of its name, run by the engine. */
const tools: Readonly<Record<string, readonly [Ending, JsonSchema?]>> = {
  confirm_delete: ["only task", { filename: text }],
  failing_job: ["only task"],
  greet: ["result", { name: text }],
  multi_input: ["only task"],
  protocol_error_job: ["only task"],
  slow_compute: ["task", { seconds: { type: "number" }, label: text }],
  test_error_handling: ["result"],
  test_input_required_result_multi_round: ["questions"],
  test_input_required_result_request_state: ["questions"],
  test_input_required_result_tampered_state: ["questions"],
  test_tool_with_task: ["questions, then task"],
};

const workflowTools: readonly Tool[] = Object.entries(tools).map(([name, [ending, properties = {}]]) => ({
  name,
  title: name,
  description: `Runs the workflow ${workflowOf(name)}`,
  toolset: "core",
  effect: "runs",
  inputSchema: { type: "object", properties },
  ...(ending.startsWith("only") || ending.endsWith("then task") ? { needsTask: true as const } : {}),
  async call(inputs, call, door) {
    const { workspace } = door.settings;
    const runtime = door.openRuntime(workspace);
    const start = { runtime, checked: runtime.workflows.findByName(workflowOf(name)), inputs, workspace };
    return startAndAwait(start, { waitSeconds: 45, format: "minimal" }, endingIn(ending, call), door);
  },
}));

const offered = [...builtInTools, ...workflowTools];

/** Those of the product and those. */
export const toolSource: ToolSource = {
  list: () => offered,
  find: (name) => offered.find((tool) => tool.name === name),
  onChanged: () => () => {},
  close() {},
};

function workflowOf(tool: string): string {
  return tool.replaceAll("_", "-");
}

function endingIn(ending: Ending, { taskAfterMs, ...call }: Call): Call {
  const isTask = ending === "task" || ending === "only task";
  return isTask && taskAfterMs !== undefined ? { ...call, taskAfterMs: 0 } : call;
}
