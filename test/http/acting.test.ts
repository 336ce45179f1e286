import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ApiDoor, openApiDoor, untilStands } from "../rig/api-door.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { waitFor } from "../rig/wait-for.ts";

const hello = workflow("hello", [shell("say", "echo hello ${inputs.name}")], {
  inputs: { name: { type: "string", required: true } },
});
const asking = (inputs: object, name = "asking"): string =>
  workflow(name, [
    { id: "ask", type: "Prompt", inputs: { prompt: "Ship it?", audience: "human", ...inputs } },
    shell("ship", "echo ${blocks.ask.outputs.response} > shipped", { depends_on: ["ask"] }),
  ]);

async function open(files: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<[Frond, ApiDoor]> {
  const frond = createFrond(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`.frond/workflows/${name}.yaml`, text])),
  );
  await frond.run(["trust"]);
  return [frond, await openApiDoor(frond, args)];
}

describe("POST /runs", () => {
  test("starts a workflow by its name, and says who did", async () => {
    const [, { page, program }] = await open({ hello });
    const started = await page.post("/runs", { workflow: "hello", inputs: { name: "Ada" } });
    expect(started).toEqual({ status: 201, data: { run_id: expect.stringMatching(/^run_/) } });
    await untilStands(page, started.data.run_id, "done");
    const { data: other } = await program.post("/runs", { workflow: "hello", inputs: { name: "cron" } });
    const { data } = await page.get("/runs");
    const starters = Object.fromEntries(data.runs.map((run: Record<string, string>) => [run.run_id, run.started_by]));
    expect(starters).toEqual({ [started.data.run_id]: "web page", [other.run_id]: "http" });
  });

  test("tells what it would do, and starts nothing, for a dry run", async () => {
    const [, { page }] = await open({ hello });
    const foreseen = await page.post("/runs", { workflow: "hello", inputs: { name: "Ada" }, dry_run: true });
    expect(foreseen).toMatchObject({ status: 200, data: { status: "dry_run", counts: { "would run": 1 } } });
    expect(foreseen.data.says).toBe("1 block: 1 would run. Nothing has been run or changed.");
    expect((await page.get("/runs")).data.runs).toEqual([]);
  });

  test("keeps to a budget", async () => {
    const [, { page }] = await open({ hello });
    const { data } = await page.post("/runs", { workflow: "hello", inputs: { name: "Ada" }, budget_usd: 0.5 });
    await untilStands(page, data.run_id, "done");
    const { head } = (await page.get(`/runs/${data.run_id}`)).data;
    expect(head.spend).toMatchObject({ most: "$0.50", mostUsd: 0.5 });
    expect((await page.post("/runs", { workflow: "hello", budget_usd: -1 })).status).toBe(400);
  });

  test("refuses what is wrong with it, and starts nothing", async () => {
    const [, { page }] = await open({ hello });
    expect(await page.post("/runs", { workflow: "hello" })).toMatchObject({
      status: 422,
      data: { error: { code: "missing-input" } },
    });
    expect(await page.post("/runs", { workflow: "helo" })).toMatchObject({
      status: 404,
      data: { error: { code: "unknown-workflow", fix: expect.not.stringContaining("list_workflows") } },
    });
    expect((await page.post("/runs", {})).status).toBe(422);
    expect((await page.post("/runs", { workflow: "hello", workspace: "/" })).status).toBe(403);
    expect((await page.post("/runs", { workflow: "hello", colour: "red" })).status).toBe(400);
    const named = { workflow: "hello", inputs: JSON.parse('{"name": "ada", "__proto__": "x"}') as object };
    expect(await page.post("/runs", named)).toMatchObject({
      status: 400,
      data: { error: { message: "No field and no input can be named `__proto__`." } },
    });
    expect((await page.get("/runs?limit=-1")).data.error.message).toBe("The parameter 'limit' must be at least 1.");
    expect((await page.get("/runs")).data.runs).toEqual([]);
  });

  test("runs no file that nobody has trusted, and says what a person does", async () => {
    const [frond, { page }] = await open({ hello });
    frond.write(".frond/workflows/evil.yaml", workflow("evil", [shell("run", "touch owned")]));
    for (const name of ["evil", ".frond/workflows/evil.yaml"]) {
      const refused = await page.post("/runs", { workflow: name });
      expect(refused).toMatchObject({
        status: 422,
        data: { error: { code: "untrusted-workflow", fix: expect.stringContaining(`frond trust ${frond.directory}`) } },
      });
      expect(refused.data.error.fix).not.toContain("Tell them");
    }
    expect(existsSync(join(frond.directory, "owned"))).toBe(false);
  });

  test("runs a text where the server allows that, and nowhere else", async () => {
    const text = workflow("inline", [shell("say", "echo hi")]);
    const [, { page }] = await open({ hello });
    const { data } = await page.post("/runs", { workflow_yaml: text });
    await untilStands(page, data.run_id, "done");
    const wrong = await page.post("/runs", {
      workflow_yaml: "name: x\ndescription: x\nblocks:\n  - id: a\n    type: Shel\n",
    });
    expect(wrong).toMatchObject({ status: 422, data: { error: { problems: [{ line: 5 }] } } });
    const [, { page: strict }] = await open({ hello }, ["--no-inline"]);
    expect(await strict.post("/runs", { workflow_yaml: text })).toMatchObject({
      status: 422,
      data: { error: { code: "text-forbidden" } },
    });
  });
});

