import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { type Connected, connect, type EraName, eras } from "../rig/mcp.ts";
import { waitFor } from "../rig/wait-for.ts";

async function read(client: Client, uri: string): Promise<{ readonly mimeType?: string; readonly text: string }> {
  const [content] = (await client.readResource({ uri })).contents;
  if (content === undefined || !("text" in content)) throw new Error("A resource is a text.");
  return { text: content.text, ...(content.mimeType === undefined ? {} : { mimeType: content.mimeType }) };
}

/** Collects what the client hears of a run from now on. */
async function subscribe({ client }: Connected, uri: string, era: EraName): Promise<() => readonly string[]> {
  const heard: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
  if (era === "2025-11-25") await client.subscribeResource({ uri });
  else await client.listen({ resourceSubscriptions: [uri] });
  return () => heard;
}

const asking = workflow("asking", [
  { id: "way", type: "Prompt", inputs: { prompt: "Left or right?", choices: ["left", "right"] } },
]);

for (const era of eras) {
  test(`${era}: workflows and runs are listed and read as resources`, async () => {
    const { client, call } = await connect(createFrond(), { era });
    const { data: run } = await call("execute_workflow", { workflow: "hello-world" });
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris.slice(0, 2)).toEqual(["workflow://list", "workflow://schema"]);
    expect(uris).toContain("workflow://hello-world");
    expect(uris.at(-1)).toBe(`run://${run.run_id}`);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "workflow://{name}",
      "run://{id}",
      "run://{id}/log",
    ]);
    const list = JSON.parse((await read(client, "workflow://list")).text);
    const listed = expect.objectContaining({ name: "hello-world", source: "built-in" });
    expect(list.workflows).toContainEqual(listed);
    expect(JSON.parse((await read(client, "workflow://schema")).text).$defs.block.allOf).toBeDefined();
    expect(await read(client, "workflow://hello-world")).toEqual({
      mimeType: "application/yaml",
      text: expect.stringMatching(/^name: hello-world\n/),
    });
    expect(JSON.parse((await read(client, `run://${run.run_id}`)).text)).toMatchObject({
      status: "success",
      blocks: { greet: { outputs: { stdout: "Hello, world!\n" } } },
    });
    expect(await read(client, `run://${run.run_id}/log`)).toEqual({
      mimeType: "text/plain",
      text: "== greet\nHello, world!\n== shout\nHELLO, WORLD!\n\n",
    });
  });

  test(`${era}: what can't be read says what was meant, or what there is`, async () => {
    const { client, call } = await connect(createFrond(), { era });
    const { data: run } = await call("execute_workflow", { workflow: "hello-world" });
    const mistyped = `${run.run_id.slice(0, -1)}_`;
    for (const [uri, message] of [
      ["workflow://hello-wrld", "No workflow is named 'hello-wrld'. Did you mean 'hello-world'?"],
      ["workflow://lists", "No workflow is named 'lists'."],
      [`run://${mistyped}`, `There is no run '${mistyped}'. Did you mean '${run.run_id}'?`],
      [`run://${mistyped}/log`, `Did you mean '${run.run_id}'?`],
      ["file:///etc/passwd", "There is no resource 'file:///etc/passwd'. Known: workflow://list, workflow://schema,"],
      ["workflow://../../etc/passwd", "There is no resource"],
    ] as const) {
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(message),
        data: { uri },
      });
    }
  });

  test(`${era}: a client hears when a run changes, and of no other run`, async () => {
    const connected = await connect(createFrond({ "asking.yaml": asking }), { era });
    const start = { workflow_yaml: asking };
    const { data: run } = await connected.call("execute_inline_workflow", start);
    const heard = await subscribe(connected, `run://${run.run_id}`, era);
    await connected.call("execute_inline_workflow", start);
    await connected.call("resume_workflow", { checkpoint_id: run.checkpoint_id, response: "left" });
    await waitFor("the change to be heard", () => heard().length > 0);
    expect(new Set(heard())).toEqual(new Set([`run://${run.run_id}`]));
    expect(JSON.parse((await read(connected.client, `run://${run.run_id}`)).text).status).toBe("success");
  });

  test(`${era}: a client hears what another process does to a run`, async () => {
    const frond = createFrond();
    const connected = await connect(frond, { era });
    const { data: run } = await connected.call("execute_inline_workflow", { workflow_yaml: asking });
    const heard = await subscribe(connected, `run://${run.run_id}`, era);
    await frond.run(["resume", run.checkpoint_id, "--response", "left"]);
    await waitFor("the change to be heard", () => heard().length > 0);
  });

  test(`${era}: a client hears when the process that drove a run is gone`, async () => {
    const frond = createFrond({ "long.yaml": workflow("long", [shell("wait", "echo begun; sleep 600")]) });
    const driver = frond.start(["run", "long.yaml"]);
    await driver.until("wait");
    const connected = await connect(frond, { era });
    const { data } = await connected.call("list_runs");
    const uri = `run://${data.runs[0].run_id}`;
    const heard = await subscribe(connected, uri, era);
    driver.child.kill("SIGKILL");
    await driver.ended;
    await waitFor("the end of the process to be heard", async () => {
      if (heard().length === 0) return false;
      return JSON.parse((await read(connected.client, uri)).text).status === "interrupted";
    });
    await connected.call("cancel_run", { run_id: data.runs[0].run_id });
  });

  test(`${era}: a run that changes all the time is told of four times a second at most`, async () => {
    const frond = createFrond();
    const connected = await connect(frond, { era });
    const busy = workflow("busy", [
      shell("wait", "until [ -e go ]; do sleep 0.02; done"),
      shell("tick", "sleep 0.03", { for_each: Array(30).fill(1), for_each_mode: "sequential", depends_on: ["wait"] }),
    ]);
    const { data: run } = await connected.call("execute_inline_workflow", { workflow_yaml: busy, wait_seconds: 0 });
    const began = performance.now();
    const heard = await subscribe(connected, `run://${run.run_id}`, era);
    frond.write("go", "");
    await connected.call("get_run", { run_id: run.run_id, wait_seconds: 30 });
    await waitFor("changes to be heard", () => heard().length > 1);
    // The first at once, and a timer may be a moment early.
    expect(heard().length).toBeLessThanOrEqual(Math.ceil((performance.now() - began) / 249) + 1);
  });

  test(`${era}: a run outside of the server's roots is neither listed nor read`, async () => {
    const frond = createFrond();
    const elsewhere = join(frond.home, "elsewhere");
    mkdirSync(elsewhere);
    await frond.run(["run", "hello-world", "--workspace", elsewhere]);
    const { runs } = (await frond.json(["runs", "--all"])).reply as { runs: { run_id: string }[] };
    const runId = runs[0]?.run_id;
    const { client } = await connect(frond, { era });
    expect((await client.listResources()).resources.filter(({ uri }) => uri.startsWith("run:"))).toEqual([]);
    for (const uri of [`run://${runId}`, `run://${runId}/log`]) {
      await expect(client.readResource({ uri })).rejects.toThrow(/works in .* only/);
    }
  });
}

