import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { foreseeRun } from "../../src/runs/foresee-run.ts";
import { createTestEngine } from "../rig/engine.ts";
import { createFile, forecastOf, foresee, readFile, shell, verdicts } from "../rig/foresee.ts";

test("a file block reads what an earlier one would have written, and every change is shown", async () => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "bytes"), Buffer.of(0, 1, 2));
  writeFileSync(join(engine.workspace, "text"), "one\n");
  const response = await foresee(engine, {
    blocks: [
      createFile("write", "a/b.txt", "one\n"),
      readFile("read", "a/b.txt", { depends_on: ["write"] }),
      { id: "delete", type: "DeleteFile", inputs: { path: "bytes" } },
      { id: "move", type: "MoveFile", inputs: { from: "text", to: "moved" } },
    ],
    outputs: { text: "${blocks.read.outputs.content}", run: "${metadata.run_id}" },
  });
  expect(response.outputs).toEqual({ text: "one\n" });
  expect(response.unknown_outputs).toEqual({ run: "metadata.run_id" });
  expect(response.files).toEqual([
    { path: "a", change: "created", kind: "directory", mode: expect.stringMatching(/^0\d{3}$/) },
    {
      path: "a/b.txt",
      change: "created",
      mode: expect.any(String),
      diff: "--- /dev/null\n+++ b/a/b.txt\n@@ -0,0 +1 @@\n+one\n",
    },
    { path: "bytes", change: "deleted", size_before: 3 },
    { path: "moved", change: "moved", from: "text" },
  ]);
  expect(response.remarks).toBeUndefined();
});

test("files of a block that may run are told apart, and are not known to others from then on", async () => {
  const response = await foresee(createTestEngine(), {
    blocks: [
      shell("a", "true"),
      {
        id: "group",
        condition: "${blocks.a.succeeded}",
        blocks: [createFile("write", "f", "one\n"), readFile("inner", "f", { depends_on: ["write"] })],
      },
      readFile("outer", "f", { depends_on: [{ block: "group", required: false }] }),
      createFile("other", "g", "${blocks.outer.content}"),
      readFile("last", "g", { depends_on: ["other"] }),
    ],
  });
  expect(response.files).toEqual([expect.objectContaining({ path: "f", change: "created", only_if: "group" })]);
  expect(forecastOf(response, "group/inner").remarks).toBeUndefined();
  expect(forecastOf(response, "outer")).toMatchObject({
    verdict: "would run",
    remarks: ["It depends on whether 'group' runs."],
  });
  expect(forecastOf(response, "other").remarks).toEqual(["What it does depends on content of 'outer'."]);
  expect(forecastOf(response, "last").remarks).toEqual(["It depends on what 'other' writes."]);
});

test("blocks that reach further than to files are shown with what they would be given", async () => {
  const response = await foresee(createTestEngine(), {
    blocks: [
      shell("a", "echo"),
      {
        id: "call",
        type: "HttpCall",
        inputs: { url: "https://example.org/${blocks.a.stdout}", method: "POST", json: { a: 1 } },
      },
      { id: "ask", type: "Prompt", inputs: { prompt: "Go on?", choices: ["yes", "no"] } },
      { id: "wait", type: "Wait", inputs: { duration: "10m" } },
      { id: "tree", type: "CreateWorktree", inputs: { path: "tree", branch: "b" } },
      shell("go", "true", { condition: "${blocks.ask.response} == 'yes'" }),
      shell("then", "true", { condition: "${blocks.ask.succeeded and blocks.wait.succeeded}" }),
    ],
  });
  expect(verdicts(response)).toEqual([
    "a: would run",
    "call: would run",
    "ask: would run",
    "wait: would run",
    "tree: would run",
    "go: may run: Its condition depends on response of 'ask'.",
    "then: would run",
  ]);
  expect(forecastOf(response, "call").inputs).toEqual({
    url: "https://example.org/${blocks.a.stdout}",
    method: "POST",
    json: { a: 1 },
  });
  expect(response.remarks).toEqual([expect.stringContaining("files that they would write are not there")]);
});

test("secrets are shown as references, are not looked up, and are taken out of diffs", async () => {
  const engine = createTestEngine({ secrets: { TOKEN: "canary-canary" } });
  writeFileSync(join(engine.workspace, "env"), "TOKEN=canary-canary\n");
  const response = await foresee(engine, {
    blocks: [
      shell("push", "push ${secrets.MISSING}"),
      { id: "edit", type: "CreateFile", inputs: { path: "env", content: "empty\n" } },
    ],
  });
  expect(forecastOf(response, "push").inputs).toEqual({ command: "push ${secrets.MISSING}" });
  expect(JSON.stringify(response)).not.toContain("canary");
  expect(response.files?.[0]?.diff).toContain("-TOKEN=[secret TOKEN]");
});

