import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, frondProgram, shell, workflow } from "../rig/frond.ts";
import { TestScreen } from "../rig/screen.ts";
import { waitFor } from "../rig/wait-for.ts";

/** The lines that blocks wrote. */
function written(stdout: string): string[] {
  return stdout.split("\n").filter((line) => /^\S+ \| /.test(line));
}

/** A command that writes, waits until a file is there, and goes on. */
function waitsFor(file: string): string {
  return `until [ -e ${file} ]; do sleep 0.01; done`;
}

const two = workflow("two", [
  shell("build", "echo compiling; echo careful >&2"),
  shell("lint", "echo ${each.key}", { for_each: { web: 1, api: 2 } }),
]);

test.each([
  ["auto", ["build | careful", "build | compiling", "lint/api | api", "lint/web | web"]],
  ["all", ["build | careful", "build | compiling", "lint/api | api", "lint/web | web"]],
  ["failed", []],
  ["none", []],
])("in a pipe, `--logs %s` shows %j of blocks that succeed", async (logs, lines) => {
  const { code, stdout } = await createFrond({ "two.yaml": two }).run(["run", "two.yaml", "--logs", logs]);
  expect(code).toBe(0);
  expect(written(stdout).sort()).toEqual(lines);
  expect(stdout).toContain("ok      build");
});

test("output is shown while the block that writes it still runs", async () => {
  const command = `echo first; ${waitsFor("go")}; echo second`;
  const frond = createFrond({ "slow.yaml": workflow("slow", [shell("slow", command)]) });
  const run = frond.start(["run", "slow.yaml"]);
  await run.until("slow | first\n");
  expect(run.shown()).not.toContain("second");
  frond.write("go", "");
  expect((await run.ended).stdout).toContain("slow | second\nok      slow");
});

test("a question without a line end is shown after a moment, and its line ends later", async () => {
  const command = `printf 'Sure? '; ${waitsFor("go")}; echo yes`;
  const frond = createFrond({ "asks.yaml": workflow("asks", [shell("asks", command)]) });
  const run = frond.start(["run", "asks.yaml"]);
  await run.until("asks | Sure? \n");
  frond.write("go", "");
  expect(written((await run.ended).stdout)).toEqual(["asks | Sure? ", "asks | yes"]);
});

test("two blocks never share a line", async () => {
  const talk = (word: string): string => `for i in $(seq 300); do printf '%s ' ${word}; printf '%s\\n' ${word}; done`;
  const blocks = [shell("a", talk("one")), shell("b", talk("two"))];
  const { stdout } = await createFrond({ "both.yaml": workflow("both", blocks) }).run(["run", "both.yaml"]);
  const lines = written(stdout);
  expect(lines).toHaveLength(600);
  expect(new Set(lines)).toEqual(new Set(["a | one one", "b | two two"]));
});

test("a progress bar is one line, binary output a remark, and nothing speaks to a terminal", async () => {
  const bar = `for i in $(seq 200); do printf '\\r%s%%' $i; done; echo`;
  const blocks = [
    shell("bar", bar),
    shell("binary", "head -c 100000 /dev/zero; echo; echo text"),
    shell("colour", String.raw`printf '\033[31mred\033[0m\033]0;title\007\n'`),
  ];
  const { stdout } = await createFrond({ "odd.yaml": workflow("odd", blocks) }).run(["run", "odd.yaml"]);
  expect(written(stdout).sort()).toEqual([
    "bar | 200%",
    "binary | (binary output is not shown)",
    "binary | text",
    "colour | red",
  ]);
});

test("`--logs failed` shows all that a failed block wrote, when it has failed", async () => {
  const blocks = [shell("good", "echo fine"), shell("bad", "seq 20000; echo wrong >&2; exit 1")];
  const frond = createFrond({ "mixed.yaml": workflow("mixed", blocks) });
  const { stdout } = await frond.run(["run", "mixed.yaml", "--logs", "failed"]);
  const lines = written(stdout);
  expect(lines).toHaveLength(20_001);
  expect(lines.every((line) => line.startsWith("bad | "))).toBe(true);
  expect(stdout).toMatch(/bad \| (?:20000|wrong)\nFAILED {2}bad/);
});

test("the end of a failed block's output is not repeated right below it", async () => {
  const frond = createFrond({ "bad.yaml": workflow("bad", [shell("bad", "echo wrong; exit 1")]) });
  const { stdout } = await frond.run(["run", "bad.yaml"]);
  expect(stdout.split("wrong")).toHaveLength(2);
  expect((await frond.run(["run", "bad.yaml", "--logs", "none"])).stdout).toContain("  | wrong\n");
});

test("the end of a failed block's output stands in the result when others have written much since", async () => {
  const blocks = [
    shell("bad", "echo wrong; exit 1"),
    shell("noise", "seq 100", { depends_on: [{ block: "bad", required: false }], condition: "${blocks.bad.failed}" }),
  ];
  const { stdout } = await createFrond({ "bad.yaml": workflow("bad", blocks) }).run(["run", "bad.yaml"]);
  expect(stdout).toContain("bad | wrong\n");
  expect(stdout.slice(stdout.indexOf("noise | 100"))).toContain("  | wrong\n");
});

