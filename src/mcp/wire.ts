import {
  type CallToolResult,
  type ElicitRequestFormParams,
  type InputRequest,
  inputRequired,
  type Tool as ListedTool,
} from "@modelcontextprotocol/server";
import type { QuestionData } from "../views/response.ts";
import { formFor } from "./elicitation.ts";
import { runAppUri } from "./resource-uris.ts";
import type { Tool } from "./tool.ts";

/** A tool as clients see it. */
export function listTool({ name, title, description, effect, hints, inputSchema, outputSchema }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema as ListedTool["inputSchema"],
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as NonNullable<ListedTool["outputSchema"]> }),
    annotations: { ...annotations[effect], ...hints },
  };
}

/** The same for clients that show views of what a tool is about: every other would only pay for the words. */
export function withView(listed: ListedTool, { repliesWithRun }: Tool): ListedTool {
  return repliesWithRun === true ? { ...listed, _meta: { ui: { resourceUri: runAppUri } } } : listed;
}

const annotations: Readonly<Record<Tool["effect"], NonNullable<ListedTool["annotations"]>>> = {
  reads: { readOnlyHint: true, openWorldHint: false },
  steers: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  runs: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
};

/** As data, and as the same in compact text for clients that know only that. */
export function toolResult(data: object, isError: boolean): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(data) }],
    structuredContent: data as Record<string, unknown>,
    ...(isError ? { isError } : {}),
  };
}

/** As text alone: there are clients that show their models nothing but the data of a reply that has any. */
export function textResult(texts: readonly string[]): CallToolResult {
  return { content: texts.map((text) => ({ type: "text", text })) };
}

/** Whose questions they are: a person may have several clients, and none of them says so. */
export interface Asking {
  readonly workflow: string;
  /** The directory that it works in. */
  readonly workspace: string;
}

/** A question as a form that the client shows to a person. */
function elicit(question: QuestionData, { workflow, workspace }: Asking, misfit: string | undefined): InputRequest {
  const requestedSchema = formFor(question).schema as unknown as ElicitRequestFormParams["requestedSchema"];
  const asks = `The workflow ${workflow} in ${workspace} asks:`;
  const message = [...(misfit === undefined ? [] : [misfit]), asks, question.prompt].join("\n\n");
  return inputRequired.elicit({ message, requestedSchema });
}

export function elicitAll(
  questions: readonly QuestionData[],
  asking: Asking,
  misfits: ReadonlyMap<string, string> = new Map(),
): Record<string, InputRequest> {
  return Object.fromEntries(
    questions.map((question) => {
      const { checkpoint_id: id } = question;
      return [id, elicit(question, asking, misfits.get(id))];
    }),
  );
}
