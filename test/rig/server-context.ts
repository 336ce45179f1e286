import { onTestFinished } from "vitest";
import type { ValueMap } from "../../src/expression/value.ts";
import { apiRoutes } from "../../src/http/api/index.ts";
import { apiAt } from "../../src/http/api-endpoint.ts";
import type { PageContext } from "../../src/http/page-context.ts";
import type { ServerContext } from "../../src/mcp/server-context.ts";
import type { Tool } from "../../src/mcp/tool.ts";
import { createLog } from "../../src/platform/files/create-log.ts";
import { RunHost } from "../../src/runs/run-host.ts";
import { RunPictures } from "../../src/views/page/run-pictures.ts";
import type { ApiAnswer } from "./api-door.ts";
import type { TestEngine } from "./engine.ts";

/** A server in the process of an engine of the test: what it does is real, and nothing goes over a network. */
export interface TestServer {
  readonly context: ServerContext;
  /** What a tool replies to a client that waits. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  call(tool: Tool, args: ValueMap): Promise<any>;
  /** What the API answers to the page. */
  ask(method: "GET" | "POST", path: string, body?: object): Promise<ApiAnswer>;
}

export function createTestServer({ engine, workspace }: TestEngine, settings: object = {}): TestServer {
  const { platform, workflows } = engine;
  const host = new RunHost(platform);
  onTestFinished(() => host.stopAll());
  const context = {
    version: "1",
    platform,
    host,
    catalog: workflows.catalog,
    log: createLog(process.stderr, "error"),
    settings: { workspace, roots: [workspace], isReadOnly: false, allowsInline: true, ...settings },
    openRuntime: () => engine,
    pictures: new RunPictures(platform, workflows.catalog),
  } as unknown as ServerContext;
  const api = apiAt("/api", apiRoutes, () => undefined, context as PageContext);
  return {
    context,
    async call(tool, args) {
      const reply = await tool.call(
        args,
        { signal: new AbortController().signal, elicits: false, client: "test" },
        context,
      );
      if (reply.kind !== "result") throw new Error(`${tool.name} gives no result: ${JSON.stringify(reply)}`);
      return reply.data;
    },
    async ask(method, path, body = {}) {
      const sent = method === "GET" ? {} : { body: JSON.stringify(body) };
      const answer = await api.fetch(
        new Request(`http://localhost/api${path}`, { method, ...sent }),
        new AbortController().signal,
      );
      return { status: answer.status, data: await answer.json() };
    },
  };
}
