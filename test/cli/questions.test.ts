import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { loseRun } from "../rig/lose-run.ts";
import { openTerminal } from "../rig/terminal-screen.ts";
import { waitFor } from "../rig/wait-for.ts";

const [enter, down, right, escapeKey] = ["\r", "\u001b[B", "\u001b[C", "\u001b"];

/** Goes on until the test has seen what it wants to see. */
const waiting = "echo begun; until [ -e go ]; do sleep 0.05; done";

function ask(id: string, inputs: object, more: object = {}): object {
  return { id, type: "Prompt", inputs: { prompt: "Deploy?", ...inputs }, ...more };
}

const approval = ask("approve", { audience: "human", choices: ["yes", "no"] });

test("a question is asked the moment it is open, while other blocks go on, below the tree with what has failed", async () => {
  const blocks = [
    shell("slow", waiting),
    shell("bad", "echo 'the reason' >&2; exit 3"),
    approval,
    shell("deploy", "echo 'deploying now'; touch deployed", {
      depends_on: ["approve"],
      condition: "${blocks.approve.response} == 'yes'",
    }),
  ];
  const frond = createFrond({ "release.yaml": workflow("release", blocks) });
  const terminal = await openTerminal(frond, { columns: 60, rows: 20 });
  terminal.enter("frond run release.yaml");
  await terminal.until((rows) => {
    const asked = rows.findIndex((row) => row.startsWith("? approve asks"));
    const above = rows.slice(0, Math.max(asked, 0));
    return [/✗ bad .*the reason/, /slow .*begun/].every((told) => above.some((row) => told.test(row)));
  });
  terminal.type(enter);
  await terminal.until("Nothing is chosen yet.");
  terminal.type(`${down}${enter}`);
  // What waits for the answer goes on, though the slow one still runs.
  await waitFor("the deployment", () => existsSync(join(frond.directory, "deployed")));
  expect(terminal.rows().some((row) => /slow .*begun/.test(row))).toBe(true);
  frond.write("go", "");
  expect(await terminal.prompted()).toBe(1);
  expect(terminal.history().join("\n")).toContain("answered approve: yes");
});

test("a question with an object schema is a form; what does not fit is said below it", async () => {
  const schema = {
    type: "object",
    required: ["name", "region"],
    properties: {
      name: { type: "string", minLength: 2, description: "Of the service" },
      replicas: { type: "integer", minimum: 1, default: 3 },
      region: { enum: ["eu", "us"] },
    },
  };
  const outputs = { answer: { value: "${blocks.config.response}" } };
  const frond = createFrond({ "form.yaml": workflow("form", [ask("config", { schema })], { outputs }) });
  const terminal = await openTerminal(frond);
  terminal.enter("frond run form.yaml");
  await terminal.until("○ eu  ○ us");
  await terminal.until("Of the service");
  terminal.type(`x${enter}`);
  await terminal.until("❯ replicas");
  terminal.type(`0${enter}`);
  await terminal.until("❯ region");
  terminal.type(`${right}${enter}`);
  await terminal.until(/answer\.name does not fit/);
  await terminal.until("❯ name");
  terminal.type(`y${down}\u007f5${down}${enter}`);
  expect(await terminal.prompted()).toBe(0);
  expect((await frond.json(["show", "last"])).reply).toMatchObject({
    outputs: { answer: { name: "xy", replicas: 5, region: "eu" } },
  });
});

test("after a crash all interrupted blocks are asked about on one screen", async () => {
  const blocks = ["migrate", "upload", "notify"].map((id) => shell(id, `touch ${id}-begun; ${waiting}`));
  const frond = createFrond({ "lost.yaml": workflow("lost", blocks) });
  const runId = await loseRun(frond, "lost.yaml", 3);
  frond.write("go", "");
  const terminal = await openTerminal(frond);
  terminal.enter(`frond resume ${runId}`);
  await terminal.until("? 3 blocks were running when Frond ended");
  for (const id of ["migrate", "upload", "notify"]) {
    expect(terminal.rows()).toContainEqual(expect.stringMatching(`${id} +○ rerun  ○ done  ○ fail`));
  }
  // For all of them to be run again, but one, which is to fail.
  terminal.type(`${right}${down}${down}f${down}${enter}`);
  expect(await terminal.prompted()).toBe(1);
  const { reply } = await frond.json(["show", runId]);
  expect(reply).toMatchObject({
    blocks: {
      migrate: { metadata: { outcome: "success", attempts: 2 } },
      upload: { metadata: { status: "failed", attempts: 1 } },
      notify: { metadata: { outcome: "success", attempts: 2 } },
    },
  });
});

test("what was typed before a question is shown does not answer it", async () => {
  const frond = createFrond({
    "late.yaml": workflow("late", [shell("first", waiting), { ...ask("sure", {}), depends_on: ["first"] }]),
  });
  const terminal = await openTerminal(frond);
  terminal.enter("frond run late.yaml");
  await terminal.until("begun");
  terminal.type(`yes${enter}${enter}`);
  // The terminal echoes what nobody reads.
  await terminal.until("yes");
  frond.write("go", "");
  await terminal.until("? sure asks");
  terminal.type(`no${enter}`);
  expect(await terminal.prompted()).toBe(0);
  expect((await frond.json(["show", "last", "sure"])).reply).toMatchObject({ outputs: { response: "no" } });
});

test("Esc leaves a question for later: the run goes on, the next is asked, and it ends as paused", async () => {
  const blocks = [shell("slow", waiting), ask("one", {}), ask("two", {})];
  const frond = createFrond({ "two.yaml": workflow("two", blocks) });
  const terminal = await openTerminal(frond);
  terminal.enter("frond run two.yaml");
  await terminal.until("? one asks");
  terminal.type(escapeKey);
  await terminal.until("? two asks");
  terminal.type(`now${enter}`);
  await terminal.until("answered two: now");
  frond.write("go", "");
  expect(await terminal.prompted()).toBe(3);
  expect((await frond.json(["checkpoints"])).reply).toMatchObject({ checkpoints: [{ paused_block_id: "one" }] });
});

test("Ctrl-C at a question cancels the run while blocks go on, and says so before", async () => {
  const frond = createFrond({ "w.yaml": workflow("w", [shell("slow", waiting), approval]) });
  const terminal = await openTerminal(frond);
  const modes = terminal.modes();
  terminal.enter("frond run w.yaml");
  await terminal.until("Ctrl-C cancels the run");
  terminal.type("\u0003");
  expect(await terminal.prompted()).toBe(130);
  expect(terminal.modes()).toBe(modes);
  expect(terminal.hasCursor()).toBe(true);
  expect((await frond.json(["show", "last"])).reply).toMatchObject({ cancelled: true });
});

test("a text that is longer than the screen can be read: it is written above, and its end stays with the choices", async () => {
  const prompt = [...Array.from({ length: 40 }, (_, index) => `change ${index + 1}`), "Deploy?"].join("\n");
  const frond = createFrond({ "long.yaml": workflow("long", [ask("approve", { prompt, choices: ["yes", "no"] })]) });
  const terminal = await openTerminal(frond, { columns: 60, rows: 20 });
  terminal.enter("frond run long.yaml");
  await terminal.until("? approve asks");
  const history = terminal.history();
  expect(history.filter((row) => /^ {2}change \d+$/.test(row))).toHaveLength(40);
  expect(terminal.rows()).toContain("  Deploy?");
  terminal.type(`y${enter}`);
  expect(await terminal.prompted()).toBe(0);
});
