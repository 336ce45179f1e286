import type { CallToolResult, Tool as ListedTool, RequestStateCodec } from "@modelcontextprotocol/server";
import { inputRequired } from "@modelcontextprotocol/server";
import type { Handlers, ToolAnswer } from "../../src/mcp/handlers.ts";
import { askable, askingTools } from "./asking-tools.ts";
import { type ContentTool, contentTools, says } from "./content-tools.ts";

/** The server's own handlers, with the tools of the suite that run nothing beside its own. */
export function withContentTools(real: Handlers): Handlers {
  const listeners = new Set<() => void>();
  const changeTools = (): void => {
    for (const listener of listeners) listener();
  };
  const tools = [...contentTools, ...askingTools, manyQuestions(real.rounds as RequestStateCodec<unknown>)];
  return {
    ...real,
    async listTools(request) {
      const { tools: own } = await real.listTools(request);
      return { tools: [...own, ...tools.map(list)].sort((one, other) => (one.name < other.name ? -1 : 1)) };
    },
    async callTool(params, request) {
      const tool = tools.find(({ name }) => name === params.name);
      if (tool !== undefined) return tool.call(params.arguments ?? {}, request, changeTools);
      const answer = await real.callTool(params, request);
      return params.name === "greet" ? asPlainText(answer) : answer;
    },
    onToolsChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function list({ name, inputSchema = { type: "object" } }: ContentTool): ListedTool {
  const description = `The tool ${name} of the conformance suite`;
  return { name, description, inputSchema: inputSchema as ListedTool["inputSchema"] };
}

/** The suite compares the words of the greeting; a run's reply holds them among its outputs. */
function asPlainText(answer: ToolAnswer): ToolAnswer {
  const { structuredContent } = answer as CallToolResult;
  const { outputs } = structuredContent as { readonly outputs?: { readonly text?: string } };
  return outputs?.text === undefined ? answer : says(outputs.text);
}

/** A round is signed with the server's own key, whatever it is about. */
function manyQuestions(rounds: RequestStateCodec<unknown>): ContentTool {
  return {
    name: "test_input_required_result_multiple_inputs",
    async call(_, { context, capabilities }) {
      if (context.mcpReq.requestState() !== undefined) return says("done");
      const requestState = await rounds.mint({ asked: Object.keys(capabilities) });
      return inputRequired({ inputRequests: askable(capabilities), requestState });
    },
  };
}
