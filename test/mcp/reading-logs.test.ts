import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { connect } from "../rig/mcp.ts";

/** A log of 5 MB with quotes, an error in its middle, and a value that needs escapes in JSON. */
const noisy = workflow(
  "noisy",
  [
    shell(
      "talk",
      "seq -f 'line %.0f of a \"build\" that says rather a lot' 1 50000; echo 'ERROR [core] it \"broke\"'; seq -f 'line %.0f of a \"build\" that says rather a lot' 50001 110000",
    ),
    shell("report", 'printf \'{"ok":\\n"yes"}\\n\''),
  ],
  { inputs: { secret_plan: { type: "string", description: "Is in no log", default: "unsaid" } } },
);

test("a log of 5 MB is read by tail, grep and pages, each for a few thousand characters, and nothing else is in the reply", async () => {
  const { call, client } = await connect(createFrond());
  const { data } = await call("execute_inline_workflow", { workflow_yaml: noisy });
  const { run_id } = data;
  const asked = { run_id, path: "talk", include: ["log"] };

  const end = await call("get_run", asked);
  expect(end.text).toMatch(
    /^\[log of talk in run_\w+ \(success\): 110,001 lines, 5,[\d,]+ bytes; here lines [\d,]+-110,001\. Before this: offset 0, or grep\.\]\nline \d+ of a "build"/,
  );
  expect(end.text.length).toBeGreaterThan(7_500);
  expect(end.text.length).toBeLessThan(8_300);
  expect(end.data, "no data, which some clients show instead of the text").toBeUndefined();
  for (const other of ["unsaid", "outputs", "inputs", '\\"']) expect(end.text).not.toContain(other);

  const tail = await call("get_run", { ...asked, tail: 2 });
  expect(tail.text.split("\n").slice(1)).toEqual([
    'line 109999 of a "build" that says rather a lot',
    'line 110000 of a "build" that says rather a lot',
    "",
  ]);
  const found = await call("get_run", { ...asked, grep: "[core]" });
  expect(found.text).toMatch(/; 1 line with "\[core\]"\.\]\n50001: ERROR \[core\] it "broke"\n$/);
  const pattern = await call("get_run", { ...asked, grep: "line (7|99)000 ", limit: 500 });
  expect(pattern.text).toMatch(/; 2 lines with .* as a pattern\.\]\n7000: line 7000 .*\n99001: line 99000 .*\n$/);
  const page = await call("get_run", { ...asked, offset: 0, limit: 100 });
  expect(page.text).toMatch(/here lines 1-2\. Read on: offset \d+\.\]\nline 1 of a "build"/);
  const [, offset] = /Read on: offset (\d+)/.exec(page.text) ?? [];
  expect((await call("get_run", { ...asked, offset: Number(offset), limit: 100 })).text).toContain("]\nline 3 of");
  const both = await call("get_run", { ...asked, offset: 0, tail: 1 });
  expect(both).toMatchObject({ isError: true, data: { errors: [{ code: "which-end" }] } });

  const block = await call("get_run", { run_id, path: "talk" });
  expect(block.text.length, "a look at the block is no dearer").toBeLessThan(8_000);
  expect(block.data.truncated).toMatchObject([{ get: expect.stringContaining('"field":"outputs.stdout"') }]);
  const { contents } = await client.readResource({ uri: `run://${run_id}/log` });
  expect(contents[0]).toMatchObject({
    text: expect.stringMatching(/^\[Lines \d+ to \d+ of \d+; read those before with/),
  });
});

test("one field of a record or of the outputs is read raw, in parts like a log", async () => {
  const { call } = await connect(createFrond());
  const { data } = await call("execute_inline_workflow", {
    workflow_yaml: workflow("fields", [shell("a", "seq 1 9; echo '\"quoted\"'")], {
      outputs: { report: "${blocks.a.stdout}", list: "${split(trim(blocks.a.stdout), '\\n')}" },
    }),
  });
  const { run_id } = data;
  const read = async (args: object): Promise<string> => (await call("get_run", { run_id, ...args })).text;
  expect(await read({ path: "a", field: "stdout" })).toBe(
    `[stdout of a in ${run_id} (success): 10 lines, 27 bytes.]\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"quoted"\n`,
  );
  expect(await read({ field: "outputs.report", tail: 1 })).toMatch(/here line 10\. .*\]\n"quoted"\n$/);
  expect(await read({ field: "report", grep: "quote" })).toMatch(/1 line with "quote"\.\]\n10: "quoted"\n$/);
  expect(await read({ field: "list" })).toMatch(/\]\n\["1","2".*\]$/);
  expect(await read({ path: "a", field: "metadata.outcome" })).toMatch(/\]\nsuccess$/);
  expect((await call("get_run", { run_id, path: "a", field: "sdtout" })).data.errors[0]).toMatchObject({
    code: "unknown-field",
    fix: "Did you mean 'stdout'?",
  });
});

test("the record of a block has nothing in it that was left to its default, and its output once", async () => {
  const { call } = await connect(createFrond());
  const { data } = await call("execute_inline_workflow", { workflow_yaml: workflow("brief", [shell("a", "echo hi")]) });
  const { data: block, text } = await call("get_run", { run_id: data.run_id, path: "a" });
  expect(block.inputs).toEqual({ command: "echo hi" });
  expect(text.split("hi\\n").length - 1).toBe(1);
  expect(text.length).toBeLessThan(500);
});
