import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { loseRun, waitForGo } from "../rig/lose-run.ts";

const mixed = workflow("mixed", [
  shell("first", "echo one; echo two >&2; printf 'no end'"),
  shell("second_block", "echo '\u001b[31mred'; printf '10%%\\r50%%\\r100%%\\n'", { depends_on: ["first"] }),
]);

const slow = workflow("slow", [shell("a", waitForGo("a")), shell("b", "echo later", { depends_on: ["a"] })]);

async function ran(file: string, text: string): Promise<Frond> {
  const frond = createFrond({ [file]: text });
  expect((await frond.run(["run", file])).code).toBe(0);
  return frond;
}

test("what several blocks wrote is shown line by line, each with its block, in the order it was written", async () => {
  const frond = await ran("mixed.yaml", mixed);
  const { code, stdout, stderr } = await frond.run(["logs", "last"]);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n");
  expect(lines.slice(0, 3).toSorted()).toEqual(["first        | no end", "first        | one", "first        | two"]);
  expect(lines.slice(3)).toEqual(["second_block | \u001b[31mred", "second_block | 10%\r50%\r100%", ""]);
});

test("on a terminal nothing that was written speaks to it, and colour tells blocks and stderr apart", async () => {
  const frond = await ran("mixed.yaml", mixed);
  const { stdout } = await frond.startInTerminal(["logs", "last"]).ended;
  expect(stdout).toContain("\u001b[36mfirst       \u001b[39m | one\r\n");
  expect(stdout).toContain("\u001b[36mfirst       \u001b[39m | \u001b[31mtwo\u001b[39m\r\n");
  expect(stdout).toContain("\u001b[32msecond_block\u001b[39m | red\r\n");
  expect(stdout).toContain(" | 100%\r\n");
  const { stdout: single } = await frond.startInTerminal(["logs", "last", "second_block"]).ended;
  expect(single).toBe("red\r\n100%\r\n");
});

test("a dumb terminal is a terminal too", async () => {
  const frond = await ran("mixed.yaml", mixed);
  const { stdout } = await frond.startInTerminal(["logs", "last", "second_block"], { env: { TERM: "dumb" } }).ended;
  expect(stdout).toBe("red\r\n100%\r\n");
});

test("what a single block wrote comes through a pipe byte for byte", async () => {
  const bytes = workflow("bytes", [shell("raw", "printf '\\377\\000\\033[31m\\r\\nend'")]);
  const frond = await ran("bytes.yaml", bytes);
  const { child, ended } = frond.start(["logs", "last", "raw"]);
  const chunks: Buffer[] = [];
  child.stdout.removeAllListeners("data").setEncoding("latin1");
  child.stdout.on("data", (text: string) => void chunks.push(Buffer.from(text, "latin1")));
  expect((await ended).code).toBe(0);
  expect(Buffer.concat(chunks).toString("latin1")).toBe("\u00ff\u0000\u001b[31m\r\nend");
});

test("as JSON every attempt has what it wrote, with stream and time", async () => {
  const frond = await ran("mixed.yaml", mixed);
  const { code, reply } = await frond.json(["logs", "last", "first"]);
  const { run_id: runId, blocks } = reply as {
    run_id: string;
    blocks: { chunks: { stream: string; text: string }[] }[];
  };
  expect([code, runId]).toEqual([0, expect.stringMatching(/^run_/)]);
  expect(blocks).toEqual([{ block: "first", attempt: 1, chunks: expect.any(Array) }]);
  const texts = { stdout: "", stderr: "" };
  for (const chunk of blocks[0]?.chunks ?? []) {
    expect(chunk).toEqual({
      stream: expect.any(String),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      text: expect.any(String),
    });
    texts[chunk.stream as keyof typeof texts] += chunk.text;
  }
  expect(texts).toEqual({ stdout: "one\nno end", stderr: "two\n" });
});

test("attempts follow each other with a line between, and one of them can be asked for", async () => {
  const again = workflow("again", [shell("a", "echo now; until [ -e go ]; do sleep 0.05; done")]);
  const frond = createFrond({ "again.yaml": again });
  const runId = await loseRun(frond, "again.yaml", 1);
  frond.write("go", "");
  expect((await frond.run(["resume", runId, "--on-interrupted", "rerun"])).code).toBe(0);
  expect((await frond.run(["logs", runId])).stdout).toBe("a | now\na | --- attempt 2 ---\na | now\n");
  expect(await frond.run(["logs", runId, "a"])).toEqual({
    code: 0,
    stdout: "now\nnow\n",
    stderr: "--- attempt 2 ---\n",
  });
  expect((await frond.run(["logs", runId, "a", "--attempt", "1"])).stdout).toBe("now\n");
  expect(await frond.json(["logs", runId, "--attempt", "3"])).toMatchObject({
    code: 2,
    reply: { errors: [{ code: "unknown-attempt" }] },
  });
});

test("a run that another process drives is followed to its end, with blocks that start later", async () => {
  const frond = createFrond({ "slow.yaml": slow });
  const run = frond.start(["run", "slow.yaml"]);
  await run.until("start   a");
  const following = frond.start(["logs", "-f", "last"]);
  await following.until("a | a begins\n");
  frond.write("go", "");
  const { code, stdout, stderr } = await following.ended;
  expect([code, stdout]).toEqual([0, "a | a begins\na | a ends\nb | later\n"]);
  expect(stderr).toMatch(/^success slow run_\w+: after \d+(ms|\.\ds)\n$/);
  expect((await run.ended).code).toBe(0);
});

