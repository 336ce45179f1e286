import { type ServerContext as RequestContext, Server } from "@modelcontextprotocol/server";
import * as z from "zod";
import { mayRun } from "./choose-tools.ts";
import { demandTasks, describeClient, type Era, tasksExtension } from "./client.ts";
import { builtInFeatures, type Feature } from "./feature.ts";
import type { Handlers } from "./handlers.ts";
import type { ServerContext } from "./server-context.ts";
import { cancelTask, getTask, updateTask } from "./tasks.ts";

/** One server of the SDK, for one connection or one request; it keeps nothing but what its client has subscribed to. */
export function createServer(
  context: ServerContext,
  handlers: Handlers,
  era: Era,
  features: readonly Feature[] = builtInFeatures,
): Server {
  // A task is answered and cancelled without any tool, so where no tool runs anything there are none.
  const hasTasks = era === "modern" && mayRun(context.settings);
  const server = new Server(
    { name: "frond", title: "Frond", version: context.version },
    {
      capabilities: {
        tools: { listChanged: true },
        ...(hasTasks ? { extensions: { [tasksExtension]: {} } } : {}),
      },
      instructions,
      requestState: { verify: handlers.rounds.verify },
    },
  );
  server.setRequestHandler("tools/list", (_, request) => handlers.listTools(describeClient(server, request, era)));
  server.setRequestHandler("tools/call", async ({ params }, request) => {
    // The SDK's types know no tasks.
    return (await handlers.callTool(params, describeClient(server, request, era))) as never;
  });
  if (hasTasks) addTasks(server, context);
  for (const add of features) add(server, context, era);
  return server;
}

const instructions = [
  "Frond runs workflows: YAML files of blocks with dependencies, run in parallel, durable across crashes.",
  "list_workflows finds one, get_workflow_info tells its inputs, execute_workflow runs it.",
  "Every reply says how the run stands and, in `message`, the literal next call.",
].join(" ");

const taskParameters = z.looseObject({ taskId: z.string() });
const anyResult = z.looseObject({});

function addTasks(server: Server, context: ServerContext): void {
  const add = (method: string, answer: (taskId: string, request: RequestContext) => Promise<object>): void => {
    server.setRequestHandler(method, { params: taskParameters, result: anyResult }, async ({ taskId }, request) => {
      demandTasks(describeClient(server, request, "modern"));
      return { resultType: "complete", ...(await answer(taskId, request)) };
    });
  };
  add("tasks/get", (taskId) => getTask(taskId, context));
  add("tasks/update", async (taskId, { mcpReq }) => {
    await updateTask(taskId, mcpReq.inputResponses ?? {}, context);
    return {};
  });
  add("tasks/cancel", async (taskId) => {
    await cancelTask(taskId, context);
    return {};
  });
}
