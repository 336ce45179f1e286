import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { openTerminal, type TerminalScreen } from "../rig/terminal-screen.ts";

const ctrlZ = "\u001a";

const slow = workflow("slow", [shell("wait", "echo waiting; until [ -e go ]; do sleep 0.05; done")]);

async function startSlow(): Promise<{ frond: Frond; screen: TerminalScreen; modes: string }> {
  const frond = createFrond({ "slow.yaml": slow });
  const screen = await openTerminal(frond, { columns: 60, rows: 12 });
  const modes = screen.modes();
  screen.enter("frond run slow.yaml");
  await screen.until("waiting");
  return { frond, screen, modes };
}

test("Ctrl-Z gives the terminal back as it was, and fg draws the tree again below", async () => {
  const { frond, screen, modes } = await startSlow();
  screen.type(ctrlZ);
  await screen.prompted();
  expect(screen.history().join("\n")).toMatch(/^\$ frond run slow.yaml\n+\[1\]\+ +Stopped +frond run slow.yaml\n\$ $/);
  expect({ cursor: screen.hasCursor(), modes: screen.modes() }).toEqual({ cursor: true, modes });
  await screen.run("echo meanwhile");
  screen.clear();
  screen.enter("fg");
  await screen.until(/wait .*waiting/);
  frond.write("go", "");
  expect(await screen.prompted()).toBe(0);
  expect({ cursor: screen.hasCursor(), modes: screen.modes() }).toEqual({ cursor: true, modes });
  expect(screen.history().map((line) => line.replace(/( run_\w+ in)? \d+(ms|\.\ds)/, " TIME"))).toEqual([
    "$ fg",
    "frond run slow.yaml",
    "✓ slow TIME",
    "  ✓ wait TIME",
    "",
    "success slow TIME",
    "$ ",
  ]);
});

test("what a block does goes on while the command line is stopped", async () => {
  const { frond, screen } = await startSlow();
  screen.type(ctrlZ);
  await screen.prompted();
  frond.write("go", "");
  screen.enter("fg");
  expect(await screen.prompted()).toBe(0);
});

test.each(["SIGTERM", "SIGHUP"] as const)("%s gives the terminal back as it was", async (signal) => {
  const { screen, modes } = await startSlow();
  process.kill(screen.foreground(), signal);
  expect(await screen.prompted()).toBeGreaterThan(1);
  expect({ cursor: screen.hasCursor(), modes: screen.modes() }).toEqual({ cursor: true, modes });
  expect(screen.history().filter((line) => line.includes("waiting"))).toEqual([]);
});

test.each([
  ["while the tree is drawn", "slow.yaml", slow, "waiting"],
  ["at a question", "ask.yaml", workflow("ask", [{ id: "ask", type: "Prompt", inputs: { prompt: "Why?" } }]), "Enter"],
])("a crash of the command line %s gives the terminal back as it was", async (_, file, text, shown) => {
  const frond = createFrond({
    [file]: text,
    "crash.cjs": 'process.on("SIGUSR2", () => { throw new Error("crash"); });',
  });
  const screen = await openTerminal(frond, { env: { NODE_OPTIONS: "--require ./crash.cjs" } });
  const modes = screen.modes();
  screen.enter(`frond run ${file}`);
  await screen.until(shown);
  process.kill(screen.foreground(), "SIGUSR2");
  expect(await screen.prompted()).toBeGreaterThan(0);
  expect({ cursor: screen.hasCursor(), modes: screen.modes() }).toEqual({ cursor: true, modes });
  expect(screen.history().filter((line) => line.includes(shown))).toEqual([]);
});
