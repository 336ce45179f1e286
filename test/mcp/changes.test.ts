import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";

const writing = `
name: writing
description: Writes two files
blocks:
  - { id: one, type: CreateFile, inputs: { path: notes, content: "new\\n", overwrite: true } }
  - { id: two, type: CreateFile, inputs: { path: made/list, content: "a\\nb\\n" } }
`;

test("get_run tells what a run changed, with diffs, of one block as well, and in parts", async () => {
  const frond = createFrond({ notes: "old\n" });
  const { call } = await connect(frond);
  const { data } = await call("execute_inline_workflow", { workflow_yaml: writing });
  const { run_id } = data;
  const { text } = await call("get_run", { run_id, include: ["changes"] });
  const [head, ...lines] = text.split("\n");
  expect(head).toMatch(new RegExp(`^\\[changes of ${run_id} \\(success\\): .*\\]$`));
  expect(lines.slice(0, 3)).toEqual([
    "created made/ by two",
    "created made/list (+2 -0) by two",
    "edited notes (+1 -1) by one",
  ]);
  expect(text).toContain("--- a/notes\n+++ b/notes\n@@ -1 +1 @@\n-old\n+new\n");
  const { text: own } = await call("get_run", { run_id, path: "one", include: ["changes"] });
  expect(own).not.toContain("made/list");
  const { text: part } = await call("get_run", { run_id, include: ["changes"], limit: 60 });
  const [, offset] = /Read on: offset (\d+)/.exec(part) ?? [];
  const { text: rest } = await call("get_run", { run_id, include: ["changes"], offset: Number(offset) });
  const body = (page: string): string => page.slice(page.indexOf("]\n") + 2);
  expect(body(part) + body(rest)).toBe(body(text));
  const { text: found } = await call("get_run", { run_id, include: ["changes"], grep: "^edited" });
  expect(body(found)).toContain("edited notes");
  expect(body(found)).not.toContain("created");
});

test("a file that holds a secret is told without what it holds", async () => {
  const frond = createFrond();
  const { call } = await connect(frond, { env: { FROND_SECRET_TOKEN: "hush-hush-hush" } });
  const { data } = await call("execute_inline_workflow", {
    workflow_yaml: `
name: secretive
description: Writes a secret
blocks:
  - { id: one, type: Shell, inputs: { command: 'echo "of $TOKEN" > token', env: { TOKEN: "\${secrets.TOKEN}" } } }
  - id: two
    type: EditFile
    depends_on: [one]
    inputs: { path: token, operations: [{ type: replace_text, old_text: "of ", new_text: "" }] }
`,
  });
  const { text } = await call("get_run", { run_id: data.run_id, include: ["changes"] });
  expect(frond.read("token")).toBe("hush-hush-hush\n");
  expect(text).toContain("edited token (no diff: not kept) by two");
  expect(text).not.toContain("hush-hush-hush");
});
