import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, type Running, shell, workflow } from "../rig/frond.ts";
import { isAlive } from "../rig/is-alive.ts";
import { waitFor } from "../rig/wait-for.ts";

const ask = (id: string, prompt: string, more: object = {}): object => ({
  id,
  type: "Prompt",
  inputs: { prompt, ...more },
});

const twoQuestions = workflow(
  "two",
  [
    ask("first", "Name?"),
    ask("second", "How many?", { schema: { type: "integer", minimum: 1 } }),
    shell("say", "echo ${blocks.first.response} ${blocks.second.response}"),
  ],
  { outputs: { said: "${blocks.say.stdout}" } },
);

interface Reply {
  readonly status: string;
  readonly run_id: string;
  readonly pending?: readonly { readonly checkpoint_id: string; readonly block: string }[];
  readonly checkpoint_id?: string;
  readonly paused_block_id?: string;
  readonly errors?: readonly { readonly code: string; readonly message: string; readonly fix?: string }[];
  readonly outputs?: Readonly<Record<string, unknown>>;
}

async function reply(frond: Frond, args: readonly string[]): Promise<Reply> {
  return (await frond.json(args)).reply as Reply;
}

/** The ids of what a run asks, by block. */
async function questions(frond: Frond, run = "last"): Promise<Record<string, string>> {
  const { pending = [], checkpoint_id: id, paused_block_id: only } = await reply(frond, ["show", run]);
  if (id !== undefined && only !== undefined) return { [only]: id };
  return Object.fromEntries(pending.map(({ block, checkpoint_id }) => [block, checkpoint_id]));
}

/**
 * Waits until a file that a command of a workflow writes is there, and kills the process that runs it. The command says so on its
 * output too: once that is logged, the process is known to whoever is to end it.
 */
async function killWhenThere(frond: Frond, run: Running, file: string): Promise<void> {
  await waitFor(`${file} to be written`, () => existsSync(join(frond.directory, file)) && hasLogged(frond, file));
  run.child.kill("SIGKILL");
  await run.ended;
}

function hasLogged({ state }: Frond, text: string): boolean {
  const logs = join(state, "logs");
  if (!existsSync(logs)) return false;
  const files = readdirSync(logs, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".log"));
  return files.some((file) => readFileSync(join(logs, file), "utf8").includes(`begun ${text}\n`));
}

test("questions are answered in any order, each by another process, and the run goes on with what each answer frees", async () => {
  const frond = createFrond({ "two.yaml": twoQuestions });
  expect((await frond.run(["run", "two.yaml"])).code).toBe(3);
  const { first, second } = await questions(frond);
  expect(await frond.json(["resume", second as string, "--response", "3"])).toMatchObject({
    code: 3,
    reply: { status: "paused", paused_block_id: "first" },
  });
  expect(await frond.json(["resume", first as string, "--response", "Ada"])).toMatchObject({
    code: 0,
    reply: { status: "success", outputs: { said: "Ada 3\n" } },
  });
});

test("an answer that does not fit is refused with the reason, and the question stays open", async () => {
  const frond = createFrond({ "two.yaml": twoQuestions });
  await frond.run(["run", "two.yaml"]);
  const { second } = await questions(frond);
  const refused = await frond.json(["resume", second as string, "--response", "0"]);
  expect(refused).toMatchObject({ code: 2, reply: { errors: [{ code: "answer-refused" }] } });
  expect(Object.keys(await questions(frond))).toEqual(["first", "second"]);
});

test("answering twice changes nothing and tells how the run stands", async () => {
  const frond = createFrond({ "two.yaml": twoQuestions });
  await frond.run(["run", "two.yaml"]);
  const { first } = await questions(frond);
  await frond.run(["resume", first as string, "--response", "Ada"]);
  const again = await frond.json(["resume", first as string, "--response", "Bob"]);
  expect(again).toMatchObject({ code: 3, reply: { status: "paused", paused_block_id: "second" } });
  const kept = "Already answered; the earlier answer was kept: 'Ada' (given by command line).";
  expect(again.reply).toMatchObject({ message: expect.stringContaining(kept) });
  expect((await frond.run(["resume", first as string, "--response", "Bob"])).stdout).toContain(kept);
  const { second } = await questions(frond);
  expect(await reply(frond, ["resume", second as string, "--response", "1"])).toMatchObject({
    outputs: { said: "Ada 1\n" },
  });
});