test("as JSON lines, the last one says how the run ended", async () => {
  const frond = createFrond({ "slow.yaml": slow });
  const run = frond.start(["run", "slow.yaml"]);
  await run.until("start   a");
  const following = frond.start(["logs", "-f", "last", "b", "--json"]);
  frond.write("go", "");
  await run.ended;
  const { stdout, stderr } = await following.ended;
  expect(stderr).toBe("");
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(lines).toEqual([
    { block: "b", attempt: 1, stream: "stdout", at: expect.any(String), text: "later\n" },
    { run_id: expect.stringMatching(/^run_/), status: "success" },
  ]);
});

test("Ctrl-C stops the following and not the run", async () => {
  const frond = createFrond({ "slow.yaml": slow });
  const run = frond.start(["run", "slow.yaml"]);
  await run.until("start   a");
  const following = frond.start(["logs", "-f", "last"]);
  await following.until("a begins");
  following.child.kill("SIGINT");
  expect(await following.ended).toMatchObject({ code: 130, stderr: "" });
  frond.write("go", "");
  expect((await run.ended).code).toBe(0);
});

test("a reader that goes away ends the following", async () => {
  const frond = createFrond({
    "busy.yaml": workflow("busy", [shell("a", "until [ -e go ]; do echo tick; sleep 0.02; done")]),
  });
  const run = frond.start(["run", "busy.yaml"]);
  await run.until("start   a");
  const following = frond.start(["logs", "-f", "last"]);
  await following.until("tick");
  following.child.stdout.destroy();
  expect(await following.ended).toMatchObject({ code: 0, stderr: "" });
  frond.write("go", "");
  expect((await run.ended).code).toBe(0);
});

test("following ends where the run waits or its process is gone, and says how to go on", async () => {
  const ask = workflow("ask", [shell("a", "echo first"), { id: "go", type: "Prompt", inputs: { prompt: "Really?" } }]);
  const frond = createFrond({ "ask.yaml": ask, "slow.yaml": slow });
  await frond.run(["run", "ask.yaml"]);
  const waiting = await frond.run(["logs", "-f", "last"]);
  expect(waiting.stdout).toBe("a | first\n");
  expect(waiting.stderr).toMatch(/^paused ask run_\w+: Answer with: frond resume pause_\w+ --response '...'\n$/);
  const runId = await loseRun(frond, "slow.yaml", 1);
  const lost = await frond.run(["logs", "-f", runId]);
  expect(lost.stdout).toBe("a | a begins\n");
  expect(lost.stderr).toBe(
    `interrupted slow ${runId}: The process that drove it is gone. Go on with: frond resume ${runId}\n`,
  );
});

test("a block inside another can be followed before it is there", async () => {
  const frond = createFrond({
    "child.yaml": workflow("child", [shell("inner", "echo from inside")]),
    "outer.yaml": workflow("outer", [
      shell("a", waitForGo("a")),
      { id: "sub", type: "ExecuteWorkflow", inputs: { workflow: "child" }, depends_on: ["a"] },
    ]),
  });
  const env = { WORKFLOWS_TEMPLATE_PATHS: frond.directory };
  const run = frond.start(["run", "outer.yaml"], { env });
  await run.until("start   a");
  const following = frond.start(["logs", "-f", "last", "sub/inner"]);
  const refused = await frond.run(["logs", "last", "sub/inner"]);
  expect(refused.code).toBe(2);
  frond.write("go", "");
  expect((await following.ended).stdout).toMatch(/^(sub\/inner \| )?from inside\n$/);
  await run.ended;
});

test("a block that wrote nothing says so, and a reused one has the log of the run in which it ran", async () => {
  const blocks = [shell("quiet", "true"), shell("loud", "echo x", { depends_on: ["quiet"] }), shell("other", "echo y")];
  const two = workflow("two", blocks);
  const frond = await ran("two.yaml", two);
  expect(await frond.run(["logs", "last", "quiet"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "Nothing has been written.\n",
  });
  await frond.run(["rerun", "last", "--from", "loud"]);
  expect((await frond.run(["logs", "last", "loud"])).stdout).toBe("x\n");
  expect((await frond.run(["logs", "last", "other"])).stdout).toBe("y\n");
});

test.each([
  ["lost", "unknown-run"],
  ["last fisrt", "unknown-block"],
  ["last first --attempt 0", "usage"],
])("`frond logs %s` is refused as %s", async (line, code) => {
  const frond = await ran("mixed.yaml", mixed);
  expect(await frond.json(["logs", ...line.split(" ")])).toMatchObject({ code: 2, reply: { errors: [{ code }] } });
});

test("a part of a long log is shown by its last lines, or by the lines with a text, and how much there is beside it", async () => {
  const long = workflow("long", [shell("a", "seq 1 5000; echo '[odd] one'"), shell("b", "true")]);
  const frond = await ran("long.yaml", long);
  expect(await frond.run(["logs", "last", "a", "--tail", "2"])).toEqual({
    code: 0,
    stdout: "5000\n[odd] one\n",
    stderr: "5,001 lines, 23,903 bytes; here lines 5,000-5,001\n",
  });
  expect(await frond.run(["logs", "last", "--grep", "[odd]"])).toMatchObject({
    stdout: "== a\n5002: [odd] one\n",
    stderr: expect.stringMatching(/; 1 line with "\[odd\]"\n$/),
  });
  expect((await frond.run(["logs", "last", "a", "--grep", "^49+$", "--limit", "20"])).stdout).toBe(
    "49: 49\n499: 499\n",
  );
  expect((await frond.json(["logs", "last", "a", "--tail", "1"])).reply).toMatchObject({
    lines: 5001,
    text: "[odd] one\n",
  });
  expect(await frond.run(["logs", "last", "-f", "--tail", "1"])).toMatchObject({ code: 2 });
});
