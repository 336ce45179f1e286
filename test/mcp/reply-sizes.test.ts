import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { type Connected, connect, oldEra, type Reply, shareServer } from "../rig/mcp.ts";

/** What a call written as `name({...})` gives. */
function follow(call: string, { call: make }: Connected, more: object = {}): Promise<Reply> {
  const [, name = "", args = ""] = /^(\w+)\((.*)\)$/.exec(call) ?? [];
  return make(name, { ...JSON.parse(args), ...more });
}

/** A text of several pages, none of which is longer than a reply may be. */
async function readOn(call: string, server: Connected): Promise<string> {
  let text = "";
  for (let offset: string | undefined = "0"; offset !== undefined; ) {
    const reply: Reply = await follow(call, server, { offset: Number(offset), limit: 30_000 });
    const [header = ""] = /^\[.*\]\n/.exec(reply.text) ?? [];
    const rest = reply.text.slice(header.length);
    expect(rest.length).toBeLessThanOrEqual(30_000);
    text += rest;
    offset = /Read on: offset (\d+)/.exec(header)?.[1];
  }
  return text;
}

const size = ({ text }: Reply): number => text.length;

const chatty = workflow("chatty", [shell("talk", "seq 1 60000"), shell("fail", "seq 1 60000 >&2; exit 3")], {
  outputs: { said: "${blocks.talk.stdout}" },
});

for (const era of oldEra) {
  const shared = shareServer({ era });

  test(`${era}: whatever a run gives, its reply stays small, and says the calls that fetch the rest`, async () => {
    const server = shared();
    const minimal = await server.call("execute_inline_workflow", { workflow_yaml: chatty });
    expect(size(minimal)).toBeLessThan(20_000);
    expect(minimal.data).toMatchObject({ status: "failure", failed_blocks: [{ block: "fail" }] });
    const { run_id: runId, truncated } = minimal.data;
    expect(truncated).toMatchObject([{ path: "outputs.said", get: expect.stringContaining('"field":"outputs.said"') }]);

    const text = await readOn(truncated[0].get, server);
    const expected = Array.from({ length: 60_000 }, (_, index) => `${index + 1}\n`).join("");
    expect(text.slice(0, 100_000)).toBe(expected.slice(0, 100_000));
    expect(text.endsWith("59999\n60000\n")).toBe(true);
    const all = `get_run(${JSON.stringify({ run_id: runId, include: ["outputs"] })})`;
    expect(JSON.parse(await readOn(all, server)).said).toBe(text);

    const detailed = await server.call("get_run", { run_id: runId, include: ["blocks"] });
    expect(size(detailed)).toBeLessThan(40_000);
    expect(Object.keys(detailed.data.blocks)).toEqual(["talk", "fail"]);
    for (const { get } of detailed.data.truncated) expect(size(await follow(get, server))).toBeLessThan(40_000);
    const block = await server.call("get_run", { run_id: runId, path: "talk" });
    expect(size(block)).toBeLessThan(20_000);
    expect(block.data).toMatchObject({ block: "talk", metadata: { status: "completed" } });
  });

  test(`${era}: one block of a run is told in brief too, and its whole record by the call that the reply names`, async () => {
    const long = '"quoted" '.repeat(5_000);
    const server = shared();
    const { data } = await server.call("execute_inline_workflow", {
      workflow_yaml: workflow("wordy", [shell("talk", `true '${long}'`)]),
    });
    const brief = await server.call("get_run", { run_id: data.run_id, path: "talk" });
    expect(size(brief)).toBeLessThan(20_000);
    const [{ path, get }] = brief.data.truncated;
    expect(path).toBe("inputs.command");
    expect(await readOn(get, server)).toBe(`true '${long}'`);
  });

  test(`${era}: whatever was written is read page by page to the last character, and two things at once each by its own call`, async () => {
    const server = shared();
    const red = "\u001b[31m";
    const colourful = workflow("colourful", [shell("talk", "for i in $(seq 20000); do printf '\\033[31m'; done")]);
    const { data } = await server.call("execute_inline_workflow", { workflow_yaml: colourful });
    const call = `get_run(${JSON.stringify({ run_id: data.run_id, include: ["log"] })})`;
    expect(await readOn(call, server)).toBe(red.repeat(20_000));

    const both = await follow(call, server, { include: ["log", "events"] });
    expect(size(both)).toBeLessThan(20_000);
    expect(both.text).toMatch(/^\{"status":"success".*"events":\[.*\n\[log of run_.*\]\n/);
    expect(await follow(call, server, { include: ["log", "events"], offset: 1 })).toMatchObject({
      isError: true,
      data: { errors: [{ code: "which-offset", fix: expect.any(String) }] },
    });
  });

  test(`${era}: whatever is asked for together is there together, and what there is not is refused`, async () => {
    const server = shared();
    const brief = workflow("brief", [shell("a", "echo hi")], { outputs: { said: "${blocks.a.stdout}" } });
    const [{ data: short }, { data: long }] = [
      await server.call("execute_inline_workflow", { workflow_yaml: brief }),
      await server.call("execute_inline_workflow", { workflow_yaml: chatty }),
    ];
    const both = await server.call("get_run", { run_id: short.run_id, include: ["outputs", "log"] });
    expect(both.text).toMatch(
      /"outputs":\{"said":"hi\\n"\}\}\n\[log of run_\w+ \(success\): 1 line, 3 bytes\.\]\nhi\n$/,
    );
    const paged = await server.call("get_run", { run_id: long.run_id, include: ["outputs", "blocks"] });
    expect(paged.text).toMatch(/"blocks":\{"talk":.*\n\[outputs of run_/);
    expect(size(paged)).toBeLessThan(40_000);
    for (const include of ["blocks", "outputs", "log", "events", "record"]) {
      const refused = await server.call("get_run", { run_id: short.run_id, path: "b", include: [include] });
      expect(refused, include).toMatchObject({ isError: true, data: { errors: [{ code: "unknown-block" }] } });
    }
  });

  test(`${era}: a question of any length can be read`, async () => {
    const server = shared();
    const question = "Is this right? ".repeat(5_000);
    const asking = workflow("asking", [{ id: "ask", type: "Prompt", inputs: { prompt: question } }]);
    const { data } = await server.call("execute_inline_workflow", { workflow_yaml: asking });
    const [first] = data.truncated;
    const { data: info } = await follow(first.get, server);
    const [{ path, get }] = info.truncated;
    expect(path).toBe("pause_prompt");
    expect(JSON.parse(await readOn(get, server)).inputs.prompt).toBe(question);
  });

  test(`${era}: a page of a list ends where the reply is full, and the next one begins there`, async () => {
    const frond = createFrond();
    const directory = "../home/.frond/workflows";
    for (let index = 100; index < 250; index += 1) {
      const more = { description: `Does ${"very ".repeat(60)}little` };
      frond.write(`${directory}/w${index}.yaml`, workflow(`w${index}`, [shell("a", "true")], more));
    }
    const server = await connect(frond, { era });
    const names: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = await server.call("list_workflows", { limit: 500, ...(cursor === undefined ? {} : { cursor }) });
      expect(size(page)).toBeLessThan(20_000);
      for (const some of Object.values(page.data.workflows)) names.push(...Object.keys(some as object));
      cursor = page.data.next_cursor;
    }
    expect(names.filter((name) => /^w\d+$/.test(name))).toEqual(
      Array.from({ length: 150 }, (_, index) => `w${index + 100}`),
    );
  });
}