test("a run that asks one thing is answered by its own id; one that asks several must be told which", async () => {
  const frond = createFrond({ "two.yaml": twoQuestions });
  await frond.run(["run", "two.yaml"]);
  expect(await frond.json(["resume", "last", "--response", "x"])).toMatchObject({
    code: 2,
    reply: { errors: [{ code: "which-question", fix: expect.stringContaining("pause_") }] },
  });
  await frond.run(["resume", (await questions(frond)).first as string, "--response", "Ada"]);
  expect(await frond.json(["resume", "last", "--response", "2"])).toMatchObject({ code: 0 });
});

test("a question to a person is not answered by --response without a terminal", async () => {
  const block = ask("approve", "Deploy?", { audience: "human", choices: ["yes", "no"] });
  const frond = createFrond({ "human.yaml": workflow("human", [block]) });
  const paused = await frond.run(["run", "human.yaml"]);
  const { approve } = await questions(frond);
  expect(paused.stdout).toContain(`A person answers with: frond resume ${approve}`);
  expect(await frond.json(["resume", approve as string, "--response", "yes"])).toMatchObject({
    code: 2,
    reply: { errors: [{ code: "needs-a-person", fix: expect.stringContaining(`frond resume ${approve}`) }] },
  });
  const person = frond.startInTerminal(["resume", approve as string]);
  await person.until("? approve asks");
  // Nothing is chosen before the person has.
  person.type("\r");
  await person.until("Nothing is chosen yet.");
  person.type("y\r");
  expect((await person.ended).code).toBe(0);
});

test("in a terminal, resume asks what the run asks", async () => {
  const frond = createFrond({ "two.yaml": twoQuestions });
  await frond.run(["run", "two.yaml"]);
  const person = frond.startInTerminal(["resume", "last"]);
  await person.until("? first asks");
  person.type("Ada\r");
  await person.until("? second asks");
  person.type("4\r");
  const { code, stdout } = await person.ended;
  expect(code).toBe(0);
  expect(stdout).toContain("Ada 4");
});

test("of two people who are asked the same, the second is told which answer was kept, and how the run stands", async () => {
  const frond = createFrond({ "one.yaml": workflow("one", [ask("name", "Name?")]) });
  await frond.run(["run", "one.yaml"]);
  const [ada, bob] = [frond.startInTerminal(["resume", "last"]), frond.startInTerminal(["resume", "last"])];
  await Promise.all([ada.until("? name asks"), bob.until("? name asks")]);
  bob.type("Bo");
  ada.type("Ada\r");
  expect((await ada.ended).code).toBe(0);
  const { code, stdout } = await bob.ended;
  expect(stdout).toContain("name was answered elsewhere: 'Ada' (given by terminal).");
  expect(code).toBe(0);
});

test("of two answers at the same moment one is kept, and whoever gave the other is told", async () => {
  const frond = createFrond({ "one.yaml": workflow("one", [ask("name", "Name?")]) });
  await frond.run(["run", "one.yaml"]);
  const people = ["Ada", "Bob"].map((name) => ({ name, run: frond.startInTerminal(["resume", "last"]) }));
  await Promise.all(people.map(({ run }) => run.until("? name asks")));
  for (const { name, run } of people) run.type(`${name}\r`);
  const ends = await Promise.all(people.map(({ run }) => run.ended));
  const { reply } = await frond.json(["show", "last"]);
  const kept = (reply as { blocks: { name: { outputs: { response: string } } } }).blocks.name.outputs.response;
  for (const [index, { code, stdout }] of ends.entries()) {
    expect(code).toBe(0);
    if (people[index]?.name === kept) continue;
    expect(stdout).toMatch(
      new RegExp(`(earlier answer was kept|answered elsewhere): '${kept}' \\(given by terminal\\)`),
    );
  }
});

test("a terminal that has started the run tells as well that somebody else has answered, and how it ended", async () => {
  const frond = createFrond({ "one.yaml": workflow("one", [ask("name", "Name?")]) });
  const person = frond.startInTerminal(["run", "one.yaml"]);
  await person.until("? name asks");
  await frond.run(["resume", "last", "--response", "Ada"]);
  const { code, stdout } = await person.ended;
  expect(stdout).toContain("name was answered elsewhere: 'Ada' (given by command line).");
  expect(code).toBe(0);
});

