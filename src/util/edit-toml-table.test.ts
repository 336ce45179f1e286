import { expect, test } from "vitest";
import { editTomlTable } from "./edit-toml-table.ts";

const table = '[servers.frond]\ncommand = "frond"\nargs = ["serve"]\n';

test("a table is added at the end, and everything else stays as it is", () => {
  const text = '# mine\nmodel = "o"\n\n[servers.other]\ncommand = "x" # [servers.frond]\n';
  expect(editTomlTable(text, table)).toEqual({ ok: true, value: { state: "absent", text: `${text}\n${table}` } });
});

test("a table that is there is found, however its name is written", () => {
  for (const head of ["[servers.frond]", '[ servers . "frond" ] # mine', "[servers.'frond']"]) {
    const text = `a = 1\n${head}\ncommand = "other"\n\n# of env\n[servers.frond.env]\nA = "1"\n`;
    expect(editTomlTable(text, table)).toEqual({
      ok: true,
      value: { state: "different", text: `a = 1\n${table}\n# of env\n[servers.frond.env]\nA = "1"\n` },
    });
  }
});

test("the same table with other blanks is the same", () => {
  const text = `a = 1\r\n\r\n${table.replaceAll("\n", "\r\n")}\r\n[b]\r\n`;
  expect(editTomlTable(text, table)).toMatchObject({ value: { state: "same", text } });
});

test.each([
  ["servers = { frond = { command = 'x' } }"],
  ["servers.frond = { command = 'x' }"],
  ['[servers]\nfrond.command = "x"'],
])("%s is not changed, because the table would be there twice", (text) => {
  expect(editTomlTable(text, table)).toEqual({
    ok: false,
    error: "it names servers.frond in a form that can't be changed",
  });
});
