import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { openTerminal } from "../rig/terminal-screen.ts";

const lines = workflow("lines", [
  shell("first", "echo one"),
  shell("second", "echo two", { depends_on: ["first"] }),
  shell("last", "echo three > last", { depends_on: ["second"] }),
]);

/** Moments at which the reader of a run goes away: before anything is written, after a line, in the middle. */
test.each(["true", "head -1", "head -3"])("a run goes on to its end when `| %s` has read enough", async (reader) => {
  const frond = createFrond({ "lines.yaml": lines });
  const screen = await openTerminal(frond);
  await screen.run("set -o pipefail");
  screen.clear();
  expect(await screen.run(`frond run lines.yaml | ${reader}`)).toBe(0);
  expect(frond.read("last")).toBe("three\n");
  const read = reader === "true" ? 0 : Number(reader.slice(-1));
  expect(screen.lines()).toHaveLength(1 + read + 1);
});

test.each([
  "frond list",
  "frond list --json",
  "frond runs",
  "frond show last",
  "frond info hello-world",
  "frond graph lines.yaml",
  "frond logs last",
  "frond validate lines.yaml",
  "frond --help",
])("`%s | head -1` shows a line and nothing else", async (command) => {
  const frond = createFrond({ "lines.yaml": lines });
  expect((await frond.run(["run", "lines.yaml"])).code).toBe(0);
  const screen = await openTerminal(frond, { columns: 200 });
  await screen.run("set -o pipefail");
  screen.clear();
  expect(await screen.run(`${command} | head -1`)).toBe(0);
  expect(screen.lines()).toEqual([`$ ${command} | head -1`, expect.stringMatching(/\S/), "$ "]);
});

test("following a log ends when its reader goes away, and the run goes on", async () => {
  const slow = "for n in 1 2 3; do echo $n; until [ -e go$n ]; do sleep 0.05; done; done";
  const frond = createFrond({ "slow.yaml": workflow("slow", [shell("count", slow)]) });
  const run = frond.start(["run", "slow.yaml"]);
  await run.until("start   count");
  const screen = await openTerminal(frond);
  screen.enter("frond logs -f last | head -1");
  await screen.until(/^(count \| )?1$/);
  frond.write("go1", "");
  frond.write("go2", "");
  await screen.prompted();
  expect(screen.lines().slice(1)).toEqual([expect.stringMatching(/1$/), "$ "]);
  frond.write("go3", "");
  expect((await run.ended).code).toBe(0);
});