test("a paused run means what it meant when it started, whatever has become of its file", async () => {
  const frond = createFrond({ "two.yaml": twoQuestions });
  await frond.run(["run", "two.yaml"]);
  writeFileSync(join(frond.directory, "two.yaml"), "no workflow any more");
  const { first, second } = await questions(frond);
  await frond.run(["resume", first as string, "--response", "Ada"]);
  expect(await frond.json(["resume", second as string, "--response", "1"])).toMatchObject({
    code: 0,
    reply: { outputs: { said: "Ada 1\n" } },
  });
});

test("three levels deep, two questions pending, the process killed: a new one answers both", async () => {
  const waiting = shell("wait", "echo begun waiting; touch waiting; while [ ! -e go ]; do sleep 0.02; done", {
    on_interrupted: "rerun",
  });
  const inner = workflow("inner", [ask("one", "One?"), ask("two", "Two?"), waiting], {
    outputs: { both: "${blocks.one.response}${blocks.two.response}" },
  });
  const call = (id: string, child: string): object => ({ id, type: "ExecuteWorkflow", inputs: { workflow: child } });
  const passOn = (from: string): object => ({ outputs: { both: `\${blocks.${from}.outputs.both}` } });
  const library = {
    "library/inner.yaml": inner,
    "library/middle.yaml": workflow("middle", [call("inner", "inner")], passOn("inner")),
    "outer.yaml": workflow("outer", [call("middle", "middle")], passOn("middle")),
  };
  const frond = createFrond(library);
  const env = { WORKFLOWS_TEMPLATE_PATHS: join(frond.directory, "library") };
  const run = frond.start(["run", "outer.yaml"], { env });
  await run.until("asks    middle/inner/two");
  await killWhenThere(frond, run, "waiting");
  appendFileSync(join(frond.directory, "go"), "");
  expect((await frond.run(["resume", "last"])).code).toBe(3);
  const ids = await questions(frond);
  expect(Object.keys(ids)).toEqual(["middle/inner/one", "middle/inner/two"]);
  await frond.run(["resume", ids["middle/inner/two"] as string, "--response", "B"]);
  expect(await frond.json(["resume", ids["middle/inner/one"] as string, "--response", "A"])).toMatchObject({
    code: 0,
    reply: { status: "success", outputs: { both: "AB" } },
  });
});

/** Says that it runs, and ends when a file is there. */
const untilReleased =
  "echo begun running; echo $$ > pid; touch running; while [ ! -e release ]; do sleep 0.02; done; echo through >> effects";

test("a command that was running when Frond was killed is asked about: rerun, done or fail", async () => {
  for (const [decision, expected] of [
    ["rerun", { code: 0, reply: { status: "success" } }],
    ["done", { code: 0, reply: { status: "success" } }],
    ["fail", { code: 1, reply: { status: "failure", failed_blocks: [{ block: "work" }] } }],
  ] as const) {
    const blocks = [shell("before", "echo once >> before"), shell("work", untilReleased, { depends_on: ["before"] })];
    const frond = createFrond({ "work.yaml": workflow("work", blocks) });
    const run = frond.start(["run", "work.yaml"]);
    await killWhenThere(frond, run, "running");
    const pid = Number(readFileSync(join(frond.directory, "pid"), "utf8"));
    await waitFor("the command to be ended with its engine", () => !isAlive(pid));
    expect(await frond.json(["show", "last"])).toMatchObject({ reply: { status: "interrupted" } });
    expect(await frond.json(["resume", "last"])).toMatchObject({ code: 3, reply: { paused_block_id: "work" } });
    appendFileSync(join(frond.directory, "release"), "");
    expect(await frond.json(["resume", "last", "--response", decision])).toMatchObject(expected);
    expect(readFileSync(join(frond.directory, "before"), "utf8")).toBe("once\n");
    expect(existsSync(join(frond.directory, "effects"))).toBe(decision === "rerun");
    expect(existsSync(join(frond.directory, ".scratch"))).toBe(false);
  }
});

test("recover takes over every interrupted run and decides for all when it is told how", async () => {
  const file = (name: string): string =>
    workflow(name, [shell("work", `echo begun ${name}; touch ${name}; while [ ! -e release ]; do sleep 0.02; done`)]);
  const frond = createFrond({ "one.yaml": file("one"), "other.yaml": file("other") });
  for (const name of ["one", "other"]) {
    await killWhenThere(frond, frond.start(["run", `${name}.yaml`]), name);
  }
  expect(await frond.json(["recover", "--on-interrupted", "fail"])).toMatchObject({
    code: 1,
    reply: {
      runs: [
        { status: "failure", workflow: "one" },
        { status: "failure", workflow: "other" },
      ],
    },
  });
  expect((await frond.run(["recover"])).stdout).toBe("No run is interrupted or overdue.\n");
});