test("what is expected of a block is judged on the files that would be there", async () => {
  const response = await foresee(createTestEngine(), {
    blocks: [
      createFile("good", "a", "x", { expect: { file_exists: "a" } }),
      createFile("bad", "b", "x", { expect: { file_exists: "c" } }),
      shell("commanded", "true", { expect: { file_exists: "d" } }),
    ],
  });
  expect(verdicts(response)).toEqual([
    "good: would run",
    "bad: would fail: expected the file 'c', which is not there",
    "commanded: would run",
  ]);
});

test("a workflow can be entered in a directory that would have been made by then", async () => {
  const child = { blocks: [createFile("write", "f", "x")] };
  const engine = createTestEngine({ workflows: { child } });
  const response = await foresee(engine, {
    blocks: [
      { id: "make", type: "MakeDir", inputs: { path: "sub" } },
      { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "child", workspace: "sub" }, depends_on: ["make"] },
      { id: "other", type: "ExecuteWorkflow", inputs: { workflow: "child", workspace: "missing" } },
    ],
  });
  expect(verdicts(response).slice(0, 3)).toEqual(["make: would run", "call: would run", "call/write: would run"]);
  expect(forecastOf(response, "other").verdict).toBe("would fail");
});

test("a run that would have too many blocks would fail where it would", async () => {
  const engine = createTestEngine({ limits: { nodes: 20 } });
  const response = await foresee(
    engine,
    {
      inputs: { list: { type: "array", required: true } },
      blocks: [{ id: "loop", type: "Shell", for_each: "${inputs.list}", inputs: { command: "true" } }],
    },
    { list: Array.from({ length: 30 }, (_, index) => index) },
  );
  expect(verdicts(response)).toEqual([expect.stringContaining("loop: would fail: The run would have 32 nodes")]);
});

test("nothing is reached: no process, network, journal, log or secret", async () => {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "dir"));
  const never = (): never => {
    throw new Error("It was reached.");
  };
  const none = new Proxy({}, { get: never }) as never;
  const { platform } = engine.engine;
  const secrets = { redactor: platform.secrets.redactor, find: never } as unknown as typeof platform.secrets;
  const guarded = {
    ...platform,
    processes: none,
    http: none,
    logs: none,
    blobs: none,
    observer: none,
    secrets,
    journal: never,
    createScratch: never,
  };
  const response = await foresee(
    { ...engine, engine: { ...engine.engine, platform: guarded } },
    {
      blocks: [
        shell("a", "echo ${secrets.TOKEN}"),
        { id: "b", type: "HttpCall", inputs: { url: "https://example.org" } },
        { id: "c", type: "Prompt", inputs: { prompt: "?" } },
        { id: "d", type: "RenderTemplate", inputs: { template: "{{ 1 + 1 }}", output_path: "dir/out" } },
        { id: "e", type: "RemoveWorktree", inputs: { path: "w" } },
      ],
    },
  );
  expect(response.blocks.map(({ verdict }) => verdict)).toEqual(Array(5).fill("would run"));
});

test("a dry run ends when it is told to, also in the middle of a block", async () => {
  const engine = createTestEngine();
  const abort = new AbortController();
  const { platform } = engine.engine;
  const files: typeof platform.files = {
    ...platform.files,
    withSignal: () => files,
    look: async () => {
      abort.abort();
      return { kind: "missing" };
    },
  };
  const plan = engine.plan({ blocks: [readFile("a", "f"), readFile("b", "f", { depends_on: ["a"] })] });
  const options = { inputs: {}, workspace: engine.workspace, signal: abort.signal };
  const foreseen = foreseeRun({ ...engine.engine, platform: { ...platform, files } }, plan, options);
  await expect(foreseen).rejects.toThrow("aborted");
});

test("a directory that is deleted and made again shows the files that are gone", async () => {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "dir"));
  writeFileSync(join(engine.workspace, "dir/inner"), "inner\n");
  const response = await foresee(engine, {
    blocks: [
      { id: "delete", type: "DeleteFile", inputs: { path: "dir", recursive: true } },
      { id: "make", type: "MakeDir", inputs: { path: "dir" }, depends_on: ["delete"] },
    ],
  });
  const gone = {
    path: "dir/inner",
    change: "deleted",
    diff: "--- a/dir/inner\n+++ /dev/null\n@@ -1 +0,0 @@\n-inner\n",
  };
  expect(response.files).toEqual([gone]);
});
