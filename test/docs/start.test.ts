import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond } from "../rig/frond.ts";
import { typeCommand } from "../rig/person.ts";

/** The commands of the README for somebody who has installed Frond, as they stand there. */
function commandsAfterLink(): readonly string[] {
  const [, start = ""] = /\n## Start\n(.*?)\n## /s.exec(readFileSync("README.md", "utf8")) ?? [];
  const [, block = ""] = /```sh\n(npm link.*?)```/s.exec(start) ?? [];
  const lines = block.trim().split("\n");
  expect(lines[0]).toMatch(/^npm link /);
  return lines.slice(1);
}

test("the first minutes of the README work as they are printed, in a project of a new user", async () => {
  const frond = createFrond();
  const project = join(frond.home, "my-project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "name": "mine", "scripts": { "test": "true" } }');
  const lines = commandsAfterLink();
  expect(lines.map((line) => line.split(/ +#/)[0])).toEqual([
    "cd ~/my-project",
    "frond init",
    "frond run check",
    "frond test check",
  ]);
  const typed = await typeCommand(frond, `set -e\n${lines.join("\n")}`, { answers: [["Which agent", "\r"]] });
  expect([typed.code, typed.stdout]).toEqual([0, expect.stringContaining("2 passed")]);
});

test("the README's way to tell an agent of Frond writes what the other way prints", async () => {
  const frond = createFrond();
  mkdirSync(join(frond.home, "my-project"));
  const [, block = ""] = /```sh\n(cd ~\/my-project && frond init.*?)```/s.exec(readFileSync("README.md", "utf8")) ?? [];
  const [add = "", print = ""] = block.trim().split("\n");
  expect((await typeCommand(frond, add)).code).toBe(0);
  const { stdout } = await typeCommand(frond, `${print.split("#")[0]} 2>&-`, {
    directory: join(frond.home, "my-project"),
  });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(join(frond.home, "my-project/.mcp.json"), "utf8")));
});