test("of two processes that resume the same run at once one does, and the other says so", async () => {
  const frond = createFrond({ "work.yaml": workflow("work", [shell("work", untilReleased)]) });
  await killWhenThere(frond, frond.start(["run", "work.yaml"]), "running");
  const both = [1, 2].map(() => frond.start(["resume", "last", "--on-interrupted", "rerun"]));
  const first = await Promise.race(both.map(({ ended }) => ended));
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("Another process drives it") });
  appendFileSync(join(frond.directory, "release"), "");
  const codes = (await Promise.all(both.map(({ ended }) => ended))).map(({ code }) => code);
  expect(codes).toEqual([0, 0]);
  expect(readFileSync(join(frond.directory, "effects"), "utf8")).toBe("through\n");
});

test("a second process answers a question of a run that the first one drives, and cancels it", async () => {
  const blocks = [
    shell("work", untilReleased),
    ask("go", "Go?"),
    shell("after", "touch after", { depends_on: ["go"] }),
  ];
  const frond = createFrond({ "busy.yaml": workflow("busy", blocks) });
  const run = frond.start(["run", "busy.yaml"]);
  await run.until("asks    go");
  const { go } = await questions(frond);
  const told = await frond.run(["resume", go as string, "--response", "yes"]);
  expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining("has been given the answer") });
  await run.until("ok      after");
  expect(await frond.json(["cancel", "last"])).toMatchObject({
    code: 0,
    reply: { status: "failure", cancelled: true },
  });
  expect((await run.ended).code).toBe(130);
  expect(existsSync(join(frond.directory, "effects"))).toBe(false);
});

test("cancelling a run that waits ends it and starts nothing", async () => {
  const blocks = [ask("go", "Go?"), shell("after", "touch after", { depends_on: ["go"] })];
  const frond = createFrond({ "waiting.yaml": workflow("waiting", blocks) });
  await frond.run(["run", "waiting.yaml"]);
  expect(await frond.json(["cancel", "last"])).toMatchObject({
    code: 0,
    reply: { status: "failure", cancelled: true },
  });
  expect(existsSync(join(frond.directory, "after"))).toBe(false);
  expect((await frond.run(["cancel", "last"])).stdout).toContain("It had ended already");
});

test("what has ended can't be resumed, and says what can be done", async () => {
  const frond = createFrond({ "done.yaml": workflow("done", [shell("it", "true")]) });
  const { run_id: id } = await reply(frond, ["run", "done.yaml"]);
  for (const name of [id, id.replace("run_", "chk_").concat("_0")]) {
    expect(await frond.json(["resume", name])).toMatchObject({
      code: 2,
      reply: { errors: [{ code: "run-ended", fix: expect.stringContaining(`frond rerun ${id}`) }] },
    });
  }
});

test("a checkpoint of an interrupted run goes on with it", async () => {
  const blocks = [shell("before", "echo once >> before"), shell("work", untilReleased, { depends_on: ["before"] })];
  const frond = createFrond({ "work.yaml": workflow("work", blocks) });
  await killWhenThere(frond, frond.start(["run", "work.yaml"]), "running");
  appendFileSync(join(frond.directory, "release"), "");
  const { run_id: id } = await reply(frond, ["show", "last"]);
  const resumed = await frond.json(["resume", `${id.replace("run_", "chk_")}_0`, "--on-interrupted", "rerun"]);
  expect(resumed).toMatchObject({ code: 0, reply: { status: "success" } });
  expect(readFileSync(join(frond.directory, "before"), "utf8")).toBe("once\n");
});

test("the same idempotency key is the same run, and with other inputs an error", async () => {
  const definition = workflow("once", [shell("it", "echo ${inputs.n} >> ran")], {
    inputs: { n: { type: "integer", description: "A number" } },
  });
  const frond = createFrond({ "once.yaml": definition });
  const run = (n: number): Promise<unknown> =>
    frond.json(["run", "once.yaml", "--input", `n=${n}`, "--idempotency-key", "k"]);
  const first = (await run(1)) as { reply: Reply };
  expect(await run(1)).toMatchObject({ code: 0, reply: { run_id: first.reply.run_id } });
  expect(await run(2)).toMatchObject({ code: 2, reply: { errors: [{ code: "key-taken" }] } });
  expect(readFileSync(join(frond.directory, "ran"), "utf8")).toBe("1\n");
});
