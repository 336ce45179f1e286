import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";

const call = (id: string, more = ""): string =>
  `  - { id: ${id}, type: HttpCall, inputs: { url: "https://example.org", method: POST }${more} }\n`;
const plain = `name: flow\ndescription: Tells somebody\nblocks:\n  - { id: a, type: Shell, inputs: { command: ls } }\n${call("tell", ", depends_on: [a]")}`;

test("a model is told what can be undone before anything runs, shortly", async () => {
  const { call: callTool } = await connect(createFrond());
  const check = async (text: string): Promise<unknown> => {
    const { data } = await callTool("validate_workflow_yaml", { workflow_yaml: text });
    return { undo: data.undo, warnings: data.warnings.map(({ code }: { code: string }) => code) };
  };
  expect(await check(plain)).toEqual({ undo: { blocks: { irreversible: 2 } }, warnings: [] });
  const rolling = `${plain}${call("more", ", depends_on: [tell], commit_point: true")}on_failure: rollback\n`;
  expect(await check(rolling)).toEqual({
    undo: {
      blocks: { observed: 1, irreversible: 2 },
      irreversible: [
        {
          blocks: ["tell", "more"],
          why: "what a block of type HttpCall does is not recorded",
          fix: "Add `undo:` with a block that takes it back.",
        },
      ],
    },
    warnings: ["irreversible"],
  });
});

test("get_workflow_info tells it by block", async () => {
  const frond = createFrond({ "flow.yaml": `${plain}on_failure: rollback\n` });
  const { call: callTool } = await connect(frond);
  const { data } = await callTool("get_workflow_info", { workflow: "flow.yaml" });
  expect(data.blocks).toEqual([
    { id: "a", type: "Shell", wave: 0, undo: "observed", on_failure: "rollback" },
    { id: "tell", type: "HttpCall", wave: 1, undo: "irreversible", on_failure: "rollback", depends_on: ["a"] },
  ]);
  expect(data.undo).toBeUndefined();
});