test("with --json nothing of it is shown, and with -v on stderr alone", async () => {
  const frond = createFrond({ "two.yaml": two });
  expect((await frond.json(["run", "two.yaml"])).code).toBe(0);
  const { stdout, stderr } = await frond.run(["run", "two.yaml", "--json", "-v"]);
  expect(JSON.parse(stdout)).toMatchObject({ status: "success" });
  expect(written(stderr)).toContain("build | compiling");
});

test("on a terminal the tree stands alone, and with -v below the lines of blocks", async () => {
  const frond = createFrond({ "two.yaml": two });
  const screenAfter = async (...options: string[]): Promise<string[]> => {
    const screen = new TestScreen(80, 24);
    const { stdout } = await frond.startInTerminal(["run", "two.yaml", ...options], { env: { NO_COLOR: "1" } }).ended;
    screen.write(stdout);
    return screen.text();
  };
  expect((await screenAfter()).filter((line) => line.includes(" | "))).toEqual([]);
  const loud = await screenAfter("-v");
  expect(loud.slice(0, 4).sort()).toEqual(["build | careful", "build | compiling", "lint/api | api", "lint/web | web"]);
  expect(loud[4]).toMatch(/^✓ two /);
});

test("resume and rerun show output as run does", async () => {
  const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } };
  const after = shell("after", "echo on we go", { depends_on: ["ask"] });
  const frond = createFrond({ "ask.yaml": workflow("ask", [ask, after]) });
  expect((await frond.run(["run", "ask.yaml"])).code).toBe(3);
  expect((await frond.run(["resume", "last", "--response", "yes"])).stdout).toContain("after | on we go\n");
  expect((await frond.run(["rerun", "last", "--from", "after"])).stdout).toContain("after | on we go\n");
  expect((await frond.run(["rerun", "last", "--from", "after", "--logs", "none"])).stdout).not.toContain("after |");
});

test("a pass of a loop is named by its element in each line about it, also by resume; a line of output has the path alone", async () => {
  const inside = [
    shell("test", "echo testing ${each.value.name}"),
    { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" }, depends_on: ["test"] },
  ];
  const loop = { id: "package", for_each: [{ name: "web" }], blocks: inside };
  const frond = createFrond({ "loop.yaml": workflow("loop", [loop]) });
  const { stdout } = await frond.run(["run", "loop.yaml"]);
  const lines = ["start   package\n", "start   package/0 (web)\n", "start   package/0/test (web)\n"];
  for (const line of [
    ...lines,
    "package/0/test | testing web\n",
    "ok      package/0/test (web) ",
    "asks    package/0/ask (web): Go on?\n",
  ])
    expect(stdout).toContain(line);
  const resumed = await frond.run(["resume", "last", "--response", "yes"]);
  expect(resumed.stdout).toContain("answer  package/0/ask (web) (command line)\n");
  expect(resumed.stdout).toContain("ok      package/0 (web) ");
});

test("recover says which run a line is of", async () => {
  const command = `if [ -e again ]; then echo back; else touch again; ${waitsFor("never")}; fi`;
  const frond = createFrond({ "lost.yaml": workflow("lost", [shell("lost", command, { on_interrupted: "rerun" })]) });
  const run = frond.start(["run", "lost.yaml"]);
  await waitFor("the block to run", () => existsSync(join(frond.directory, "again")));
  run.child.kill("SIGKILL");
  await run.ended;
  expect((await frond.run(["recover"])).stdout).toMatch(/^run_\w{16} lost \| back$/m);
});

/** Starts it with a reader that takes nothing until it is told to. */
function startUnread(frond: Frond, file: string) {
  const child = spawn(process.execPath, [frondProgram, "run", file], {
    cwd: frond.directory,
    env: frond.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended };
}

/** The most memory that a process has had, in megabytes. */
function mostMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test("a reader that does not read neither holds up the run nor fills the memory, and gets every line in the end", async () => {
  const lines = 1_000_000;
  const blocks = [
    shell("noise", `seq -f 'a line that is as long as lines are, more or less: %.0f' ${lines}`),
    shell("last", "touch done", { depends_on: ["noise"] }),
  ];
  const frond = createFrond({ "noise.yaml": workflow("noise", blocks) });
  const { child, ended } = startUnread(frond, "noise.yaml");
  await waitFor("the run to go on", () => existsSync(join(frond.directory, "done")));
  // 65 MB have been written, of which nobody has read anything.
  expect(mostMemory(child.pid ?? 0)).toBeLessThan(250);
  let count = 0;
  let end = "";
  child.stdout.on("data", (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) count++;
    end = (end + chunk.toString()).slice(-100);
  });
  expect(await ended).toBe(0);
  expect(count).toBe(lines + 6);
  expect(end).toMatch(/^success noise .*\n$/m);
});

test("a reader that goes away in the middle of the output stops nothing", async () => {
  const blocks = [shell("noise", "seq 300000"), shell("last", "touch done", { depends_on: ["noise"] })];
  const frond = createFrond({ "noise.yaml": workflow("noise", blocks) });
  const run = frond.start(["run", "noise.yaml"]);
  await run.until("noise | 1000\n");
  run.child.stdout.destroy();
  const { code, stderr } = await run.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(existsSync(join(frond.directory, "done"))).toBe(true);
});
