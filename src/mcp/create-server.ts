import { Server, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { mayRun } from "./choose-tools.ts";
import { demandTasks, describeClient, type Era, tasksExtension } from "./client.ts";
import type { Door } from "./door.ts";
import { builtInFeatures, type Feature } from "./feature.ts";
import type { Handlers } from "./handlers.ts";
import { cancelTask, getTask, updateTask } from "./tasks.ts";

/** One server of the SDK, for one connection or one request; it keeps nothing but what its client has subscribed to. */
export function createServer(
  door: Door,
  handlers: Handlers,
  era: Era,
  features: readonly Feature[] = builtInFeatures,
): Server {
  // A task is answered and cancelled without any tool, so where no tool runs anything there are none.
  const hasTasks = era === "modern" && mayRun(door.settings);
  const server = new Server(
    { name: "frond", title: "Frond", version: door.version },
    {
      capabilities: {
        tools: { listChanged: true },
        ...(hasTasks ? { extensions: { [tasksExtension]: {} } } : {}),
      },
      instructions,
      requestState: { verify: handlers.rounds.verify },
    },
  );
  server.setRequestHandler("tools/list", () => handlers.listTools());
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    // The SDK's types know no tasks.
    return (await handlers.callTool(params, describeClient(server, context, era))) as never;
  });
  if (hasTasks) addTasks(server, door);
  for (const add of features) add(server, door, era);
  return server;
}

const instructions = [
  "Frond runs workflows: YAML files of blocks with dependencies, run in parallel, durable across crashes.",
  "list_workflows finds one, get_workflow_info tells its inputs, execute_workflow runs it.",
  "Every reply says how the run stands and, in `message`, the literal next call.",
].join(" ");

const taskParameters = z.looseObject({ taskId: z.string() });
const anyResult = z.looseObject({});

function addTasks(server: Server, door: Door): void {
  const add = (method: string, answer: (taskId: string, context: ServerContext) => Promise<object>): void => {
    server.setRequestHandler(method, { params: taskParameters, result: anyResult }, async ({ taskId }, context) => {
      demandTasks(describeClient(server, context, "modern"));
      return { resultType: "complete", ...(await answer(taskId, context)) };
    });
  };
  add("tasks/get", (taskId) => getTask(taskId, door));
  add("tasks/update", async (taskId, { mcpReq }) => {
    await updateTask(taskId, mcpReq.inputResponses ?? {}, door);
    return {};
  });
  add("tasks/cancel", async (taskId) => {
    await cancelTask(taskId, door);
    return {};
  });
}
