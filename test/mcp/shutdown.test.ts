import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFrond, type Frond, frondProgram } from "../rig/frond.ts";
import { initialize, type RawServer, startRaw } from "../rig/raw-mcp.ts";
import { waitFor } from "../rig/wait-for.ts";

const blocks = 20;
const env = { FROND_MAX_PROCESSES: String(blocks) };

/** Each block leaves a file when it runs, and would run for ever. */
function endless(command: string): string {
  const lines = Array.from({ length: blocks }, (_, index) =>
    `  - { id: b${index}, type: Shell, on_interrupted: rerun, inputs: { command: "${command}" } }\n`.replaceAll(
      "N",
      String(index),
    ),
  );
  return `name: endless\ndescription: Runs for ever\nblocks:\n${lines.join("")}`;
}

const patient = endless("touch mark-N; exec sleep 1000");
const stubborn = endless("trap '' TERM; touch mark-N; while :; do sleep 0.1; done");

async function running(frond: Frond, workflow: string): Promise<RawServer> {
  const server = startRaw(frond, [], env);
  await initialize(server);
  server.request(1, "tools/call", { name: "execute_inline_workflow", arguments: { workflow_yaml: workflow } });
  await allRun(frond);
  return server;
}

function allRun(frond: Frond): Promise<void> {
  const marks = (): number => readdirSync(frond.directory).filter((name) => name.startsWith("mark-")).length;
  return waitFor("all blocks to run", () => marks() === blocks);
}

/** Processes that work in a directory. */
function processesIn(directory: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === directory;
    } catch {
      return false;
    }
  });
}

async function expectResumable(frond: Frond): Promise<void> {
  const { reply } = await frond.json(["runs"]);
  expect(reply).toMatchObject({ runs: [{ workflow: "endless", status: "interrupted" }] });
}

test("finally of a waiting run that a client cancelled is left where it is when the server ends, and goes on later", async () => {
  const frond = createFrond();
  const asking = `name: asking
description: Waits
blocks:
  - { id: ask, type: Prompt, inputs: { prompt: "Go on?" } }
finally:
  - { id: clean, type: Shell, inputs: { command: "touch cleaning; test -e go || sleep 1000; touch cleaned" } }
`;
  frond.write("asking.yaml", asking);
  const { reply } = await frond.json(["run", "asking.yaml"]);
  const runId = String((reply as { run_id: string }).run_id);
  const server = startRaw(frond, [], env);
  await initialize(server);
  server.request(1, "tools/call", { name: "cancel_run", arguments: { run_id: runId } });
  await waitFor("finally", () => existsSync(join(frond.directory, "cleaning")));
  server.child.stdin.end();
  expect(await server.ended).toBe(0);
  expect((await frond.json(["runs"])).reply).toMatchObject({ runs: [{ run_id: runId, status: "interrupted" }] });
  frond.write("go", "");
  await frond.run(["recover"]);
  expect((await frond.json(["show", runId])).reply).toMatchObject({ status: "failure", cancelled: true });
  expect(existsSync(join(frond.directory, "cleaned"))).toBe(true);
});

test("when the client closes its end, 20 running commands are ended, the run can be gone on with, and the server is gone", async () => {
  const frond = createFrond();
  const server = await running(frond, patient);
  server.child.stdin.end();
  expect(await server.ended).toBe(0);
  expect(processesIn(frond.directory)).toEqual([]);
  await expectResumable(frond);
});

