import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { openTerminal } from "../rig/terminal-screen.ts";

const mixed = workflow("mixed", [shell("good", "echo fine"), shell("bad", "exit 3", { depends_on: ["good"] })]);

async function shownIn(env: Readonly<Record<string, string>>, command = "frond run mixed.yaml"): Promise<string[]> {
  const frond: Frond = createFrond({ "mixed.yaml": mixed });
  const screen = await openTerminal(frond, { env });
  screen.clear();
  expect(await screen.run(command)).toBe(1);
  expect(screen.hasCursor()).toBe(true);
  return screen
    .lines()
    .slice(1)
    .map((line) => line.replace(/ \d+(ms|\.\ds)/, " TIME"));
}

const drawn = ["✗ mixed TIME", "  ✓ good TIME", "  ✗ bad TIME"];
const inAscii = ["x mixed TIME", "  + good TIME", "  x bad TIME"];
const inLines = [expect.stringMatching(/^run {5}mixed run_/), "start   good", "good | fine", "ok      good TIME"];

test.each([
  ["xterm-256color", {}, drawn],
  ["the console of Linux, which has few characters", { TERM: "linux" }, inAscii],
  ["one that can't be drawn on", { TERM: "dumb" }, inLines],
  ["one that nothing is known of", { TERM: "" }, inLines],
  ["one without colours", { NO_COLOR: "1" }, drawn],
  ["one that can't be drawn on, with colours asked for", { TERM: "dumb", FORCE_COLOR: "1" }, inLines],
])("a run looks right in %s", async (_, env: Readonly<Record<string, string>>, expected) => {
  expect((await shownIn(env)).slice(0, expected.length)).toEqual(expected);
});

test("a run is drawn where its input is no terminal", async () => {
  expect((await shownIn({}, "frond run mixed.yaml < /dev/null")).slice(0, 3)).toEqual(drawn);
});

test("a run whose output is no terminal is told in lines, and asks nobody", async () => {
  const frond = createFrond({
    "ask.yaml": workflow("ask", [{ id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } }]),
  });
  const screen = await openTerminal(frond);
  expect(await screen.run("frond run ask.yaml > out")).toBe(3);
  expect(frond.read("out")).toContain("asks ask:\n  Go on?\n");
});

test("nobody is asked where the input is no terminal, though the output is", async () => {
  const frond = createFrond({
    "ask.yaml": workflow("ask", [{ id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } }]),
  });
  const screen = await openTerminal(frond);
  expect(await screen.run("frond run ask.yaml < /dev/null")).toBe(3);
  expect(screen.lines().at(-2)).toMatch(/^paused ask run_\w+: waits for 1 answer$/);
});
