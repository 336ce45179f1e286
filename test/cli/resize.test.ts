import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { openTerminal, type TerminalScreen } from "../rig/terminal-screen.ts";

/** Long enough for a line to be wrapped by a window that becomes narrower. */
const busy = "echo the output of a command that writes long lines; until [ -e go ]; do sleep 0.05; done";

const many = workflow("many", [shell("first", busy), shell("second", busy), shell("third", busy)]);

async function startTree(columns: number, rows: number): Promise<{ frond: Frond; screen: TerminalScreen }> {
  const frond = createFrond({ "many.yaml": many });
  const screen = await openTerminal(frond, { columns, rows });
  await screen.run("echo before");
  screen.enter("frond run many.yaml");
  await screen.until(/third .*long lines/);
  return { frond, screen };
}

/** The tree as a whole, below nothing but what was there before it. */
function isAlone(rows: readonly string[], blocks: readonly RegExp[]): boolean {
  const shown = rows.slice(0, rows.findLastIndex((row) => row !== "") + 1);
  const top = shown.findIndex((row) => row.includes("frond run"));
  const tree = shown.slice(top + 1);
  return tree.length === blocks.length && tree.every((row, index) => blocks[index]?.test(row));
}

const hint = /^Ctrl-C/;
const whole = [/many/, /first .*long lines$/, /second .*long lines$/, /third .*long lines$/, hint];
const cut = [/many/, /first .*…$/, /second .*…$/, /third .*…$/, hint, /^if this terminal closes/];

async function end(frond: Frond, screen: TerminalScreen): Promise<string[]> {
  frond.write("go", "");
  expect(await screen.prompted()).toBe(0);
  return screen.lines().map((line) => line.replace(/( run_\w+ in)? \d+(ms|\.\ds)/, " TIME").trimEnd());
}

const undisturbed = [
  "$ echo before",
  "before",
  "$ frond run many.yaml",
  "✓ many TIME",
  "  ✓ first TIME",
  "  ✓ second TIME",
  "  ✓ third TIME",
  "",
  "success many TIME",
  "$",
];

test("a window that becomes narrower and wider has one tree in it, whole, and nothing of an older one", async () => {
  const { frond, screen } = await startTree(80, 24);
  await screen.resize(40, 24);
  await screen.until((rows) => isAlone(rows, cut));
  await screen.resize(30, 24);
  await screen.until((rows) => isAlone(rows, cut));
  await screen.resize(100, 24);
  await screen.until((rows) => isAlone(rows, whole));
  expect(await end(frond, screen)).toEqual(undisturbed);
});

test("a window that becomes higher and lower has one tree in it, whole, and nothing of an older one", async () => {
  const { frond, screen } = await startTree(80, 24);
  await screen.resize(80, 40);
  await screen.until((rows) => isAlone(rows, whole));
  await screen.resize(80, 10);
  await screen.until((rows) => isAlone(rows, whole));
  expect(await end(frond, screen)).toEqual(undisturbed);
});

test("a tiny window is not exceeded, and the tree is whole again when it grows", async () => {
  const { frond, screen } = await startTree(80, 24);
  await screen.resize(10, 3);
  await screen.until((rows) => /many/.test(rows[0] ?? "") && hint.test(rows[1] ?? "") && rows[2] === "");
  await screen.resize(80, 24);
  await screen.until((rows) => rows.filter((row) => /third .*long lines$/.test(row)).length > 0);
  // What had scrolled out of the tiny window no program can take back; below it all is as it should be.
  expect((await end(frond, screen)).slice(-7)).toEqual(undisturbed.slice(-7));
});