test("commands that ignore the request to end are killed, and the server is gone soon after", async () => {
  const frond = createFrond();
  const server = await running(frond, stubborn);
  server.child.stdin.end();
  expect(await server.ended).toBe(0);
  expect(processesIn(frond.directory)).toEqual([]);
  await expectResumable(frond);
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  test(`${signal} ends the server as the end of its input does`, async () => {
    const frond = createFrond();
    const server = await running(frond, patient);
    server.child.kill(signal);
    expect(await server.ended).toBe(0);
    expect(processesIn(frond.directory)).toEqual([]);
    await expectResumable(frond);
  });
}

test("a client that reads neither the answers nor the log does not keep the server from ending", async () => {
  const server = startRaw(createFrond());
  await initialize(server);
  const exited = once(server.child, "exit");
  server.child.stdout.pause();
  server.child.stderr.pause();
  // More than any pipe holds: of answers, and of complaints in the log.
  for (let count = 0; count < 200; count += 1) server.request(count, "tools/list");
  server.send("no message\n".repeat(10_000));
  server.child.stdin.end();
  expect(await exited).toEqual([0, null]);
});

test("what the server has said before its end is read to the end", async () => {
  const server = startRaw(createFrond());
  await initialize(server);
  for (let count = 0; count < 200; count += 1) server.request(count, "tools/list");
  server.child.stdin.end();
  expect(await server.ended).toBe(0);
  expect(server.messages.filter(({ result }) => result?.tools !== undefined)).toHaveLength(200);
});

test("a client that reads slowly gets all that the server has said before its end", async () => {
  const server = startRaw(createFrond());
  await initialize(server);
  const { stdout } = server.child;
  stdout.pause();
  let length = 0;
  stdout.on("data", ({ length: more }: string) => {
    length += more;
    stdout.pause();
    // At this pace all of it takes longer than the server waits for one that reads nothing.
    setTimeout(() => stdout.resume(), 60);
  });
  for (let count = 0; count < 200; count += 1) server.request(count, "tools/list");
  server.child.stdin.end();
  stdout.resume();
  expect(await server.ended).toBe(0);
  expect(length).toBeGreaterThan(2_000_000);
  expect(server.messages.filter(({ result }) => result?.tools !== undefined)).toHaveLength(200);
});

test("when the client is killed, nothing is left of the server and its commands", async () => {
  const frond = createFrond();
  const messages = [
    {
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
    },
    { id: 1, method: "tools/call", params: { name: "execute_inline_workflow", arguments: { workflow_yaml: patient } } },
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
  // A client that starts the server, calls it and then only waits.
  const program = `
    const server = require("node:child_process").spawn(process.execPath, [process.argv[1], "serve"], { stdio: ["pipe", "ignore", "ignore"] });
    for (const message of JSON.parse(process.argv[2])) server.stdin.write(message + "\\n");
    setInterval(() => {}, 1000);`;
  const client = spawn(process.execPath, ["-e", program, frondProgram, JSON.stringify(messages)], {
    cwd: frond.directory,
    env: { ...frond.env, ...env },
    stdio: "ignore",
  });
  onTestFinished(() => void client.kill("SIGKILL"));
  await allRun(frond);
  client.kill("SIGKILL");
  await waitFor("everything to be gone", () => processesIn(frond.directory).length === 0);
  await expectResumable(frond);
});

test("a server that is killed leaves no command, and another server goes on with its run", async () => {
  const frond = createFrond({ go: "" });
  const waiting =
    "name: waiting\ndescription: d\nblocks: [{ id: a, type: Shell, on_interrupted: rerun, inputs: { command: 'touch begun; while [ -e go ]; do sleep 0.05; done; echo done' } }]";
  const first = startRaw(frond);
  await initialize(first);
  first.request(1, "tools/call", {
    name: "execute_inline_workflow",
    arguments: { workflow_yaml: waiting, wait_seconds: 0 },
  });
  const { run_id, message } = (await first.answer(1)).result.structuredContent;
  expect(message).toContain("get_run(");
  await waitFor("the block to run", () => existsSync(join(frond.directory, "begun")));
  first.child.kill("SIGKILL");
  await first.ended;
  await waitFor("its command to be gone", () => processesIn(frond.directory).length === 0);
  const second = startRaw(frond);
  await initialize(second);
  second.request(1, "tools/call", { name: "get_run", arguments: { run_id } });
  const interrupted = (await second.answer(1)).result.structuredContent;
  expect(interrupted.status).toBe("interrupted");
  const [, next = ""] = /resume_workflow\((.*?)\)/.exec(interrupted.message) ?? [];
  rmSync(join(frond.directory, "go"));
  second.request(2, "tools/call", { name: "resume_workflow", arguments: JSON.parse(next) });
  expect((await second.answer(2)).result.structuredContent).toMatchObject({ status: "success", run_id });
});
