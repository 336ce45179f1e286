import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { WorkflowChecked, WorkflowLines, WorkflowPage } from "../../src/views/page/workflow-records.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { type HttpDoor, openHttpDoor } from "../rig/http-door.ts";

async function get<T>(door: HttpDoor, path: string): Promise<T> {
  const response = await door.send({}, `/api${path}`);
  return (await response.json()) as T;
}

async function check(door: HttpDoor, text: string, thorough = true): Promise<WorkflowChecked> {
  const headers = { "content-type": "application/json", "x-frond": "1" };
  const body = JSON.stringify({ workflow_yaml: text, thorough });
  return (await (await door.send({ method: "POST", headers, body }, "/api/validate")).json()) as WorkflowChecked;
}

async function openProject(files: Readonly<Record<string, string>>): Promise<{ frond: Frond; door: HttpDoor }> {
  const frond = createFrond(files);
  await frond.run(["trust"]);
  return { frond, door: await openHttpDoor(frond) };
}

const broken = "name: broken\ndescription: It has a slip.\nblocks:\n  - id: a\n    type: Shel\n";

test("workflows are listed with where they come from, and broken files with their text and the place", async () => {
  const { door } = await openProject({
    ".frond/workflows/own.yaml": workflow("own", [shell("a", "true")]),
    ".frond/workflows/broken.yaml": broken,
  });
  const { workflows, broken: files } = await get<WorkflowLines>(door, "/workflows");
  expect(workflows.find(({ name }) => name === "own")).toMatchObject({ source: "project", trust: { trusted: true } });
  expect(workflows.find(({ name }) => name === "hello-world")).toMatchObject({
    source: "built-in",
    target: "hello-world",
  });
  expect(files).toMatchObject([
    {
      source: "project",
      text: broken,
      problems: [{ level: "error", line: 5, column: 11, end_line: 5, end_column: 15, fix: "Did you mean 'Shell'?" }],
    },
  ]);
  expect(files[0]?.problems[0]?.frame?.at(-1)).toEqual({ number: 6, before: "" });
  expect(files[0]?.problems[0]?.frame?.at(-2)).toEqual({ number: 5, before: "    type: ", meant: "Shel", after: "" });
});

test("a file counts from the moment it is saved, and says what a person types to trust it", async () => {
  const { frond, door } = await openProject({ ".frond/workflows/own.yaml": workflow("own", [shell("a", "true")]) });
  const before = await get<WorkflowLines>(door, "/workflows");
  expect(before.workflows.some(({ name }) => name === "later")).toBe(false);
  frond.write(".frond/workflows/later.yaml", workflow("later", [shell("a", "true")]));
  const after = await get<WorkflowLines>(door, "/workflows");
  const later = after.workflows.find(({ name }) => name === "later");
  expect(later).toMatchObject({ target: ".frond/workflows/later.yaml", trust: { trusted: false } });
  expect(JSON.stringify(later?.trust)).toContain(`frond trust ${frond.directory}`);
  expect(after.sources[0]).toMatchObject({
    title: "This project",
    untrusted: [
      {
        says: expect.stringContaining("looked at the files and typed"),
        command: expect.stringContaining(`frond trust ${frond.directory}`),
      },
    ],
  });
  const page = await get<WorkflowPage>(door, "/workflows/.frond/workflows/later.yaml");
  expect(page).toMatchObject({ facts: { name: "later" }, trust: { trusted: false } });
});

test("a built-in workflow is told with its graph, and each level of it by stepping in", async () => {
  const { door } = await openProject({});
  const page = await get<WorkflowPage>(door, "/workflows/release");
  expect(page).toMatchObject({
    source: "built-in",
    trust: { trusted: true },
    facts: { touches: { asks: ["approve"] } },
  });
  expect(page.yaml).toContain("name: release");
  const approve = page.graph.blocks.find(({ name }) => name === "approve");
  expect(approve).toMatchObject({ standing: "to_come", asks: true, type: "Prompt" });
  expect(page.graph.edges).toContainEqual({ from: "plan", to: "approve", kind: "required", decided: "open" });
  const nested = page.graph.blocks.find(({ holds }) => holds === "workflow");
  const inside = await get<WorkflowPage>(door, `/workflows/release?at=${nested?.address}`);
  expect(inside.graph.crumbs.map(({ address }) => address)).toEqual(["", nested?.address]);
  expect(inside.graph.blocks).toHaveLength(nested?.blocks_inside ?? -1);
  for (const { address } of inside.graph.blocks) expect(address.startsWith(`${nested?.address}/`)).toBe(true);
});

test("what is not there is refused with advice", async () => {
  const { door } = await openProject({});
  const missing = await door.send({}, "/api/workflows/hello-wrld");
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({
    error: { code: "unknown-workflow", fix: expect.stringContaining("hello-world") },
  });
  expect((await door.send({}, "/api/workflows/hello-world?at=nowhere")).status).toBe(404);
});

