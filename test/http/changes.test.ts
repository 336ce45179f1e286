import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { openHttpDoor } from "../rig/http-door.ts";
import { eras } from "../rig/mcp.ts";
import { waitFor } from "../rig/wait-for.ts";

const asking = workflow("asking", [
  { id: "way", type: "Prompt", inputs: { prompt: "Left or right?", choices: ["left", "right"] } },
]);

for (const era of eras) {
  test(`${era}: over HTTP, too, a client is told when a workflow becomes a tool`, async () => {
    const frond = createFrond();
    const door = await openHttpDoor(frond);
    let tellings = 0;
    const { client } = await door.connect({
      era,
      onToolsChanged: () => {
        tellings += 1;
      },
    });
    await client.listTools();
    const directory = join(frond.home, ".frond", "workflows");
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "hi.yaml"), workflow("hi", [shell("say", "echo hi")], { expose: "tool" }));
    await waitFor("the client to hear of another tool", () => tellings > 0);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("run_hi");
  });

  test(`${era}: over HTTP, too, whoever subscribes to a run is told when it has changed`, async () => {
    const door = await openHttpDoor(createFrond());
    const { client, call } = await door.connect({ era });
    const { data: paused } = await call("execute_inline_workflow", { workflow_yaml: asking });
    const uri = `run://${paused.run_id}`;
    const heard: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
    if (era === "2025-11-25") await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    await call("resume_workflow", { checkpoint_id: paused.checkpoint_id, response: "left" });
    await waitFor("the client to hear of the run", () => heard.includes(uri));
  });
}

test("2025-11-25: a stream is open before there is anything to say on it", async () => {
  const door = await openHttpDoor(createFrond());
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const session = (await door.send({ method: "POST", headers, body })).headers.get("mcp-session-id") ?? "";
  // A sign of life comes every fifteen seconds.
  const signal = AbortSignal.timeout(14_000);
  const stream = await door.send({ headers: { ...headers, "mcp-session-id": session }, signal });
  expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  await stream.body?.cancel();
});
