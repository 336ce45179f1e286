import { join } from "node:path";
import { expect, test } from "vitest";
import { beforeMigrate, counting, failingCommand, fromMigrate, release, takeRan } from "../rig/counting.ts";
import { createFrond, workflow } from "../rig/frond.ts";
import { type Connected, connect } from "../rig/mcp.ts";

const file = ".frond/workflows/release.yaml";
const broken = release(failingCommand);
const fixed = release("true");

async function nameParameters({ client }: Connected): Promise<readonly string[]> {
  const tool = (await client.listTools()).tools.find(({ name }) => name === "rerun_workflow");
  return Object.keys(tool?.inputSchema.properties ?? {});
}

test("a model goes on after a fix: of twelve blocks four run, with the text it gives or once a person trusts the file", async () => {
  const frond = createFrond({ [file]: broken });
  await frond.run(["trust"]);
  const { call } = await connect(frond);
  const failed = await call("execute_workflow", { workflow: "release" });
  expect(failed).toMatchObject({ isError: true, data: { status: "failure", failed_blocks: [{ block: "migrate" }] } });
  const run_id = failed.data.run_id as string;
  expect(takeRan(frond)).toEqual([...beforeMigrate, "migrate"]);

  frond.write(file, fixed);
  const refused = await call("rerun_workflow", { run_id });
  expect(refused).toMatchObject({ isError: true, data: { errors: [{ code: "untrusted-workflow" }] } });
  const { fix } = refused.data.errors[0];
  expect(fix).toContain(`rerun_workflow(${JSON.stringify({ run_id, workflow_yaml: "..." })})`);
  expect(takeRan(frond)).toEqual([]);

  const given = await call("rerun_workflow", { run_id, workflow_yaml: fixed });
  expect(given.data).toMatchObject({
    status: "success",
    rerun_of: run_id,
    reused: beforeMigrate,
    not_reused: { migrate: "It failed before.", smoke: "It was skipped before." },
  });
  expect(takeRan(frond)).toEqual(fromMigrate);

  expect(fix).toContain(` frond trust ${frond.directory}\``);
  await frond.run(["trust", frond.directory]);
  const trusted = await call("rerun_workflow", { run_id });
  expect(trusted.data).toMatchObject({ status: "success", rerun_of: run_id, reused: beforeMigrate });
  expect(trusted.data.message).toContain(join(frond.directory, file));
  expect(takeRan(frond)).toEqual(fromMigrate);
});

const deployFile = ".frond/workflows/deploy.yaml";

/** What is deployed after a person has agreed. */
function deploy(command: string): string {
  const approve = {
    id: "approve",
    type: "Prompt",
    inputs: { prompt: "Deploy to ${inputs.target}?", audience: "human" },
  };
  return workflow(
    "deploy",
    [counting("build"), { ...approve, depends_on: ["build"] }, counting("ship", command, { depends_on: ["approve"] })],
    { inputs: { target: { type: "string", description: "Where to", default: "staging" } } },
  );
}

const whenReady = "test -e ready";

test("a person's yes counts for the text and the inputs it was given for, and --no-inline leaves no way around it", async () => {
  const frond = createFrond({ [deployFile]: deploy(whenReady) });
  await frond.run(["trust"]);
  const server = await connect(frond, { args: ["--no-inline"] });
  const asked = await server.call("execute_workflow", { workflow: "deploy" });
  expect(asked.data).toMatchObject({ status: "paused", prompt: "Deploy to staging?" });
  const run_id = asked.data.run_id as string;
  const person = frond.startInTerminal(["resume", asked.data.checkpoint_id as string]);
  await person.until("? approve asks");
  person.type("y\r");
  expect((await person.ended).stdout).toContain(": ship failed");
  expect(takeRan(frond)).toEqual(["build", "ship"]);

  const again = { status: "paused", rerun_of: run_id, message: expect.stringContaining("only a person may answer") };
  const otherInputs = await server.call("rerun_workflow", { run_id, inputs: { target: "production" } });
  expect(otherInputs.data).toMatchObject(again);
  expect(otherInputs.data.not_reused).toEqual({ approve: "inputs.target has changed." });
  frond.write(deployFile, deploy(`${whenReady}; true`));
  expect((await server.call("rerun_workflow", { run_id })).data.errors).toMatchObject([
    { code: "untrusted-workflow", fix: expect.not.stringContaining("workflow_yaml") },
  ]);
  await frond.run(["trust"]);
  const otherText = await server.call("rerun_workflow", { run_id });
  expect(otherText.data).toMatchObject(again);
  expect(otherText.data.not_reused).toEqual({ approve: "A person answered it for another text or other inputs." });
  expect(await nameParameters(server)).not.toContain("workflow_yaml");
  const smuggled = await server.call("rerun_workflow", { run_id, workflow_yaml: deploy("true") });
  expect(smuggled).toMatchObject({ isError: true });
  expect(takeRan(frond)).toEqual([]);

  frond.write(deployFile, deploy(whenReady));
  await frond.run(["trust"]);
  frond.write("ready", "");
  const { data } = await server.call("rerun_workflow", { run_id });
  expect(data).toMatchObject({
    status: "success",
    reused: ["build", "approve"],
    not_reused: { ship: "It failed before." },
  });
  expect(takeRan(frond)).toEqual(["ship"]);
});

test("a text that came inline, or from a file of no library, is run again only where texts may be given", async () => {
  const frond = createFrond({ "release.yaml": broken });
  const open = await connect(frond);
  const inline = (await open.call("execute_inline_workflow", { workflow_yaml: broken })).data.run_id as string;
  const { reply } = await frond.json(["run", "release.yaml"]);
  const named = (reply as { run_id: string }).run_id;
  expect(takeRan(frond)).toHaveLength(18);

  const closed = await connect(frond, { args: ["--no-inline"] });
  for (const run_id of [inline, named]) {
    const { data } = await closed.call("rerun_workflow", { run_id });
    expect(data.errors).toMatchObject([{ code: "text-forbidden" }]);
  }
  expect(takeRan(frond)).toEqual([]);

  for (const run_id of [inline, named]) {
    const { data } = await open.call("rerun_workflow", { run_id });
    expect(data).toMatchObject({ status: "failure", reused: beforeMigrate });
    expect(takeRan(frond)).toEqual(["migrate"]);
  }
  frond.write("release.yaml", fixed);
  const refused = await open.call("rerun_workflow", { run_id: named });
  expect(refused.data.errors).toMatchObject([
    { code: "text-unknown", fix: expect.stringContaining(`"workflow_yaml":"..."`) },
  ]);
  expect(takeRan(frond)).toEqual([]);
  for (const run_id of [inline, named]) {
    const { data } = await open.call("rerun_workflow", { run_id, workflow_yaml: fixed });
    expect(data).toMatchObject({ status: "success", reused: beforeMigrate });
    expect(takeRan(frond)).toEqual(fromMigrate);
  }
});
