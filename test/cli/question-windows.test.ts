import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { openTerminal, type TerminalScreen } from "../rig/terminal-screen.ts";

const enter = "\r";
const down = "\u001b[B";

function ask(id: string, inputs: object, after: readonly string[] = []): object {
  return { id, type: "Prompt", inputs, depends_on: after };
}

const choice = { prompt: "Ship it?", choices: ["yes", "no"] };
const shipping = workflow("shipping", [ask("ship", choice)], { outputs: { answer: "${blocks.ship.response}" } });
const amid = workflow("amid", [
  shell("slow", "echo the output of a command that writes long lines; until [ -e go ]; do sleep 0.05; done"),
  shell("bad", "echo the reason >&2; exit 4"),
  ask("ship", choice),
]);
const noting = workflow("noting", [ask("note", { prompt: "A note?" }), ask("ship", choice, ["note"])], {
  outputs: { note: "${blocks.note.response}" },
});

async function asked(
  file: string,
  text: string,
  [columns, rows]: readonly [number, number] = [80, 24],
): Promise<{ frond: Frond; screen: TerminalScreen; modes: string }> {
  const frond = createFrond({ [file]: text });
  const screen = await openTerminal(frond, { columns, rows });
  const modes = screen.modes();
  screen.enter(`frond run ${file}`);
  await screen.until(/^\? \w+ asks$/);
  return { frond, screen, modes };
}

/** What is shown below the command, without the empty rows at the end. */
function below(rows: readonly string[]): string[] {
  const shown = rows.slice(0, rows.findLastIndex((row) => row !== "") + 1);
  return shown.slice(shown.findIndex((row) => row.includes("frond run")) + 1);
}

const panel = ["? ship asks", "  Ship it?", "    yes", "    no"];

/** One tree, and below it one question. */
function isWhole(rows: readonly string[], slow: RegExp): boolean {
  const [run = "", first = "", bad = "", ship = "", empty, ...asking] = below(rows);
  const isTree = /amid/.test(run) && slow.test(first) && /✗ bad/.test(bad) && /\? ship/.test(ship) && empty === "";
  const keys = asking.slice(panel.length);
  return isTree && panel.every((line, index) => asking[index] === line) && /^ {2}↑ ↓/.test(keys[0] ?? "");
}

/** A frame that is on its way while the window changes is drawn for the wrong size, in a real window too. */
const mayMeetAFrame = { retry: 5 };
const soon = 15_000;

test("a window that changes has one tree and one question in it", mayMeetAFrame, async () => {
  const { screen } = await asked("amid.yaml", amid);
  await screen.until((rows) => isWhole(rows, /slow .*long lines$/), soon);
  await screen.resize(36, 24);
  await screen.until((rows) => isWhole(rows, /slow .*…$/), soon);
  await screen.resize(100, 40);
  await screen.until((rows) => isWhole(rows, /slow .*long lines$/), soon);
  await screen.resize(60, 20);
  await screen.until((rows) => isWhole(rows, /slow .*(…|long lines)$/), soon);
  screen.type(`${down}${down}${enter}`);
  await screen.until("answered ship: no");
});

test("a tiny window has at least what can be chosen, and the question is whole again when it grows", async () => {
  const { screen } = await asked("amid.yaml", amid);
  screen.type(down);
  await screen.until("❯ yes");
  await screen.resize(10, 3);
  await screen.until((rows) => rows[0] === "? ship a…" && rows[1] === "  ❯ yes" && rows[2] === "");
  await screen.resize(80, 24);
  await screen.until("  ❯ yes");
  await screen.until("Esc later");
  screen.type(enter);
  await screen.until("answered ship: yes");
});

test("Ctrl-Z at a question gives the terminal back, and fg asks again with what was typed", async () => {
  const { screen, modes } = await asked("noting.yaml", noting);
  screen.type("two w");
  await screen.until("❯ two w");
  screen.type("\u001a");
  await screen.prompted();
  expect({ cursor: screen.hasCursor(), modes: screen.modes() }).toEqual({ cursor: true, modes });
  expect(screen.history().join("\n")).not.toContain("asks");
  await screen.run("echo meanwhile");
  screen.enter("fg");
  await screen.until("❯ two w");
  screen.type(`ords${enter}`);
  await screen.until("answered note: two words");
});

test("Ctrl-Z at a question stops whoever has started the command line, too", async () => {
  const frond = createFrond({ "noting.yaml": noting });
  const screen = await openTerminal(frond);
  // As npm does, the shell waits for it.
  screen.enter("sh -c 'frond run noting.yaml; echo code $?'");
  await screen.until(/^\? note asks$/);
  screen.type("\u001a");
  await screen.prompted();
  screen.enter("fg");
  await screen.until(/^\? note asks$/);
  screen.type("\u0003");
  await screen.prompted();
  expect(screen.lines().join("\n")).toContain("frond resume pause_");
});

test("what is pasted is one answer, however many lines it has, and answers nothing else", async () => {
  const { frond, screen } = await asked("noting.yaml", noting);
  // As a terminal tells it where a program has asked to be told.
  screen.type("\u001b[200~first\rsecond\ryes\r\u001b[201~");
  await screen.until("first⏎second⏎yes");
  screen.type(enter);
  await screen.until(/^\? ship asks$/);
  screen.type(`${down}${down}${enter}`);
  expect(await screen.prompted()).toBe(0);
  const { reply } = await frond.json(["show", "last"]);
  expect(reply).toMatchObject({ outputs: { note: "first\nsecond\nyes\n" } });
});

test("lines that come faster than questions answer the first one only", async () => {
  const { screen } = await asked("noting.yaml", noting);
  screen.type("first\ryes\ryes\r");
  await screen.until("answered note: first");
  await screen.until(/^\? ship asks$/);
  screen.type(`${down}${down}${enter}`);
  expect(await screen.prompted()).toBe(0);
  expect(screen.lines()).toContain("answered ship: no");
});

test("of two terminals with one question, the second is told what the first has answered", async () => {
  const { frond, screen: first } = await asked("shipping.yaml", shipping);
  const second = await openTerminal(frond);
  second.enter("frond resume last");
  await second.until(/^\? ship asks$/);
  first.type(`${down}${down}${enter}`);
  expect(await first.prompted()).toBe(0);
  expect(await second.prompted()).toBe(0);
  expect(second.lines()).toContain("ship was answered elsewhere: 'no' (given by terminal).");
  expect(second.lines()).toContain("answer: no");
});

test("wide characters keep their columns, and nothing in a question is obeyed by the terminal", async () => {
  const inputs = {
    prompt:
      "\u001b[2J\u001b]0;owned\u0007部署到生产环境吗 🚀 这是一个很长的问题需要换行显示给用户看的\n\u001b[31mSicher?",
    choices: ["好 🚀", "\u001b[1A不"],
  };
  const { screen } = await asked("wide.yaml", workflow("wide", [ask("ship", inputs)]), [40, 20]);
  expect(below(screen.rows())).toEqual([
    expect.stringMatching(/^\? wide/),
    expect.stringMatching(/^ {2}\? ship {2}部署到.*…$/),
    "",
    "? ship asks",
    expect.stringMatching(/^ {2}部署到生产环境吗 🚀/),
    expect.stringMatching(/^ {2}\S+/),
    "  Sicher?",
    "    好 🚀",
    "    不",
    expect.stringMatching(/^ {2}↑ ↓/),
    expect.stringMatching(/^ {2}\S/),
  ]);
  screen.type(`${down}${enter}`);
  await screen.until("answered ship: 好 🚀");
});
