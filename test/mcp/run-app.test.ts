import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { showingApps } from "../rig/app-host.ts";
import { createFrond, frondProgram, shell, workflow } from "../rig/frond.ts";
import { connect, newEra } from "../rig/mcp.ts";

const onRuns = [
  "execute_inline_workflow",
  "execute_workflow",
  "get_run",
  "rerun_workflow",
  "resume_workflow",
  "run_greet",
  "undo_run",
];

const exposed = { ".frond/workflows/greet.yaml": workflow("greet", [shell("a", "echo hi")], { expose: "tool" }) };

for (const era of newEra) {
  test(`${era}: tools that reply with a run have its view, for clients that show views only`, async () => {
    const frond = createFrond(exposed);
    await frond.run(["trust"]);
    const [plain, showing] = [await connect(frond, { era }), await connect(frond, { era, capabilities: showingApps })];
    const [without, listed] = [(await plain.client.listTools()).tools, (await showing.client.listTools()).tools];
    expect(without.filter(({ _meta }) => _meta !== undefined)).toEqual([]);
    const shown = listed.filter(({ _meta }) => _meta !== undefined);
    expect(shown.map(({ name }) => name)).toEqual(onRuns);
    for (const { _meta } of shown) expect(_meta).toEqual({ ui: { resourceUri: "ui://frond/run" } });
    // Nothing else differs, and no tool is only for views.
    expect(listed.map(({ _meta: _, ...tool }) => tool)).toEqual(without);
    const uris = async ({ client }: typeof plain): Promise<readonly string[]> =>
      (await client.listResources()).resources.map(({ uri }) => uri);
    expect(await uris(plain)).not.toContain("ui://frond/run");
    expect(await uris(showing)).toContain("ui://frond/run");
  });

  test(`${era}: the view is one page that loads nothing`, async () => {
    const { client } = await connect(createFrond(), { era, capabilities: showingApps });
    const [page] = (await client.readResource({ uri: "ui://frond/run" })).contents;
    expect(page).toMatchObject({
      uri: "ui://frond/run",
      mimeType: "text/html;profile=mcp-app",
      text: expect.stringMatching(/^<!doctype html>\n/),
      _meta: { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } },
    });
    const { text = "" } = page as { readonly text?: string };
    expect(Buffer.byteLength(text)).toBeLessThan(220_000);
    expect(text.match(/<\/script/gi)).toHaveLength(1);
    expect(text).not.toMatch(/<script[^>]+src|<link|@import|url\(/);
  });
}

test("a client that shows views of another kind only is told of none", async () => {
  const capabilities = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/other"] } } };
  const { client } = await connect(createFrond(), { capabilities });
  const { tools } = await client.listTools();
  expect(tools.filter(({ _meta }) => _meta !== undefined)).toEqual([]);
});

test("what the view shows is read as resources, and as little of it as has changed", async () => {
  const frond = createFrond();
  const { client, call } = await connect(frond);
  const blocks = [shell("a", "echo one; echo two; exit 3")];
  const { data } = await call("execute_inline_workflow", { workflow_yaml: workflow("w", blocks) });
  const read = async (path: string) => {
    const [content] = (await client.readResource({ uri: `run://${data.run_id}/page/${path}` })).contents;
    if (content === undefined || !("text" in content)) throw new Error("A record is a text.");
    expect(content.mimeType).toBe("application/json");
    return JSON.parse(content.text);
  };
  const { tag, level } = await read("level/");
  expect(level).toMatchObject({ head: { run_id: data.run_id, standing: "failed" }, blocks: [{ address: "a" }] });
  expect(await read(`level/?unless=${tag}`)).toEqual({ tag });
  expect(await read("level/?unless=another")).toEqual({ tag, level });
  expect(await read("blocks/a")).toMatchObject({ card: { address: "a", standing: "failed" }, has_log: true });
  expect(await read("blocks/a?attempt=1")).toMatchObject({ card: { address: "a@1" } });
  const lines = [expect.objectContaining({ text: "one" }), expect.objectContaining({ text: "two" })];
  expect(await read("logs/a")).toEqual({ lines, has_ended: true });
  expect(await read("value/a?field=outputs.exit_code")).toEqual({ text: "3" });
  expect(await read("changes/")).toMatchObject({ run_id: data.run_id, changes: [] });
  await expect(read("level/b")).rejects.toThrow("b");
  await expect(read("level/%E0")).rejects.toThrow("There is no resource");
  await expect(read("other/a")).rejects.toThrow("There is no resource");
});

test("the view shows no run of another workspace", async () => {
  const frond = createFrond();
  const { reply } = await frond.json(["run", "hello-world", "--json"]);
  const { run_id: runId } = reply as { readonly run_id: string };
  const other = { ...frond, directory: frond.home };
  const { client } = await connect(other);
  const uri = `run://${runId}/page/level/`;
  await expect(client.readResource({ uri })).rejects.toThrow();
});

test("a server on stdio does not load the view before it is asked for", () => {
  const bundle = readFileSync(join(frondProgram, "../serve.cjs"), "utf8");
  expect(bundle).toContain("ui://frond/run");
  expect(bundle).not.toContain("embedded-answer");
  expect(statSync(join(frondProgram, "../page/embedded.js")).size).toBeGreaterThan(10_000);
});
