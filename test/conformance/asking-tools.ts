import {
  acceptedContent,
  type CallToolResult,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import { type ContentTool, says } from "./content-tools.ts";

type Properties = ElicitRequestFormParams["requestedSchema"]["properties"];

/** Whatever can be asked of a client and is no question of a workflow; in both eras, as the SDK asks in the old one. */
export const askingTools: readonly ContentTool[] = [
  {
    name: "test_elicitation",
    inputSchema: { type: "object", properties: { message: { type: "string" } } },
    call: (args, { context }) =>
      askForm(String(args.message), { username: { type: "string" }, email: { type: "string" } }, context.mcpReq),
  },
  {
    name: "test_elicitation_sep1034_defaults",
    call: (_, { context }) => askForm("Are these right?", allDefaults, context.mcpReq),
  },
  {
    name: "test_elicitation_sep1330_enums",
    call: (_, { context }) => askForm("Choose", allEnums, context.mcpReq),
  },
  {
    name: "test_streaming_elicitation",
    call: (_, { context }) => askForm("Go on?", { ok: { type: "boolean" } }, context.mcpReq),
  },
  {
    name: "test_sampling",
    inputSchema: { type: "object", properties: { prompt: { type: "string" } } },
    call: (args, { context }) => askModel("answer", String(args.prompt), context.mcpReq),
  },
  {
    name: "test_input_required_result_elicitation",
    call: (_, { context }) => askName(context.mcpReq),
  },
  {
    name: "test_input_required_result_sampling",
    call: (_, { context }) => askModel("capital_question", "What is the capital of France?", context.mcpReq),
  },
  {
    name: "test_input_required_result_list_roots",
    call(_, { context }) {
      const response = inputResponse(context.mcpReq.inputResponses, "client_roots");
      if (response.kind === "roots") return says(response.roots.map(({ uri }) => uri).join(" "));
      return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    },
  },
  {
    name: "test_input_required_result_capabilities",
    call(_, { context, capabilities }) {
      if (Object.keys(context.mcpReq.inputResponses ?? {}).length > 0) return says("done");
      return inputRequired({ inputRequests: askable(capabilities) });
    },
  },
];

interface Responses {
  readonly inputResponses?: Record<string, unknown>;
}

const nameForm: InputRequest = form("What is your name?", { name: { type: "string" } });

function form(message: string, properties: Properties): InputRequest {
  return inputRequired.elicit({
    message,
    requestedSchema: { type: "object", properties, required: Object.keys(properties) },
  });
}

function sample(text: string): InputRequest {
  const messages = [{ role: "user" as const, content: { type: "text" as const, text } }];
  return inputRequired.createMessage({ messages, maxTokens: 100 });
}

export function askable(capabilities: ClientCapabilities): Record<string, InputRequest> {
  return {
    ...(capabilities.elicitation === undefined ? {} : { user_name: nameForm }),
    ...(capabilities.sampling === undefined ? {} : { greeting: sample("Generate a greeting") }),
    ...(capabilities.roots === undefined ? {} : { client_roots: inputRequired.listRoots() }),
  };
}

function askName({ inputResponses }: Responses): CallToolResult | InputRequiredResult {
  const name = acceptedContent(inputResponses, "user_name")?.name;
  return typeof name === "string" ? says(`Hello, ${name}!`) : inputRequired({ inputRequests: { user_name: nameForm } });
}

function askForm(
  message: string,
  properties: Properties,
  { inputResponses }: Responses,
): CallToolResult | InputRequiredResult {
  const response = inputResponse(inputResponses, "form");
  if (response.kind !== "elicit") return inputRequired({ inputRequests: { form: form(message, properties) } });
  return says(`User response: action=${response.action}, content=${JSON.stringify(response.content ?? {})}`);
}

function askModel(key: string, prompt: string, { inputResponses }: Responses): CallToolResult | InputRequiredResult {
  const response = inputResponse(inputResponses, key);
  if (response.kind !== "sampling") return inputRequired({ inputRequests: { [key]: sample(prompt) } });
  const { content } = response.result;
  return says(`LLM response: ${"text" in content ? String(content.text) : ""}`);
}

const allDefaults: Properties = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
};

const options = ["option1", "option2", "option3"];
const titled = (noun: string): { const: string; title: string }[] =>
  ["First", "Second", "Third"].map((title, index) => ({ const: `value${index + 1}`, title: `${title} ${noun}` }));

const allEnums: Properties = {
  untitledSingle: { type: "string", enum: options },
  titledSingle: { type: "string", oneOf: titled("Option") },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: { type: "array", items: { type: "string", enum: options } },
  titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
};
