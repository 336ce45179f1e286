import { basename } from "node:path";
import { expect, test } from "vitest";
import { filesSaying, folderOf, sources } from "../doors/sources.ts";
import { adviceIn, follow } from "../rig/follow-advice.ts";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { literalCalls } from "../rig/literal-calls.ts";
import { connect } from "../rig/mcp.ts";
import { commandsIn, typeCommand } from "../rig/person.ts";

const asking = workflow("asking", [{ id: "way", type: "Prompt", inputs: { prompt: "Which?", choices: ["a", "b"] } }]);
const approving = asking.replace('"prompt"', '"audience": "human", "prompt"');
const inline = "execute_inline_workflow";

/** What names calls beside advice and next steps, by the file that says it. */
const situations: Readonly<Record<string, () => Promise<void>>> = {
  "cancel-run": async () => {
    const server = await connect(createFrond());
    const { run_id } = (await server.call(inline, { workflow_yaml: asking })).data;
    const [look, rerun] = literalCalls(adviceIn(await server.call("cancel_run", { run_id })));
    expect((await server.call(look?.tool ?? "", look?.args)).data).toMatchObject({ cancelled: true });
    expect((await server.call(rerun?.tool ?? "", rerun?.args)).data).toMatchObject({ status: "paused" });
  },
  "get-checkpoint-info": async () => {
    const server = await connect(createFrond());
    const { checkpoint_id } = (await server.call(inline, { workflow_yaml: asking })).data;
    const unknown = await server.call("get_checkpoint_info", { checkpoint_id: `${checkpoint_id}0` });
    expect((await follow(unknown, server)).checkpoints).toMatchObject([{ checkpoint_id }]);
    const found = await server.call("get_checkpoint_info", { checkpoint_id });
    expect(await follow(found, server)).toMatchObject({ status: "success" });
  },
  // Where the test lies beside its workflow, a person has to trust it first.
  "test-workflow": async () => {
    const frond = createFrond({ ".frond/workflows/mine.yaml": workflow("mine", [shell("a", "true")]) });
    await frond.run(["trust"]);
    const server = await connect(frond, { args: ["--no-inline"] });
    const untested = await server.call("test_workflow", { workflow: "mine" });
    const [, text = "", file = ""] = /Write ("(?:[^"\\]|\\.)*") to (\S+)\. /.exec(adviceIn(untested)) ?? [];
    frond.write(file, JSON.parse(text) as string);
    for (const command of commandsIn(adviceIn(untested))) await typeCommand(frond, command);
    expect(await follow(untested, server)).toMatchObject({ status: "success" });
  },
  "undo-run": async () => {
    const frond = createFrond();
    const server = await connect(frond);
    const make = workflow("make", [{ id: "make", type: "CreateFile", inputs: { path: "made", content: "text" } }]);
    const { run_id } = (await server.call(inline, { workflow_yaml: make })).data;
    const [look] = literalCalls(adviceIn(await server.call("undo_run", { run_id, plan: true })));
    expect((await server.call(look?.tool ?? "", look?.args)).text).toContain("created made");
    await server.call("undo_run", { run_id });
    const [redo] = literalCalls(adviceIn(await server.call("undo_run", { run_id })));
    expect((await server.call(redo?.tool ?? "", redo?.args)).data).toMatchObject({ status: "success" });
    expect(frond.read("made")).toBe("text");
  },
  // A run that waits is not ended by a rerun of it.
  "rerun-workflow": async () => {
    const server = await connect(createFrond());
    const { run_id } = (await server.call(inline, { workflow_yaml: asking })).data;
    const [cancel] = literalCalls(adviceIn(await server.call("rerun_workflow", { run_id })));
    expect(cancel).toMatchObject({ tool: "cancel_run", args: { run_id } });
    expect((await server.call("cancel_run", cancel?.args)).data).toMatchObject({ status: "failure" });
    const [next] = literalCalls(adviceIn(await server.call("rerun_workflow", { run_id })));
    expect(next?.tool).toBe("resume_workflow");
  },
  // A person who has declined is asked again.
  rounds: async () => {
    let asked = 0;
    const answer = () => (++asked === 1 ? ({ action: "decline" } as const) : accepted);
    const server = await connect(createFrond(), { answer });
    expect(await follow(await server.call(inline, { workflow_yaml: approving }), server)).toMatchObject({
      status: "success",
    });
  },
  // A form that is open longer than the call waits.
  "ask-in-call": async () => {
    let say = (): void => {};
    const answer = () =>
      new Promise<typeof accepted>((resolve) => {
        say = () => resolve(accepted);
      });
    const server = await connect(createFrond(), { answer });
    const open = await server.call(inline, { workflow_yaml: approving, wait_seconds: 1 });
    const waiting = follow(open, server);
    say();
    expect(await waiting).toMatchObject({ status: "success" });
  },
};

const accepted = { action: "accept", content: { answer: "a" } } as const;

/** Tried by the tests of advice, of long replies, of resources, of lists and of saving. */
const triedElsewhere = "call-text next-calls word-advice fit-reply read-resource list-workflows save-workflow".split(
  " ",
);

test("every file that names calls has them tried", () => {
  const inServer = sources.filter((file) => folderOf(file) === "mcp" && !file.includes("/prompts/"));
  const saying = filesSaying(/\bcallText\(|\b[a-z]+_[a-z_]+\(\$\{JSON\.stringify/, inServer);
  expect(saying.map((file) => basename(file, ".ts")).sort()).toEqual(
    [...triedElsewhere, ...Object.keys(situations)].sort(),
  );
});

test.each(Object.entries(situations))("the calls that %s names can be made, literally", async (_, tryIt) => {
  await tryIt();
});