test("what a workflow can touch is told as far as its text tells, and which secrets are set", async () => {
  const text = workflow(
    "touching",
    [
      { id: "write", type: "CreateFile", inputs: { path: "notes/a.txt", content: "x" } },
      { id: "call", type: "HttpCall", inputs: { url: "https://API.example.com/${inputs.path}" } },
      { id: "away", type: "HttpCall", inputs: { url: "https://${inputs.path}.example.com/" } },
      { id: "use", type: "Shell", inputs: { command: "true", env: { KEY: "${secrets.MISSING_KEY}" } } },
    ],
    { inputs: { path: { type: "string", default: "x" } } },
  );
  const { door } = await openProject({});
  const { valid, facts, problems } = await check(door, text);
  expect(problems.filter(({ level }) => level === "error")).toEqual([]);
  expect(valid).toBe(true);
  expect(facts?.touches).toMatchObject({
    writes: ["notes/a.txt"],
    hosts: ["api.example.com"],
    calls_others: true,
    commands: 1,
    sandbox: "none",
    secrets: [{ name: "MISSING_KEY", is_set: false }],
  });
  expect(facts?.undo.map(({ kind, count }) => [kind, count])).toContainEqual(["undone", 1]);
});

test("the latest runs and what is usual come from the journal", async () => {
  const { frond, door } = await openProject({
    ".frond/workflows/own.yaml": workflow("own", [shell("a", "test ! -e bad")]),
  });
  for (let at = 0; at < 3; at++) await frond.run(["run", "own"]);
  writeFileSync(join(frond.directory, "bad"), "");
  await frond.run(["run", "own"]);
  const { usual, latest } = await get<WorkflowPage>(door, "/workflows/own");
  expect(latest.map(({ standing }) => standing)).toEqual(["failed", "done", "done", "done"]);
  expect(usual).toMatchObject({ succeeded: 3, duration_ms: expect.any(Number) });
  expect(usual.runs).toHaveLength(4);
});

test("a text is checked: what is wrong has its place, and a sound one its graph", async () => {
  const { door } = await openProject({});
  const wrong = await check(door, broken);
  expect(wrong).toMatchObject({ valid: false, problems: [{ line: 5, column: 11, block: "a" }] });
  expect(wrong.graph).toBeUndefined();
  const sound = await check(
    door,
    workflow("sound", [
      shell("a", "true"),
      { ...shell("b", "true"), depends_on: ["a"] },
      { ...shell("c", "true"), condition: "${blocks.b.failed}" },
    ]),
  );
  const edges = [
    { from: "a", to: "b", kind: "required", decided: "open" },
    // Drawn as what happens only if it fails.
    { from: "b", to: "c", kind: "condition", decided: "failed" },
  ];
  expect(sound.graph).toMatchObject({ waves: 3, widest: 1, edges });
  const syntax = workflow("syntax", [shell("a", "if true")]);
  expect(await check(door, syntax)).toMatchObject({ valid: false });
  expect((await check(door, "")).problems[0]?.code).toBe("empty-file");
});

test("a hostile text ends in a problem, and others are served meanwhile", async () => {
  const { door } = await openProject({});
  const bomb = `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 18 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(", ")}]`).join("\n")}\n`;
  const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
  const large = workflow(
    "large",
    Array.from({ length: 800 }, (_, at) => shell(`b${at}`, `echo ${"x".repeat(100)} \${inputs.none}`)),
  );
  const [first, second, third, list] = await Promise.all([
    check(door, bomb, false),
    check(door, deep, false),
    check(door, large, false),
    get<WorkflowLines>(door, "/workflows"),
  ]);
  for (const answer of [first, second, third]) expect(answer.valid).toBe(false);
  // However much is wrong, no more is told than somebody reads.
  expect(third.problems.length).toBeLessThan(200);
  expect(list.workflows.length).toBeGreaterThan(10);
  // Whatever is longer is not read at all, because nobody else could be served meanwhile.
  const headers = { "content-type": "application/json", "x-frond": "1" };
  const long = { method: "POST", headers, body: JSON.stringify({ workflow_yaml: "x".repeat(200_001) }) };
  const refused = await door.send(long, "/api/validate");
  expect([refused.status, await refused.json()]).toMatchObject([422, { error: { code: "text-too-long" } }]);
});

test("what the page for writing begins with is sound, and nothing is to be said against it", async () => {
  const { door } = await openProject({});
  const { text } = await get<{ readonly text: string }>(door, "/first-workflow");
  expect(await check(door, text)).toMatchObject({ valid: true, problems: [], graph: { widest: 2, waves: 2 } });
});

test("what the server finds wrong with an input names it, so that the page can say it at the field", async () => {
  const text = workflow("counting", [shell("a", "true")], { inputs: { count: { type: "integer", required: true } } });
  const { door } = await openProject({});
  const headers = { "content-type": "application/json", "x-frond": "1" };
  for (const inputs of [{}, { count: "many" }]) {
    const body = JSON.stringify({ workflow_yaml: text, inputs });
    const response = await door.send({ method: "POST", headers, body }, "/api/runs");
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toMatch(/\binput 'count'/i);
  }
});
