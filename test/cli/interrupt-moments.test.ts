import { expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { openTerminal, type TerminalScreen } from "../rig/terminal-screen.ts";
import { waitFor } from "../rig/wait-for.ts";

/** What a person has to hand when they want out: a key and a `kill`. */
const ways = ["Ctrl-C", "SIGTERM"] as const;
type Way = (typeof ways)[number];

function interrupt(screen: TerminalScreen, way: Way): void {
  if (way === "Ctrl-C") screen.type("\u0003");
  else process.kill(screen.foreground(), way);
}

const waiting = "echo waiting; until [ -e go ]; do sleep 0.05; done";

async function open(files: Readonly<Record<string, string>>): Promise<{ frond: Frond; screen: TerminalScreen }> {
  const frond = createFrond(files);
  const screen = await openTerminal(frond, { columns: 76, rows: 20 });
  const modes = screen.modes();
  return { frond, screen: { ...screen, prompted: () => promptedAsBefore(screen, modes) } };
}

/** However a command ended, the terminal is as it was before it. */
async function promptedAsBefore(screen: TerminalScreen, modes: string): Promise<number> {
  const code = await screen.prompted();
  expect({ cursor: screen.hasCursor(), modes: screen.modes() }).toEqual({ cursor: true, modes });
  return code;
}

async function statusOf(frond: Frond): Promise<string> {
  const { reply } = await frond.json(["show", "last"]);
  return (reply as { status: string }).status;
}

test.each(ways)("%s while the run sleeps leaves it asleep", async (way) => {
  const { frond, screen } = await open({
    "sleep.yaml": workflow("sleep", [{ id: "nap", type: "Wait", inputs: { duration: "2h" } }]),
  });
  screen.enter("frond run sleep.yaml");
  await screen.until("Ctrl-C leaves");
  interrupt(screen, way);
  expect(await screen.prompted()).toBe(3);
  expect(screen.lines().join("\n")).toMatch(/^sleeping sleep .*until \d{4}-/m);
  expect(await statusOf(frond)).toBe("sleeping");
});

test.each(ways)("%s while finally runs lets it end, as it promises", async (way) => {
  const { frond, screen } = await open({
    "tidy.yaml": workflow("tidy", [shell("work", "true")], {
      finally: [shell("sweep", `${waiting}; echo swept > swept`)],
    }),
  });
  screen.enter("frond run tidy.yaml");
  await screen.until(/sweep .*waiting/);
  interrupt(screen, way);
  await screen.until("Cancelling");
  frond.write("go", "");
  // How the run ends was known before.
  expect(await screen.prompted()).toBe(0);
  expect(frond.read("swept")).toBe("swept\n");
});

test("a second Ctrl-C while finally runs ends it too", async () => {
  const { frond, screen } = await open({
    "tidy.yaml": workflow("tidy", [shell("work", "true")], { finally: [shell("sweep", waiting)] }),
  });
  screen.enter("frond run tidy.yaml");
  await screen.until(/sweep .*waiting/);
  interrupt(screen, "Ctrl-C");
  await screen.until("Cancelling");
  interrupt(screen, "Ctrl-C");
  expect(await screen.prompted()).toBe(130);
  expect(await statusOf(frond)).toBe("failure");
});

test.each(ways)("%s stops following a log, and nothing else", async (way) => {
  const { frond, screen } = await open({ "slow.yaml": workflow("slow", [shell("wait", waiting)]) });
  const run = frond.start(["run", "slow.yaml"]);
  await run.until("start   wait");
  screen.enter("frond logs -f last");
  await screen.until(/^(wait \| )?waiting$/);
  interrupt(screen, way);
  expect(await screen.prompted()).toBe(130);
  frond.write("go", "");
  expect((await run.ended).code).toBe(0);
});

test.each(ways)("%s while runs are recovered leaves them to be recovered again", async (way) => {
  const { frond, screen } = await open({
    "slow.yaml": workflow("slow", [shell("wait", `echo $$ >> pids; ${waiting}`, { on_interrupted: "rerun" })]),
  });
  frond.write("pids", "");
  const begun = (): number => frond.read("pids").split("\n").length - 1;
  const killed = frond.start(["run", "slow.yaml"]);
  await waitFor("the block to run", () => begun() === 1);
  killed.child.kill("SIGKILL");
  await killed.ended;
  screen.enter("frond recover");
  await waitFor("the block to run again", () => begun() === 2);
  interrupt(screen, way);
  expect(await screen.prompted()).toBe(130);
  expect(screen.lines().join("\n")).toMatch(/Stopping: .*recovered again\.\ninterrupted slow run_\w+: /);
  expect(await statusOf(frond)).toBe("interrupted");
  frond.write("go", "");
  expect((await frond.run(["recover"])).stdout).toContain("success slow");
});

test("told to stop before it has taken a run over, recover still leaves it", async () => {
  const { frond } = await open({
    "slow.yaml": workflow("slow", [shell("wait", waiting, { on_interrupted: "rerun" })]),
  });
  const killed = frond.start(["run", "slow.yaml"]);
  await killed.until("start   wait");
  killed.child.kill("SIGKILL");
  await killed.ended;
  const recovering = frond.start(["recover"]);
  // It says so before it begins to take it over.
  await recovering.until("recover slow");
  recovering.child.kill("SIGTERM");
  expect((await recovering.ended).code).toBe(130);
  expect(await statusOf(frond)).toBe("interrupted");
});
