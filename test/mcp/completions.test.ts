import type { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { connect, eras } from "../rig/mcp.ts";

type Reference = Parameters<Client["complete"]>[0]["ref"];

const help: Reference = { type: "ref/prompt", name: "workflow_help" };
const workflowText: Reference = { type: "ref/resource", uri: "workflow://{name}" };

for (const era of eras) {
  test(`${era}: names of workflows and ids of runs are completed`, async () => {
    const { client, call } = await connect(createFrond(), { era });
    const { data: run } = await call("execute_workflow", { workflow: "hello-world" });
    const complete = async (ref: Reference, name: string, value: string): Promise<readonly string[]> =>
      (await client.complete({ ref, argument: { name, value } })).completion.values;
    expect(await complete(help, "workflow_name", "hel")).toEqual(["hello-world"]);
    expect(await complete(help, "workflow_name", "world")).toEqual(["hello-world"]);
    expect(await complete(help, "workflow_name", "nothing")).toEqual([]);
    expect(await complete(workflowText, "name", "")).toContain("hello-world");
    for (const uri of ["run://{id}", "run://{id}/log"]) {
      expect(await complete({ type: "ref/resource", uri }, "id", run.run_id.slice(0, 8))).toEqual([run.run_id]);
      expect(await complete({ type: "ref/resource", uri }, "id", "run_!")).toEqual([]);
    }
    expect(await complete({ type: "ref/prompt", name: "author_workflow" }, "goal", "a")).toEqual([]);
    await expect(complete({ type: "ref/resource", uri: "run://{ids}" }, "id", "")).rejects.toThrow(
      "Did you mean 'run://{id}'?",
    );
  });
}

test("at most 100 values are given, with how many there are", async () => {
  const names = Array.from({ length: 130 }, (_, index) => `sheet-${String(index).padStart(3, "0")}`);
  const files = names.map((name) => [`${name}.yaml`, workflow(name, [shell("one", "true")])]);
  const frond = createFrond(Object.fromEntries(files));
  const { client } = await connect(frond, { env: { WORKFLOWS_TEMPLATE_PATHS: frond.directory } });
  const argument = { name: "workflow_name", value: "sheet" };
  const { completion } = await client.complete({ ref: help, argument });
  expect(completion).toEqual({ values: names.slice(0, 100), total: 130, hasMore: true });
});
