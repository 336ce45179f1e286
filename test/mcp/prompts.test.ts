import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { type Connected, connect, eras, shareServer } from "../rig/mcp.ts";

async function prompt({ client }: Connected, name: string, args: Readonly<Record<string, string>>): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: { ...args } });
  const [message] = messages;
  if (message?.content.type !== "text") throw new Error("A prompt is a text.");
  return message.content.text;
}

for (const era of eras) {
  const shared = shareServer({ era });

  test(`${era}: workflow_help has a call that runs the workflow as it is`, async () => {
    const connected = shared();
    const text = await prompt(connected, "workflow_help", { workflow_name: "hello-world" });
    expect(text).toContain('- `name` (string, default "world"): Whom to greet');
    expect(text).toContain("It can touch: commands, network, reads files, writes files.");
    const [, example = ""] = /execute_workflow with:\s+```json\n(.*?)```/s.exec(text) ?? [];
    expect((await connected.call("execute_workflow", JSON.parse(example))).data.status).toBe("success");
  });

  test(`${era}: a prompt that is not there, or lacks an argument, says what to do`, async () => {
    const { client } = shared();
    for (const [name, args, message] of [
      ["workflow_hlp", {}, "There is no prompt 'workflow_hlp'. Did you mean 'workflow_help'?"],
      ["workflow_help", {}, "workflow_help needs the argument 'workflow_name': Name of the workflow."],
      ["workflow_help", { workflow_name: "hello-wrld" }, "Did you mean 'hello-world'?"],
    ] as const) {
      await expect(client.getPrompt({ name, arguments: args })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(message),
      });
    }
  });
}

test("author_workflow has the goal and the page on the language, and no call that the server does not have", async () => {
  const connected = await connect(createFrond(), { args: ["--no-inline"] });
  const text = await prompt(connected, "author_workflow", { goal: "Anything at all" });
  expect(text).toContain("Anything at all");
  const { text: page } = await connected.call("get_workflow_schema");
  expect(text).toContain(page.slice(page.indexOf("## A workflow file")));
  for (const call of ["execute_inline_workflow", "save_workflow", "rerun_workflow"]) expect(text).not.toContain(call);
});
