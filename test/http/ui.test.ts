import { chmodSync, existsSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFrond, type Frond, type Running, shell, workflow } from "../rig/frond.ts";
import { openHttpDoor } from "../rig/http-door.ts";
import { waitFor } from "../rig/wait-for.ts";

const linkIn = (text: string): string => /http:\S*\/open\?key=\S+/.exec(text)?.[0] ?? "";

interface OpenUi {
  readonly running: Running;
  readonly link: string;
  readonly port: number;
}

async function openUi(frond: Frond, args: readonly string[] = [], port = 0): Promise<OpenUi> {
  const running = frond.start(["ui", "--no-open", "--port", String(port), ...args]);
  await Promise.race([
    running.until("Ctrl-C ends the page."),
    running.ended.then(({ stdout, stderr }) => Promise.reject(new Error(`It has ended: ${stdout}${stderr}`))),
  ]);
  const link = linkIn(running.shown());
  return { running, link, port: Number(new URL(link).port) };
}

async function cookieOf(link: string): Promise<string> {
  return (await fetch(link)).headers.get("set-cookie")?.split(";")[0] ?? "";
}

test("frond ui prints a link for people that opens the page, and nothing else", async () => {
  const frond = createFrond();
  const { running, link } = await openUi(frond);
  const cookie = await cookieOf(link);
  const page = await fetch(new URL("/", link), { headers: { cookie } });
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const server = await fetch(new URL("/api/server", link), { headers: { cookie } });
  expect(await server.json()).toMatchObject({ workspace: frond.directory, roots: [frond.directory], read_only: false });
  expect((await fetch(link)).status).toBe(403);
  expect(running.shown()).toContain(`The page of ${frond.directory} is served at http://127.0.0.1:`);
  running.child.kill("SIGINT");
  expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
});

test("Ctrl-C ends it within seconds, with a stream open, and says how to go on with what was running", async () => {
  const frond = createFrond();
  const { running, link } = await openUi(frond);
  const token = frond.read("../state/http-token").trim();
  const headers = { authorization: `Bearer ${token}` };
  // Any stream will do: this one is listened to by clients of MCP.
  const slow = workflow("slow", [shell("last", "echo > begun; exec sleep 600")]);
  const { send } = await mcpOf(new URL("/mcp", link).href, headers);
  const waiting = send("execute_inline_workflow", { workflow_yaml: slow }).catch(() => undefined);
  await waitFor("the run to begin", () => existsSync(join(frond.directory, "begun")));
  const since = performance.now();
  running.child.kill("SIGINT");
  const { code, stdout } = await running.ended;
  // On an idle machine five seconds are plenty; on a busy one whatever it does takes longer.
  expect(performance.now() - since).toBeLessThan(50_000);
  expect(code).toBe(0);
  const [, runId = ""] = /1 run was left where it is\. Go on with:\n {2}frond resume (run_\w+)/.exec(stdout) ?? [];
  await waiting;
  const { reply } = await frond.json(["show", runId]);
  expect(reply).toMatchObject({ status: "interrupted" });
});

test("a second one for the same project asks the first for a link, and ends", async () => {
  const frond = createFrond();
  const first = await openUi(frond);
  const second = await frond.run(["ui", "--no-open", "--port", String(first.port)]);
  expect(second).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("by another process, at") });
  const link = linkIn(second.stdout);
  expect(new URL(link).port).toBe(String(first.port));
  expect(link).not.toBe(first.link);
  expect((await fetch(link)).status).toBe(200);
});

test("it finds frond serve --http, too; but not one of another project, or one that only reads", async () => {
  const frond = createFrond();
  const { port } = await openHttpDoor(frond);
  const joined = await frond.run(["ui", "--no-open", "--port", String(port)]);
  expect((await fetch(linkIn(joined.stdout))).status).toBe(200);
  frond.write("elsewhere/file", "");
  for (const args of [["--workspace", "elsewhere"], ["--read-only"]]) {
    const other = await frond.run(["ui", "--no-open", "--port", String(port), ...args]);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining(`Port ${port} of 127.0.0.1 is in use`) });
  }
});

test("no link stands in a log, only how to get one", async () => {
  const door = await openHttpDoor(createFrond());
  expect(door.log()).toContain('"open_page_with":"frond ui"');
  expect(door.log()).not.toContain("key=");
});

test("the token is shown to no program that has not proved that it knows it", async () => {
  const frond = createFrond();
  (await openUi(frond)).running.child.kill("SIGINT");
  const heard: string[] = [];
  const impostor = createServer((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.end("I am Frond, of course.");
  });
  await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void impostor.close());
  const { port } = impostor.address() as AddressInfo;
  const { code } = await frond.run(["ui", "--no-open", "--port", String(port)]);
  expect(code).toBe(2);
  expect(heard).toHaveLength(1);
  expect(heard.join()).not.toContain(frond.read("../state/http-token").trim());
});

test("without --port the next free one is taken where something else has the usual", async () => {
  const frond = createFrond();
  const other = createTcpServer();
  // Where it is taken already, that serves as well.
  await new Promise<void>((resolve) => other.once("error", () => resolve()).listen(4190, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const running = frond.start(["ui", "--no-open"]);
  await running.until("Ctrl-C ends the page.");
  const port = Number(new URL(linkIn(running.shown())).port);
  expect(port).toBeGreaterThan(4190);
});

test("the browser that BROWSER names is opened with the link; where there is none, it says what to do", async () => {
  const frond = createFrond({ "browser.sh": '#!/bin/sh\necho "$1" > opened\n' });
  const browser = join(frond.directory, "browser.sh");
  chmodSync(browser, 0o755);
  const opened = frond.start(["ui", "--port", "0"], { env: { BROWSER: browser } });
  await opened.until("Your browser opens it.");
  expect(frond.read("opened").trim()).toBe(linkIn(opened.shown()));
  const alone = frond.start(["ui", "--port", "0"]);
  await alone.until("Open the link in a browser.");
  const remote = frond.start(["ui", "--port", "0"], { env: { SSH_CONNECTION: "1 2 3 4" } });
  await remote.until("Ctrl-C ends the page.");
  const port = new URL(linkIn(remote.shown())).port;
  expect(remote.shown()).toContain(`ssh -L ${port}:127.0.0.1:${port} `);
});

test("the cookie counts after a restart, and on no page of another project", async () => {
  const frond = createFrond();
  const first = await openUi(frond);
  const cookie = await cookieOf(first.link);
  first.running.child.kill("SIGINT");
  await first.running.ended;
  const again = await openUi(frond, [], first.port);
  const statusAt = async (url: string): Promise<number> =>
    (await fetch(new URL("/api/runs", url), { headers: { cookie } })).status;
  expect(await statusAt(again.link)).toBe(200);
  again.running.child.kill("SIGINT");
  await again.running.ended;
  frond.write("elsewhere/file", "");
  expect(await statusAt((await openUi(frond, ["--workspace", "elsewhere"], first.port)).link)).toBe(401);
});

/** Calls a tool of a server, over the old era, by hand. */
async function mcpOf(url: string, headers: Readonly<Record<string, string>>) {
  const post = (body: object, more: object = {}): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        ...more,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...body }),
    });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const opened = await post({ id: 1, method: "initialize", params });
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  return {
    send: async (name: string, args: object): Promise<string> =>
      (await post({ id: 2, method: "tools/call", params: { name, arguments: args } }, session)).text(),
  };
}
