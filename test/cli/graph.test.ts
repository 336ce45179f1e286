import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";

const child = workflow("child", [shell("one", "true"), shell("two", "true", { depends_on: ["one"] })]);
const calling = workflow(
  "calling",
  [
    shell("test", "true"),
    { id: "ask", type: "Prompt", depends_on: ["test"], inputs: { prompt: "?" } },
    shell("mend", "true", { condition: '${blocks.test.failed and "<x>" != ""}', depends_on: ["test"] }),
    { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "./child.yaml" }, depends_on: ["ask"] },
    { id: "chosen", type: "ExecuteWorkflow", inputs: { workflow: "${inputs.name}" } },
    { id: "gone", type: "ExecuteWorkflow", inputs: { workflow: "no-such-workflow" } },
    { id: "both", for_each: [1, 2], blocks: [shell("half", "true")], depends_on: [{ block: "call", required: false }] },
  ],
  { inputs: { name: { type: "string", description: "A workflow" } }, finally: [shell("tidy", "true")] },
);
const files = { "calling.yaml": calling, "child.yaml": child };

const mermaid = `flowchart TD
  test["test<br/>Shell"]
  ask{{"ask<br/>Prompt"}}
  mend["mend<br/>Shell<br/>if blocks.test.failed and #quot;#lt;x#gt;#quot; != #quot;#quot;"]
  subgraph call_["call<br/>ExecuteWorkflow ./child.yaml"]
    call__one["one<br/>Shell"]
    call__two["two<br/>Shell"]
  end
  chosen[["chosen<br/>ExecuteWorkflow \${inputs.name}<br/>which workflow is known only when it runs"]]
  gone[["gone<br/>ExecuteWorkflow no-such-workflow<br/>no such workflow here"]]
  subgraph both["both<br/>group<br/>for each of [ 1, 2 ]<br/>even if call fails"]
    both__half["half<br/>Shell"]
  end
  subgraph finally["finally, when all others have ended"]
    tidy["tidy<br/>Shell"]
  end
  test --> ask
  test -. condition .-> mend
  ask --> call_
  call_ -. optional .-> both
  call__one --> call__two
`;

const picture = `calling  11 blocks

●    chosen  ExecuteWorkflow \${inputs.name} · which workflow is known only when it runs
●    gone    ExecuteWorkflow no-such-workflow · no such workflow here
●    test    Shell
├┄●  mend    Shell · if blocks.test.failed and "<x>" != ""
╰─●  ask     Prompt
  │
  ●  call    ExecuteWorkflow ./child.yaml
  ┊  ┃ ●  one  Shell
  ┊  ┃ │
  ┊  ┃ ●  two  Shell
  ●  both    group · for each of [ 1, 2 ] · even if call fails
     ┃ ●  half  Shell

finally, when all others have ended:
●  tidy  Shell

A dotted line: the block waits, but the other one need not succeed.
`;

test("graph gives a Mermaid flowchart in a pipe, with every block, edge and called workflow", async () => {
  const frond = createFrond(files);
  expect(await frond.run(["graph", "calling.yaml"])).toEqual({ code: 0, stdout: mermaid, stderr: "" });
});

test("graph draws every block, edge and called workflow in text", async () => {
  const frond = createFrond(files);
  expect(await frond.run(["graph", "calling.yaml", "--format", "text"])).toEqual({
    code: 0,
    stdout: picture,
    stderr: "",
  });
});

test("in a terminal the graph is drawn as text that fits it", async () => {
  const frond = createFrond(files);
  const columns = 60;
  for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }, { TERM: "linux", NO_COLOR: "1" }]) {
    const { code, stdout } = await frond.startInTerminal(["graph", "calling.yaml"], { columns, env }).ended;
    const lines = stdout.replaceAll("\r", "").split("\n");
    expect(code).toBe(0);
    expect(lines.filter((line) => line.length >= columns)).toEqual([]);
    expect(lines).toContain(env.TERM === "linux" ? "*    test    Shell" : "●    test    Shell");
    expect(lines.join("\n")).toContain(env.TERM === "linux" ? "  :  > *  one  Shell" : "  ┊  ┃ ●  one  Shell");
  }
  const asked = await frond.startInTerminal(["graph", "calling.yaml", "--format", "mermaid"], { columns }).ended;
  expect(asked.stdout.replaceAll("\r", "")).toBe(mermaid);
});

test("graph --json has the nodes, the edges and the flowchart", async () => {
  const frond = createFrond(files);
  const { code, reply } = await frond.json(["graph", "calling.yaml"]);
  const { nodes, edges, ...rest } = reply as { nodes: { path: string }[]; edges: object[] };
  expect(code).toBe(0);
  expect(rest).toEqual({ workflow: "calling", mermaid });
  expect(nodes.map(({ path }) => path)).toEqual([
    "test",
    "ask",
    "mend",
    "call",
    "call/one",
    "call/two",
    "chosen",
    "gone",
    "both",
    "both/half",
    "tidy",
  ]);
  expect(nodes.find(({ path }) => path === "call/two")).toEqual({
    id: "two",
    path: "call/two",
    type: "Shell",
    parent: "call",
  });
  expect(nodes.find(({ path }) => path === "chosen")).toMatchObject({
    workflow: "${inputs.name}",
    left_out: "computed",
  });
  expect(edges).toEqual([
    { from: "test", to: "ask", kind: "required" },
    { from: "test", to: "mend", kind: "condition" },
    { from: "ask", to: "call", kind: "required" },
    { from: "call/one", to: "call/two", kind: "required" },
    { from: "call", to: "both", kind: "optional" },
  ]);
});

test("--depth leaves out what is deeper, and says how much that is", async () => {
  const frond = createFrond({
    ...files,
    "outer.yaml": workflow("outer", [
      { id: "whole", type: "ExecuteWorkflow", inputs: { workflow: "./calling.yaml", inputs: { name: "x" } } },
    ]),
  });
  const one = await frond.run(["graph", "outer.yaml", "--format", "text", "--depth", "1"]);
  expect(one.stdout).toBe("outer  1 block\n\n●  whole  ExecuteWorkflow ./calling.yaml · 8 blocks inside\n");
  const two = await frond.run(["graph", "outer.yaml", "--format", "text", "--depth", "2"]);
  expect(two.stdout).toContain("●  call    ExecuteWorkflow ./child.yaml · 2 blocks inside\n");
  const { code, stderr } = await frond.run(["graph", "outer.yaml", "--depth", "0"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("It must be a whole number above 0.")]);
});

test("a workflow that calls itself has no graph, and the way round is named", async () => {
  const frond = createFrond({
    "round.yaml": workflow("round", [{ id: "again", type: "ExecuteWorkflow", inputs: { workflow: "./round.yaml" } }]),
  });
  const { code, stderr } = await frond.run(["graph", "round.yaml"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("Circular call")]);
});