describe("POST answers", () => {
  async function asked(inputs: object): Promise<[Frond, ApiDoor, string, string]> {
    const [frond, door] = await open({ asking: asking(inputs) });
    const { data } = await door.page.post("/runs", { workflow: "asking" });
    const { questions } = await untilStands(door.page, data.run_id, "asks");
    return [frond, door, data.run_id, questions[0] ?? ""];
  }

  test("a person's answer comes from the page; one with the token is no person's", async () => {
    const [frond, { page, program }, run, question] = await asked({ choices: ["yes", "no"] });
    expect(await program.post(`/runs/${run}/answers`, { question, answer: "yes" })).toMatchObject({
      status: 403,
      data: { error: { code: "needs-a-person" } },
    });
    expect(await page.post(`/runs/${run}/answers`, { question, answer: "yes" })).toMatchObject({ status: 200 });
    await untilStands(page, run, "done");
    expect(frond.read("shipped")).toBe("yes\n");
  });

  test("an answer that does not fit is refused with the schema's reason, and the question stays open", async () => {
    const schema = { type: "object", required: ["count"], properties: { count: { type: "integer", minimum: 3 } } };
    const [, { page }, run, question] = await asked({ schema });
    expect(await page.post(`/runs/${run}/answers`, { question, answer: { count: 1 } })).toMatchObject({
      status: 422,
      data: {
        error: { code: "answer-refused", message: "The answer does not fit: answer.count must be at least 3." },
      },
    });
    expect((await page.post(`/runs/${run}/answers`, { question, answer: { count: 3 } })).status).toBe(200);
    await untilStands(page, run, "done");
  });

  test("a question that has its answer keeps it, and says what it is and who gave it", async () => {
    const [frond, { page }, run, question] = await asked({ choices: ["yes", "no"] });
    await page.post(`/runs/${run}/answers`, { question, answer: "no" });
    await untilStands(page, run, "done");
    expect(await page.post(`/runs/${run}/answers`, { question, answer: "yes" })).toMatchObject({
      status: 409,
      data: {
        error: {
          code: "already-answered",
          message: "Already answered; the earlier answer was kept: 'no' (given by web page).",
        },
      },
    });
    expect(frond.read("shipped")).toBe("no\n");
  });

  test("a question of another run, or of none, is not there", async () => {
    const [, { page }, run, question] = await asked({ choices: ["yes", "no"] });
    const { data } = await page.post("/runs", { workflow: "asking" });
    await untilStands(page, data.run_id, "asks");
    expect((await page.post(`/runs/${data.run_id}/answers`, { question, answer: "yes" })).status).toBe(404);
    expect((await page.post("/runs/run_nothing/answers", { question, answer: "yes" })).status).toBe(404);
    expect((await page.post(`/runs/${run}/answers`, { answer: "yes" })).status).toBe(200);
  });
});

