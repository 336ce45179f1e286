import {
  acceptedContent,
  type GetPromptResult,
  inputRequired,
  type PromptMessage,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
} from "@modelcontextprotocol/server";
import type { Era } from "../../src/mcp/client.ts";
import { pixel } from "./media.ts";

/** The suite's resources, prompts and logs, in place of those the server has. */
export function addFixtures(server: Server, era: Era): void {
  server.registerCapabilities({ resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} });
  server.setRequestHandler("resources/list", () => ({ resources }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => readResource(uri));
  server.setRequestHandler("prompts/list", () => ({ prompts }));
  server.setRequestHandler("prompts/get", ({ params }, { mcpReq }) => {
    if (params.name !== "test_input_required_result_prompt") return getPrompt(params.name, params.arguments ?? {});
    const context = acceptedContent(mcpReq.inputResponses, "user_context")?.context;
    return context === undefined ? askContext : says(`Context: ${String(context)}`);
  });
  server.setRequestHandler("completion/complete", () => ({ completion: { values: ["paris", "park"], total: 2 } }));
  if (era === "modern") return;
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
}

const resources = [
  { uri: "test://static-text", name: "text", description: "A text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "image", description: "An image", mimeType: "image/png" },
  { uri: "test://watched-resource", name: "watched", description: "One to subscribe to", mimeType: "text/plain" },
];
const resourceTemplates = [
  { uriTemplate: "test://template/{id}/data", name: "data", description: "By id", mimeType: "application/json" },
];

function readResource(uri: string): ReadResourceResult {
  switch (uri) {
    case "test://static-text":
      return contents({ uri, mimeType: "text/plain", text: "This is the content of the static text resource." });
    case "test://static-binary":
      return contents({ uri, mimeType: "image/png", blob: pixel });
    case "test://watched-resource":
      return contents({ uri, mimeType: "text/plain", text: "Nothing happens here." });
  }
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id === undefined) throw new ResourceNotFoundError(uri);
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return contents({ uri, mimeType: "application/json", text });
}

function contents(...all: ReadResourceResult["contents"]): ReadResourceResult {
  return { contents: all };
}

const prompts = [
  { name: "test_simple_prompt", description: "A text" },
  {
    name: "test_prompt_with_arguments",
    description: "Two arguments",
    arguments: ["arg1", "arg2"].map((name) => ({ name, description: name, required: true })),
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "A resource",
    arguments: [{ name: "resourceUri", description: "Of the resource", required: true }],
  },
  { name: "test_prompt_with_image", description: "An image" },
  { name: "test_input_required_result_prompt", description: "Asks first" },
];

const askContext = inputRequired({
  inputRequests: {
    user_context: inputRequired.elicit({
      message: "What context should the prompt use?",
      requestedSchema: { type: "object", properties: { context: { type: "string" } }, required: ["context"] },
    }),
  },
});

function getPrompt(name: string, args: Readonly<Record<string, string>>): GetPromptResult {
  switch (name) {
    case "test_simple_prompt":
      return says("This is a simple prompt for testing.");
    case "test_prompt_with_arguments":
      return says(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`);
    case "test_prompt_with_image":
      return says({ type: "image", data: pixel, mimeType: "image/png" }, "Please analyze the image above.");
    case "test_prompt_with_embedded_resource": {
      const text = "Embedded resource content for testing.";
      const resource = { uri: args.resourceUri ?? "", mimeType: "text/plain", text };
      return says({ type: "resource", resource }, "Please process the embedded resource above.");
    }
    default:
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt '${name}'.`);
  }
}

function says(...all: readonly (string | PromptMessage["content"])[]): GetPromptResult {
  const messages = all.map((one): PromptMessage => {
    return { role: "user", content: typeof one === "string" ? { type: "text", text: one } : one };
  });
  return { messages };
}
