import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { suggestCommand } from "./suggest-command.ts";

/** docs/cli.md is made of the commands that there are. */
const page = readFileSync("docs/cli.md", "utf8");
const known = [...page.matchAll(/^## frond ([a-z-]+)$/gm)].map(([, name]) => name as string);

test.each([
  ["retry", "`frond rerun RUN`"],
  ["stop", "`frond cancel RUN`"],
  ["status", "`frond show RUN`"],
  ["cron", "`frond schedule NAME '0 3 * * *'` has cron"],
  ["delete", "A workflow goes with its file."],
  ["create", "`frond save FILE`"],
  ["rollback", "`frond undo RUN` takes back what a run did"],
  ["redo", "`frond undo RUN` of a run that undid another"],
  ["pause", "No command pauses a run"],
  ["fg", "`frond attach RUN`"],
  ["background", "`frond run NAME --detach`"],
])("%s has an answer of its own", (word, answer) => {
  expect(suggestCommand(word, known)).toContain(answer);
});

test.each([
  ["rnu", "run"],
  ["vaildate", "validate"],
  ["serv", "serve"],
])("%s is a slip of the fingers", (word, meant) => {
  expect(suggestCommand(word, known)).toBe(`Did you mean '${meant}'?`);
});

test("another verb is not taken for one of ours because of its letters", () => {
  for (const word of ["compile", "import-all", "deploy", "publish-all", "rotate"]) {
    expect(suggestCommand(word, known), word).toBeUndefined();
  }
});

test("every command and option that is named is there", () => {
  const source = readFileSync("src/cli/suggest-command.ts", "utf8");
  const named = [...source.matchAll(/`frond ([a-z-]+)/g)].map(([, name]) => name as string);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !name.startsWith("-") && !known.includes(name))).toEqual([]);
  const options = [...source.matchAll(/ (--[a-z-]+)/g)].map(([, option]) => option as string);
  expect(options.filter((option) => option !== "--version" && !page.includes(`\`${option}`))).toEqual([]);
});