describe("POST cancel and resume", () => {
  test("a run is cancelled, which says by whom; a second time it has ended", async () => {
    const [frond, { page }] = await open({ asking: asking({ choices: ["yes", "no"] }) });
    const { data } = await page.post("/runs", { workflow: "asking" });
    await untilStands(page, data.run_id, "asks");
    expect((await page.get(`/runs/${data.run_id}/cancel`)).data).toMatchObject({
      stops: [{ standing: "asks" }],
      more: 0,
    });
    expect((await page.get(`/runs/${data.run_id}/resume`)).data).toEqual({
      says: "This server goes on with it.",
      rules: [],
    });
    expect(await page.post(`/runs/${data.run_id}/cancel`)).toEqual({ status: 200, data: { status: "failure" } });
    await untilStands(page, data.run_id, "cancelled");
    expect((await frond.run(["show", data.run_id])).stdout).toContain("cancelled by web page");
    expect(await page.post(`/runs/${data.run_id}/cancel`)).toMatchObject({
      status: 409,
      data: { error: { code: "run-ended", fix: "Use Rerun for a new run of it." } },
    });
    expect((await page.post(`/runs/${data.run_id}/resume`)).status).toBe(409);
  });

  test("a run that runs is cancelled while a command of it does", async () => {
    const [frond, { page }] = await open({ slow: workflow("slow", [shell("wait", "touch begun; sleep 600")]) });
    const { data } = await page.post("/runs", { workflow: "slow" });
    await waitFor("the command", () => existsSync(join(frond.directory, "begun")));
    expect((await page.post(`/runs/${data.run_id}/resume`)).data).toEqual({ status: "running" });
    expect((await page.post(`/runs/${data.run_id}/cancel`)).status).toBe(200);
    await untilStands(page, data.run_id, "cancelled");
  });

  test("a run that waits for an answer alone stays as it is when it is resumed", async () => {
    const [, { page }] = await open({ asking: asking({ choices: ["yes", "no"] }) });
    const { data } = await page.post("/runs", { workflow: "asking" });
    await untilStands(page, data.run_id, "asks");
    expect(await page.post(`/runs/${data.run_id}/resume`)).toEqual({ status: 200, data: { status: "paused" } });
    expect((await page.post("/runs/run_nothing/resume")).status).toBe(404);
  });
});

describe("rerun", () => {
  const two = workflow(
    "two",
    [shell("first", "echo once >> first"), shell("second", "echo ${inputs.word} >> second", { depends_on: ["first"] })],
    { inputs: { word: { type: "string", default: "a" } } },
  );

  test("says what is reused and what runs, and then does that", async () => {
    const [frond, { page }] = await open({ two });
    const { data } = await page.post("/runs", { workflow: "two" });
    await untilStands(page, data.run_id, "done");
    const path = `/runs/${data.run_id}/rerun`;
    expect((await page.get(path)).data).toMatchObject({ workflow: "two", counts: { "would be reused": 2 } });
    expect((await page.get(`${path}?all=true`)).data.counts).toEqual({ "would run": 2 });
    const inputs = encodeURIComponent(JSON.stringify({ word: "b" }));
    const { data: forecast } = await page.get(`${path}?inputs=${inputs}`);
    expect(forecast).toMatchObject({
      counts: { "would be reused": 1, "would run": 1 },
      blocks: [
        { address: "first", verdict: "would be reused" },
        { address: "second", verdict: "would run", why: expect.any(String) },
      ],
      inputs: [{ name: "word", type: "string", value: "b" }],
    });
    const rerun = await page.post(path, { from: "second" });
    expect(rerun.status).toBe(201);
    await untilStands(page, rerun.data.run_id, "done");
    expect([frond.read("first"), frond.read("second")]).toEqual(["once\n", "a\na\n"]);
    expect((await page.get("/runs")).data.runs[0]).toMatchObject({ rerun_of: data.run_id, started_by: "web page" });
  });

  test("refuses a block that is not there, inputs that are none, and a run that still runs", async () => {
    const [, { page }] = await open({ two, slow: workflow("slow", [shell("wait", "sleep 600")]) });
    const { data } = await page.post("/runs", { workflow: "two" });
    await untilStands(page, data.run_id, "done");
    const path = `/runs/${data.run_id}/rerun`;
    expect((await page.get(`${path}?from=third`)).status).toBe(404);
    expect((await page.get(`${path}?inputs=[1]`)).status).toBe(422);
    expect((await page.post(path, { inputs: { word: 1 } })).status).toBe(422);
    expect((await page.get("/runs/run_nothing/rerun")).status).toBe(404);
    const { data: slow } = await page.post("/runs", { workflow: "slow" });
    expect((await page.post(`/runs/${slow.run_id}/rerun`)).status).toBe(409);
    await page.post(`/runs/${slow.run_id}/cancel`);
  });
});

