import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { type Connected, connect, eras, type Reply } from "../rig/mcp.ts";

/** What a call written as `name({...})` gives. */
function follow(call: string, { call: make }: Connected, more: object = {}): Promise<Reply> {
  const [, name = "", args = ""] = /^(\w+)\((.*)\)$/.exec(call) ?? [];
  return make(name, { ...JSON.parse(args), ...more });
}

const size = ({ data }: Reply): number => JSON.stringify(data).length;

const chatty = workflow("chatty", [shell("talk", "seq 1 60000"), shell("fail", "seq 1 60000 >&2; exit 3")], {
  outputs: { said: "${blocks.talk.stdout}" },
});

for (const era of eras) {
  test(`${era}: whatever a run gives, its reply stays small, and says the calls that fetch the rest`, async () => {
    const server = await connect(createFrond(), { era });
    const minimal = await server.call("execute_inline_workflow", { workflow_yaml: chatty });
    expect(size(minimal)).toBeLessThan(20_000);
    expect(minimal.data).toMatchObject({ status: "failure", failed_blocks: [{ block: "fail" }] });
    const { run_id: runId, truncated } = minimal.data;
    expect(truncated).toMatchObject([{ path: "outputs.said", get: expect.stringContaining('"include":["outputs"]') }]);

    let text = "";
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { data } = await follow(truncated[0].get, server, { offset });
      text += data.outputs_json;
      offset = data.next_offset;
    }
    const expected = Array.from({ length: 60_000 }, (_, index) => `${index + 1}\n`).join("");
    expect(JSON.parse(text).said.slice(0, 100_000)).toBe(expected.slice(0, 100_000));
    expect(JSON.parse(text).said.endsWith("59999\n60000\n")).toBe(true);

    const detailed = await server.call("get_run", { run_id: runId, include: ["blocks"] });
    expect(size(detailed)).toBeLessThan(80_000);
    expect(Object.keys(detailed.data.blocks)).toEqual(["talk", "fail"]);
    for (const { get } of detailed.data.truncated) expect(size(await follow(get, server))).toBeLessThan(80_000);
    const block = await server.call("get_run", { run_id: runId, path: "talk" });
    expect(size(block)).toBeLessThan(20_000);
    expect(block.data).toMatchObject({ block: "talk", metadata: { status: "completed" } });
  });

  test(`${era}: one block of a run is told in brief too, and its whole record by the call that the reply names`, async () => {
    const long = "x".repeat(30_000);
    const server = await connect(createFrond(), { era });
    const { data } = await server.call("execute_inline_workflow", {
      workflow_yaml: workflow("wordy", [shell("talk", `true '${long}'`)]),
    });
    const brief = await server.call("get_run", { run_id: data.run_id, path: "talk" });
    expect(size(brief)).toBeLessThan(20_000);
    const [{ path, get }] = brief.data.truncated;
    expect(path).toBe("inputs.command");
    expect((await follow(get, server)).data.inputs.command).toBe(`true '${long}'`);
  });

  test(`${era}: a page of a log costs little more than itself, and two things at once are read on each by its own call`, async () => {
    const server = await connect(createFrond(), { era });
    const { data } = await server.call("execute_inline_workflow", { workflow_yaml: chatty });
    const ask = { run_id: data.run_id, include: ["log"] };
    const first = await server.call("get_run", ask);
    expect(size(first) - first.data.log.length).toBeLessThan(25_000);
    const second = await server.call("get_run", { ...ask, offset: first.data.next_offset });
    expect(size(second)).toBeLessThan(20_000);
    expect(second.data).toMatchObject({ status: "failure", run_id: data.run_id });

    const both = await server.call("get_run", { ...ask, include: ["log", "events"] });
    expect(both.data).toMatchObject({ log: first.data.log, events: expect.any(Array) });
    expect(both.data.next_offset).toBeUndefined();
    const [, more = ""] = /(get_run\(\{.*?"log".*?\}\))/.exec(both.data.message) ?? [];
    expect((await follow(more, server)).data.log).toBe(second.data.log);
    expect(await server.call("get_run", { ...ask, include: ["log", "events"], offset: 1 })).toMatchObject({
      isError: true,
      data: { errors: [{ code: "which-offset", fix: expect.any(String) }] },
    });
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
      names.push(...page.data.workflows.map(({ name }: { name: string }) => name));
      cursor = page.data.next_cursor;
    }
    expect(names.filter((name) => /^w\d+$/.test(name))).toEqual(
      Array.from({ length: 150 }, (_, index) => `w${index + 100}`),
    );
  });
}