test("many workflows are listed page by page, each once", async () => {
  const names = Array.from({ length: 120 }, (_, index) => `flow-${String(index).padStart(3, "0")}`);
  const files = names.map((name) => [`${name}.yaml`, workflow(name, [shell("one", "true")])]);
  const frond = createFrond(Object.fromEntries(files));
  const { client } = await connect(frond, { env: { WORKFLOWS_TEMPLATE_PATHS: frond.directory } });
  const pages: string[][] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await client.request({ method: "resources/list", params: cursor === undefined ? {} : { cursor } });
    pages.push(page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  expect(pages.slice(0, 2).map((page) => page.length)).toEqual([52, 50]);
  const listed = pages.flat().slice(2);
  expect(listed).toEqual([...new Set(listed)].sort());
  expect(listed).toEqual(expect.arrayContaining([...names, "hello-world"].map((name) => `workflow://${name}`)));
});

test("only a run can be subscribed to, and nothing is heard after unsubscribing", async () => {
  const connected = await connect(createFrond());
  const { client, call } = connected;
  await expect(client.subscribeResource({ uri: "workflow://list" })).rejects.toThrow("only runs can: run://ID");
  await expect(client.subscribeResource({ uri: "run://run_none" })).rejects.toThrow("There is no run 'run_none'.");
  const { data: first } = await call("execute_inline_workflow", { workflow_yaml: asking });
  const { data: second } = await call("execute_inline_workflow", { workflow_yaml: asking });
  await client.subscribeResource({ uri: `run://${first.run_id}` });
  const heard = await subscribe(connected, `run://${second.run_id}`, "2025-11-25");
  await client.unsubscribeResource({ uri: `run://${first.run_id}` });
  await call("resume_workflow", { checkpoint_id: first.checkpoint_id, response: "left" });
  await call("resume_workflow", { checkpoint_id: second.checkpoint_id, response: "left" });
  await waitFor("the second to be heard", () => heard().length > 0);
  expect(new Set(heard())).toEqual(new Set([`run://${second.run_id}`]));
});

test("the end of a long log is read, with the call for what is before it", async () => {
  const { client, call } = await connect(createFrond());
  const long = workflow("long", [shell("count", "seq 1 30000")]);
  const { data: run } = await call("execute_inline_workflow", { workflow_yaml: long });
  const { text } = await read(client, `run://${run.run_id}/log`);
  expect(text.length).toBeLessThan(101_000);
  expect(text.endsWith("29999\n30000\n")).toBe(true);
  const [, first = "", given = ""] = /^\[Lines (\d+) to 30000 of 30000; .* get_run\((.*)\)\]\n/.exec(text) ?? [];
  expect(text).toContain(`]\n${first}\n`);
  expect((await call("get_run", JSON.parse(given))).text).toMatch(/\]\n1\n2\n3\n/);
});