describe("undo", () => {
  const making = workflow("making", [
    { id: "make", type: "CreateFile", inputs: { path: "made.txt", content: "one\n" } },
    {
      id: "edit",
      type: "EditFile",
      depends_on: ["make"],
      inputs: { path: "kept.txt", operations: [{ type: "replace_text", old_text: "old", new_text: "new" }] },
    },
  ]);

  test("says what becomes of every file, and then does that by a run of its own", async () => {
    const [frond, { page }] = await open({ making });
    frond.write("kept.txt", "old\n");
    const { data } = await page.post("/runs", { workflow: "making" });
    await untilStands(page, data.run_id, "done");
    const path = `/runs/${data.run_id}/undo`;
    const { data: forecast } = await page.get(path);
    expect(forecast).toMatchObject({
      workflow: "making",
      files: [
        {
          path: "kept.txt",
          undo: "restored",
          found: "restorable",
          by: ["edit"],
          diff: expect.stringContaining("+old"),
        },
        { path: "made.txt", undo: "removed", found: "restorable" },
      ],
    });
    expect((await page.get(`${path}?to=make`)).data.files.map((file: { path: string }) => file.path)).toEqual([
      "kept.txt",
    ]);
    frond.write("kept.txt", "new\nand mine\n");
    expect((await page.get(path)).data.files[0]).toMatchObject({
      found: "conflict",
      diff: expect.stringContaining("-and mine"),
    });
    // For one file alone, whatever becomes of others.
    const undone = await page.post(path, { on_conflict_of: { "kept.txt": "force" } });
    expect(undone.status).toBe(201);
    await untilStands(page, undone.data.run_id, "done");
    expect(frond.read("kept.txt")).toBe("old\n");
    expect(existsSync(join(frond.directory, "made.txt"))).toBe(false);
    expect(await page.post(path)).toMatchObject({ status: 422, data: { error: { code: "nothing-to-undo" } } });
    expect((await page.get(path)).data.nothing).toEqual(expect.any(String));
    expect((await page.get("/runs/run_nothing/undo")).status).toBe(404);
    expect((await page.post(path, { on_conflict: "burn" })).status).toBe(400);
  });
});

test("a run of another project is out of reach of every route that acts", async () => {
  const frond = createFrond({ "one/.frond/workflows/hello.yaml": hello, "two/a.txt": "" });
  await frond.run(["trust", "one"]);
  const inOne = await frond.json(["run", "one/.frond/workflows/hello.yaml", "-i", "name=Ada", "--workspace", "one"]);
  const { run_id: run } = inOne.reply as { run_id: string };
  const { page } = await openApiDoor(frond, ["--workspace", "two", "--root", "two"]);
  for (const path of ["rerun", "undo"]) expect((await page.get(`/runs/${run}/${path}`)).status).toBe(403);
  for (const path of ["answers", "cancel", "resume", "rerun", "undo"]) {
    const body = path === "answers" ? { answer: "yes" } : {};
    expect(await page.post(`/runs/${run}/${path}`, body)).toMatchObject({
      status: 403,
      data: { error: { code: "out-of-reach" } },
    });
  }
});

test("a server that only reads acts on nothing, and still tells what would be", async () => {
  const [frond, { page: writer }] = await open({ hello });
  const { data } = await writer.post("/runs", { workflow: "hello", inputs: { name: "Ada" } });
  await untilStands(writer, data.run_id, "done");
  const { page } = await openApiDoor(frond, ["--read-only"]);
  for (const path of ["answers", "cancel", "resume", "rerun", "undo"]) {
    expect(await page.post(`/runs/${data.run_id}/${path}`)).toMatchObject({
      status: 403,
      data: { error: { code: "read-only" } },
    });
  }
  expect((await page.post("/runs", { workflow: "hello", inputs: { name: "Ada" } })).status).toBe(403);
  expect((await page.get(`/runs/${data.run_id}/rerun`)).status).toBe(200);
  expect((await page.get(`/runs/${data.run_id}/undo`)).status).toBe(200);
});
