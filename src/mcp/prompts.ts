import {
  type GetPromptRequest,
  type GetPromptResult,
  type Prompt as ListedPrompt,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Prompt } from "./prompt.ts";
import { authorWorkflow } from "./prompts/author-workflow.ts";
import { workflowHelp } from "./prompts/workflow-help.ts";
import type { ServerContext } from "./server-context.ts";

/** Sorted by name. */
const builtInPrompts: readonly Prompt[] = [authorWorkflow, workflowHelp];

/** Texts that a person puts before a model. */
export function addPrompts(server: Server, context: ServerContext): void {
  server.registerCapabilities({ prompts: {} });
  server.setRequestHandler("prompts/list", () => ({ prompts: builtInPrompts.map(listPrompt) }));
  server.setRequestHandler("prompts/get", ({ params }) => writePrompt(params, context));
}

export function findPrompt(name: string): Prompt {
  const prompt = builtInPrompts.find((candidate) => candidate.name === name);
  if (prompt !== undefined) return prompt;
  const names = builtInPrompts.map((candidate) => candidate.name);
  throw refusal(`There is no prompt '${name}'. ${suggestName(name, names, "prompt")}`);
}

function listPrompt({ name, title, description, arguments: args }: Prompt): ListedPrompt {
  const listed = args.map((argument) => ({
    name: argument.name,
    description: argument.description,
    required: true,
  }));
  return { name, title, description, arguments: listed };
}

function writePrompt(
  { name, arguments: given = {} }: GetPromptRequest["params"],
  context: ServerContext,
): GetPromptResult {
  const prompt = findPrompt(name);
  const missing = prompt.arguments.find((argument) => (given[argument.name] ?? "").trim() === "");
  if (missing !== undefined) throw refusal(`${name} needs the argument '${missing.name}': ${missing.description}.`);
  const written = prompt.write(given, context);
  if (!written.ok) throw refusal(written.error);
  return {
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text: written.value } }],
  };
}

function refusal(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
