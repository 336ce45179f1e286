import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";

const page = readFileSync("docs/shell-values.md", "utf8");
const head = "name: from-the-documents\ndescription: Made whole by the test\n";

const [, table = ""] = /<!-- proved commands -->\n(.*)<!-- end of proved commands -->/s.exec(page) ?? [];
const rows = [...table.matchAll(/^\| `(.*?)` \| `(.*)` \| (accepted|refused) \|$/gm)].map(
  ([, declared = "", command = "", verdict = ""]) => ({ declared, command, verdict }),
);

test("the table of proved commands is read", () => {
  expect(rows.length).toBeGreaterThan(12);
  expect(new Set(rows.map(({ verdict }) => verdict))).toEqual(new Set(["accepted", "refused"]));
});

test.each(rows)("$declared: $command is $verdict, as docs/shell-values.md says", ({ declared, command, verdict }) => {
  const block = `blocks: [{ id: it, type: Shell, inputs: { command: ${JSON.stringify(command)} } }]\n`;
  const inputs = `inputs: { v: { description: d, ${declared} } }\n`;
  const { diagnostics } = createTestEngine().check(head + inputs + block);
  const levels = diagnostics.map(({ level }) => level).filter((level) => level !== "hint");
  expect(levels.length === 0).toBe(verdict === "accepted");
  if (verdict === "refused") expect(levels).toContain("error");
});

test("the workflow in docs/shell-values.md runs", async () => {
  const [, text = ""] = /```yaml\n(.*?)```/s.exec(page) ?? [];
  const { response } = await createTestEngine().run(`${head}${text}outputs:\n  said: "\${blocks.try.stdout}"\n`);
  expect(response.status).toBe("success");
  expect(response.outputs?.said).toMatch(/^python3\n\s*1\s+2\s+7\n$/);
});
