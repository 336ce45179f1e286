import {
  type CallToolRequest,
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
} from "@modelcontextprotocol/server";
import { toValue, type ValueMap } from "../expression/value.ts";
import { explainFailure } from "../runs/explain-failure.ts";
import type { WorkflowResponse } from "../views/response.ts";
import { Forms } from "./ask-in-call.ts";
import { awaitRun } from "./await-run.ts";
import { type ClientRequest, demandTasks, describeCall } from "./client.ts";
import { fitReply } from "./fit-reply.ts";
import { reachRun } from "./reach-run.ts";
import { describeRefused, refuse, type ToolReply, withRemarks } from "./reply.ts";
import { answerRound, findAsking, mostRounds, type Round } from "./rounds.ts";
import { showsApps } from "./run-app.ts";
import type { ServerContext } from "./server-context.ts";
import { suggestTool } from "./suggest-tool.ts";
import { createTask, type Task } from "./tasks.ts";
import type { Tool } from "./tool.ts";
import type { ToolSource } from "./tool-source.ts";
import { elicitAll, listTool, textResult, toolResult, withView } from "./wire.ts";

/** How the server answers, whatever the connection and the era. */
export interface Handlers {
  readonly rounds: RequestStateCodec<Round>;
  listTools(request: ClientRequest): Promise<ListToolsResult>;
  callTool(params: CallToolRequest["params"], request: ClientRequest): Promise<ToolAnswer>;
  /** Told whenever the tools are others than before. Returns how to stop. */
  onToolsChanged(listener: () => void): () => void;
}

export type ToolAnswer = CallToolResult | InputRequiredResult | ({ readonly resultType: "task" } & Task);

/** A person may take their time; what is asked stays open in the run itself for as long as it takes. */
const roundSeconds = 24 * 60 * 60;

export function createHandlers(context: ServerContext, tools: ToolSource, stateKey: Uint8Array): Handlers {
  const rounds = createRequestStateCodec<Round>({ key: stateKey, ttlSeconds: roundSeconds });
  const forms = new Forms(context);
  return {
    rounds,
    async listTools(request) {
      const isShown = showsApps(request);
      return { tools: tools.list().map((tool) => (isShown ? withView(listTool(tool), tool) : listTool(tool))) };
    },
    async callTool(params, request) {
      const tool = findTool(params.name, tools);
      if (tool.needsTask) demandTasks(request);
      const args = readArguments(params.arguments, tool);
      const round = request.context.mcpReq.requestState<Round>();
      if (round !== undefined && round.tool !== tool.name) throw otherTool(round.tool);
      return explainingFailures(context, async () => {
        const reply =
          round === undefined ? await begin(tool, args, request, forms, context) : await goOn(round, request, context);
        return toAnswer(
          withCall(tool.name, reply),
          { tool: tool.name, count: (round?.count ?? 0) + 1 },
          rounds,
          context,
        );
      });
    },
    onToolsChanged: (listener) => tools.onChanged(listener),
  };
}

/** What the outside keeps Frond from doing, such as a full disk, is a reply like any other; the rest is a bug of ours. */
async function explainingFailures(context: ServerContext, action: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  try {
    return await action();
  } catch (error) {
    const failure = explainFailure(error);
    if (failure !== undefined) return toolResult(describeRefused([failure]), true);
    if (error instanceof ProtocolError) throw error;
    const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
    context.log("error", stack);
    throw new ProtocolError(ProtocolErrorCode.InternalError, `Frond itself failed: ${message} Please report it.`);
  }
}

function findTool(name: string, tools: ToolSource): Tool {
  const tool = tools.find(name);
  if (tool !== undefined) return tool;
  const names = tools.list().map((candidate) => candidate.name);
  const message = `There is no tool '${name}'. ${suggestTool(name, names)}`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

type Arguments = NonNullable<CallToolRequest["params"]["arguments"]>;

function readArguments(given: Arguments = {}, tool: Tool): ValueMap {
  const value = toValue(withoutClientsOwn(given, tool));
  if (value.ok) return value.value as ValueMap;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The arguments can't be used: ${value.error}`);
}

/** Gemini CLI adds `wait_for_previous` to every tool, has waited by the time it calls, and sends it along all the same. */
function withoutClientsOwn(given: Arguments, tool: Tool): Arguments {
  const { wait_for_previous: added, ...rest } = given;
  if (added === undefined) return given;
  const { properties = {} } = tool.inputSchema as { readonly properties?: object };
  return Object.hasOwn(properties, "wait_for_previous") ? given : rest;
}

/** A refusal whose fixes name no call is followed by the same one, with that fixed: by the caller, or by a person. */
function withCall(tool: string, reply: ToolReply): ToolReply {
  if (reply.kind !== "result" || !reply.isError) return reply;
  const { errors, message } = reply.data as Partial<WorkflowResponse>;
  if (errors === undefined || message !== undefined || errors.some(({ fix = "" }) => namesCall.test(fix))) return reply;
  return { ...reply, data: { ...reply.data, message: `Once that is fixed, call ${tool} again.` } };
}

const namesCall = /\b(?:cancel|delete|execute|get|list|rerun|resume|validate)_[a-z]/;

async function begin(
  tool: Tool,
  args: ValueMap,
  request: ClientRequest,
  forms: Forms,
  context: ServerContext,
): Promise<ToolReply> {
  const begunAt = performance.now();
  const call = describeCall(request);
  const reply = await tool.call(args, call, context);
  if (reply.kind !== "questions" || request.era === "modern") return reply;
  const client = { server: request.server, requestId: request.context.mcpReq.id };
  return forms.ask(reply, client, call, begunAt + reply.waiting.waitSeconds * 1000);
}

/** A call that ended with questions comes again, with what a person said. */
async function goOn(round: Round, request: ClientRequest, context: ServerContext): Promise<ToolReply> {
  const run = await reachRun(round.runId, context);
  if (!run.ok) return refuse(run.error);
  const { declined, misfits, remarks } = await answerRound(round, request.context.mcpReq.inputResponses ?? {}, context);
  const call = describeCall(request);
  const elicits = call.elicits && round.count < mostRounds;
  const reply = await awaitRun(round.runId, round.waiting, { ...call, elicits }, context, declined);
  return reply.kind === "questions" ? { ...reply, misfits } : withRemarks(remarks, reply);
}

/** The state is signed with a key that servers with other settings may share: a tool that only reads goes on with nothing. */
function otherTool(name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `The requestState belongs to a call of ${name}.`);
}

async function toAnswer(
  reply: ToolReply,
  next: Pick<Round, "tool" | "count">,
  rounds: RequestStateCodec<Round>,
  context: ServerContext,
): Promise<ToolAnswer> {
  switch (reply.kind) {
    case "result":
      return toolResult(fitReply(reply.data, reply.format), reply.isError);
    case "text":
      return textResult(reply.texts);
    case "task":
      return { resultType: "task", ...(await createTask(reply.runId, context)) };
    case "questions": {
      const { runId, waiting, questions, misfits } = reply;
      const asked = questions.map(({ checkpoint_id: id }) => id);
      return inputRequired({
        inputRequests: elicitAll(questions, await findAsking(runId, context), misfits),
        requestState: await rounds.mint({ ...next, runId, waiting, asked }),
      });
    }
  }
}
