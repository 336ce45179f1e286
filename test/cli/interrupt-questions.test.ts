import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { openTerminal, type TerminalScreen } from "../rig/terminal-screen.ts";

/** What a person has to hand when they want out: a key, a `kill`, and the window itself, whose closing is a hangup. */
const ways = ["Ctrl-C", "SIGTERM", "SIGHUP"] as const;
type Way = (typeof ways)[number];

/** The exit code that a shell tells of a hangup. */
const hungUp = 129;

function interrupt(screen: TerminalScreen, way: Way): void {
  if (way === "Ctrl-C") screen.type("\u0003");
  else process.kill(screen.foreground(), way);
}

function ask(inputs: object): object {
  return { id: "ask", type: "Prompt", inputs };
}

const files = {
  "alone.yaml": workflow("alone", [ask({ prompt: "Ship it?", choices: ["yes", "no"] })]),
  "text.yaml": workflow("text", [ask({ prompt: "Which version?" })]),
  "form.yaml": workflow("form", [
    ask({
      prompt: "What is on sale?",
      schema: { type: "object", properties: { product: { type: "string" }, percent: { type: "integer" } } },
    }),
  ]),
  "amid.yaml": workflow("amid", [
    shell("slow", "echo begun; until [ -e go ]; do sleep 0.05; done"),
    ask({ prompt: "Ship it?", choices: ["yes", "no"] }),
  ]),
  ".frond/workflows/mine.yaml": workflow("mine", [shell("work", "touch worked")]),
  "new.yaml": workflow("new", [shell("work", "true")]),
};

interface Window {
  readonly frond: Frond;
  readonly screen: TerminalScreen;
  /** The exit code, when the terminal is as it was before the command. */
  ended(): Promise<number>;
}

async function open(): Promise<Window> {
  const frond = createFrond(files);
  const screen = await openTerminal(frond, { columns: 76, rows: 30 });
  const modes = screen.modes();
  return {
    frond,
    screen,
    async ended() {
      const code = await screen.prompted();
      expect({ cursor: screen.hasCursor(), modes: screen.modes() }).toEqual({ cursor: true, modes });
      return code;
    },
  };
}

async function statusOf(frond: Frond): Promise<string> {
  const { reply } = await frond.json(["show", "last"]);
  return (reply as { status: string }).status;
}

for (const [where, file] of [
  ["at a choice", "alone.yaml"],
  ["in the middle of a text", "text.yaml"],
  ["in a field of a form", "form.yaml"],
] as const) {
  test.each(ways)(`%s ${where} leaves the run paused`, async (way) => {
    const { frond, screen, ended } = await open();
    screen.enter(`frond run ${file}`);
    await screen.until("ask asks");
    screen.type("ab");
    interrupt(screen, way);
    expect(await ended()).toBe(way === "SIGHUP" ? hungUp : 3);
    // The form is gone, and what is left says how to go on, if anybody can read it.
    expect(screen.lines().filter((line) => line.includes("Enter"))).toEqual([]);
    if (way !== "SIGHUP") expect(screen.lines().join("\n")).toMatch(/frond resume pause_/);
    expect(await statusOf(frond)).toBe("paused");
  });
}

test("Ctrl-C twice at a question leaves the run paused too", async () => {
  const { frond, screen, ended } = await open();
  screen.enter("frond run alone.yaml");
  await screen.until("ask asks");
  screen.type("\u0003\u0003");
  expect(await ended()).toBe(3);
  expect(await statusOf(frond)).toBe("paused");
});

test.each(["Ctrl-C", "SIGTERM"] as const)("%s at a question while others run cancels the run", async (way) => {
  const { frond, screen, ended } = await open();
  screen.enter("frond run amid.yaml");
  await screen.until("ask asks");
  await screen.until(/slow .*begun/);
  interrupt(screen, way);
  expect(await ended()).toBe(130);
  expect(screen.lines().filter((line) => line.includes("Enter"))).toEqual([]);
  const { reply } = await frond.json(["show", "last"]);
  expect(reply).toMatchObject({ status: "failure", cancelled: true });
});

test.each(ways)("%s while a project's files are asked about runs and trusts nothing", async (way) => {
  const { frond, screen, ended } = await open();
  screen.enter("frond run mine");
  await screen.until("Trust .frond/workflows/mine.yaml");
  await screen.until("Enter");
  interrupt(screen, way);
  expect(await ended()).toBe(way === "SIGHUP" ? hungUp : 130);
  expect(existsSync(join(frond.directory, "worked"))).toBe(false);
  expect((await frond.run(["trust", "--list"])).stdout).not.toContain(frond.directory);
});

test.each(ways)("%s while it is asked whether to trust a new workflow saves nothing", async (way) => {
  const { frond, screen, ended } = await open();
  screen.enter("frond save new.yaml");
  await screen.until("Enter");
  interrupt(screen, way);
  expect(await ended()).toBe(way === "SIGHUP" ? hungUp : 130);
  expect(existsSync(join(frond.directory, ".frond/workflows/new.yaml"))).toBe(false);
});
