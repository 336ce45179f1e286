import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { giveUpWatching } from "../../src/cli/give-up-watching.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import { filesSaying, folderOf, sources } from "../doors/sources.ts";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { waitForGo } from "../rig/lose-run.ts";
import { commandsIn, followCommand as follow, runIdIn, saidBy as said, typeCommand } from "../rig/person.ts";
import { leaveAsleep, makeOverdue } from "../rig/sleeping-run.ts";
import { waitFor } from "../rig/wait-for.ts";

const own = ".frond/workflows/own.yaml";
const asking = workflow("asking", [{ id: "one", type: "Prompt", inputs: { prompt: "Which?", choices: ["a", "b"] } }]);

/** What else names commands, by the file that says it. */
const others: Readonly<Record<string, () => Promise<void>>> = {
  "commands/list": async () => {
    const frond = createFrond({ [own]: workflow("own", [shell("a", "true")]) });
    for (const [args, directory] of [
      [[], frond.directory],
      [["--workspace", frond.directory], frond.home],
    ] as const) {
      const [trust = "", info = "", run = ""] = commandsIn(await said(frond, "list", ...args));
      expect((await typeCommand(frond, trust, { directory })).code).toBe(0);
      expect((await typeCommand(frond, info.replace("NAME", "own"), { directory })).code).toBe(0);
      expect((await typeCommand(frond, run.replace("NAME", "own"), { directory })).code).toBe(0);
      await frond.run(["trust", "--remove"]);
    }
  },
  "commands/init": async () => {
    const frond = createFrond({ ".frond/schema/workflow.schema.json": "{}" });
    const made = await said(frond, "init");
    const [, renew = ""] = /Renew it: (.*)$/m.exec(made) ?? [];
    expect((await typeCommand(frond, renew)).code).toBe(0);
    const [run = "", tests = ""] = made
      .slice(made.indexOf("Next:\n") + 6)
      .trim()
      .split(/\n */);
    for (const command of [run, tests]) {
      expect((await typeCommand(frond, command, { directory: frond.directory })).code).toBe(0);
    }
  },
  "completion/completion-scripts": async () => {
    const frond = createFrond();
    for (const shell of ["bash", "zsh", "fish"]) {
      const script = await said(frond, "completion", shell);
      const save = [...script.matchAll(/^# {3}(mkdir .*|frond .*)$/gm)].map(([, line]) => line).join(" && ");
      expect((await typeCommand(frond, save)).code).toBe(0);
      const file = /> ~\/(.*)$/.exec(save)?.[1] ?? "";
      expect(readFileSync(join(frond.home, file), "utf8")).toBe(script);
      expect(readFileSync("docs/cli.md", "utf8")).toContain(save.replace(" && ", "\n"));
    }
    const loaded = `bash -c 'source <(frond completion bash) && complete -p frond'`;
    expect((await typeCommand(frond, loaded)).stdout).toContain("-F _frond frond");
  },
  "configure-agent": async () => {
    const frond = createFrond({ ".mcp.json": "nonsense" });
    const refused = await said(frond, "init", "--agent", "claude-code");
    expect((await follow(frond, refused.slice(refused.indexOf("fix:")))).stdout).toContain("mcpServers");
  },
  "commands/info": async () => {
    const inputs = { word: { type: "string", description: "What", enum: ["a b"] } };
    const frond = createFrond({ "say it.yaml": workflow("say", [shell("a", 'echo "${inputs.word}"')], { inputs }) });
    const shown = await said(frond, "info", "say it.yaml", "--workspace", frond.directory);
    expect((await follow(frond, shown)).code).toBe(0);
  },
  "print-runs": async () => {
    const frond = createFrond();
    const [run = "", list = ""] = commandsIn(await said(frond, "runs"));
    expect((await typeCommand(frond, list)).stdout).toContain("hello-world");
    expect((await typeCommand(frond, run.replace("NAME", "hello-world"))).code).toBe(0);
    const listed = await follow(frond, await said(frond, "runs", "--status", "paused"), { directory: frond.home });
    const [show = ""] = commandsIn(listed.stdout.replaceAll("\r", ""));
    const [short = ""] = /^\w{8,}/m.exec(listed.stdout) ?? [];
    expect((await typeCommand(frond, show.replace("RUN", short))).code).toBe(0);
    const { stdout: elsewhere } = await follow(frond, (await said(frond, "runs")).split("\n").slice(1).join("\n"));
    expect(elsewhere).toContain(`in ${frond.home}`);
    frond.write("asking.yaml", asking);
    await frond.run(["run", "asking.yaml"]);
    const { stdout } = await typeCommand(frond, "frond runs", { directory: frond.directory });
    const [resume = ""] = /frond resume \w{8,}/.exec(stdout) ?? [];
    expect((await typeCommand(frond, resume, { answers: [["one asks", "a\r"]] })).code).toBe(0);
  },
  "commands/show": async () => {
    const loop = shell("loop", 'echo "${each.value}"', { for_each: ["one", "two"] });
    const frond = createFrond({ "loop.yaml": workflow("loop", [loop]) });
    const runId = runIdIn(await said(frond, "run", "loop.yaml"));
    expect((await follow(frond, await said(frond, "show", runId))).stdout).toContain("[1] two");
  },
  "give-up-watching": async () => {
    const frond = createFrond({ "done.yaml": workflow("done", [shell("a", "true")]) });
    const runId = runIdIn(await said(frond, "run", "done.yaml"));
    let written = "";
    const terminal = { write: (text: string) => (written += text) } as unknown as Terminal;
    giveUpWatching(runId, new Error("The database is away."), true, terminal);
    const [attach = ""] = /frond attach \w+/.exec(written) ?? [];
    expect((await typeCommand(frond, attach)).stdout).toContain(runId);
  },
  "drawing/draw-block": async () => {
    const command = 'echo "${each.key}"; exit 1';
    const loop = shell("loop", command, { for_each: { "a b": 1 }, retry: 2 });
    const frond = createFrond({ "loop.yaml": workflow("loop", [loop]) });
    const runId = runIdIn(await said(frond, "run", "loop.yaml"));
    const [attempts = "", log = ""] = commandsIn(await said(frond, "show", runId, "loop/a b"));
    expect((await typeCommand(frond, attempts.replace("@N", "@1"))).stdout).toContain("exit code 1");
    expect((await typeCommand(frond, log)).stdout).toContain("a b");
  },
  "commands/checkpoints": async () => {
    const frond = createFrond({ "asking.yaml": asking });
    expect((await follow(frond, await said(frond, "checkpoints"))).code).toBe(0);
    await frond.run(["run", "asking.yaml"]);
    const { stdout } = await typeCommand(frond, "frond checkpoints", { directory: frond.directory });
    const listed = stdout.replaceAll("\r", "");
    const [, id = ""] = /(pause_\w+)/.exec(listed) ?? [];
    const answer = { answers: [["one asks", "a\r"]] } as const;
    const shown = await said(frond, "checkpoints", id);
    expect((await follow(frond, listed.replace("CHECKPOINT", id), answer)).code).toBe(0);
    expect((await follow(frond, shown)).stdout).toContain("has ended");
  },
  "commands/changes": async () => {
    const make = { id: "make", type: "CreateFile", inputs: { path: "long", content: "line\n".repeat(300) } };
    const frond = createFrond({ "long.yaml": workflow("long", [make]) });
    const runId = runIdIn(await said(frond, "run", "long.yaml"));
    for (const args of [[], ["--block", "make"]]) {
      expect((await follow(frond, await said(frond, "changes", runId, ...args))).stdout).toContain("+line");
    }
  },
  "commands/undo": async () => {
    const make = { id: "make", type: "CreateFile", inputs: { path: "made", content: "text" } };
    const frond = createFrond({ "make.yaml": workflow("make", [make]) });
    const runId = runIdIn(await said(frond, "run", "make.yaml"));
    expect((await follow(frond, (await frond.run(["undo", runId])).stderr)).stdout).toContain("type: RestoreFiles");
    await frond.run(["undo", runId, "--yes"]);
    // Undoing the undo is what brings it back.
    const answers = [["Redo it?", "y"]] as const;
    expect((await follow(frond, await said(frond, "undo", runId), { answers })).code).toBe(0);
    expect(frond.read("made")).toBe("text");
  },
  "commands/plan": async () => {
    const frond = createFrond({
      "a plan.json": '[{ "action_type": "create_file", "path": "made", "content": "text" }]',
    });
    const refused = await said(frond, "plan", "check", "a plan.json", "--dry-run");
    expect((await follow(frond, refused)).code).toBe(0);
    expect(frond.read("made")).toBe("text");
  },
  "text/format-time": async () => {
    const frond = createFrond();
    const runId = await leaveAsleep(frond);
    makeOverdue(frond, runId);
    expect((await follow(frond, /^.*should have gone on.*$/m.exec(await said(frond, "runs"))?.[0] ?? "")).code).toBe(0);
    expect((await frond.json(["show", runId])).reply).toMatchObject({ status: "success" });
  },
  "print-result": async () => {
    const blocks = [shell("lint", "cat text"), shell("last", "test -e ready", { depends_on: ["lint"] })];
    const frond = createFrond({ "fix.yaml": workflow("fix", blocks), text: "one\n" });
    await frond.run(["run", "fix.yaml"]);
    frond.write("text", "two\n");
    frond.write("ready", "");
    const [, all = ""] = /To run them too: (.*)$/m.exec(await said(frond, "rerun", "last")) ?? [];
    expect(stripVTControlCharacters((await typeCommand(frond, all)).stdout)).toMatch(/✓ lint \d/);
  },
  "commands/run": async () => {
    const warned = workflow("warned", [
      { id: "a", type: "ExecuteWorkflow", inputs: { workflow: "none" }, condition: "false" },
    ]);
    const frond = createFrond({ "a file.yaml": warned });
    const { stdout } = await follow(frond, await said(frond, "run", "a file.yaml"));
    expect(stdout).toContain("No workflow is named 'none'");
  },
  // The journal is gone in the middle of a run, and comes back.
  "drive-run": async () => {
    const first = shell("first", waitForGo("first"), { on_interrupted: "rerun" });
    const second = shell("second", "echo once >> second", { depends_on: ["first"] });
    const frond = createFrond({ "lost.yaml": workflow("lost", [first, second]) });
    const files = ["frond.db", "frond.db-wal", "frond.db-shm"].map((file) => join(frond.state, file));
    const run = frond.start(["run", "lost.yaml"]);
    await run.until("start   first");
    for (const file of files) renameSync(file, `${file}.away`);
    frond.write("go", "");
    const { code, stderr } = await run.ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining("[journal-removed]")]);
    for (const file of files) renameSync(`${file}.away`, file);
    expect((await follow(frond, stderr)).code).toBe(0);
    expect(frond.read("second")).toBe("once\n");
    expect((await frond.json(["show", runIdIn(run.shown())])).reply).toMatchObject({ status: "success" });
  },
  // The terminal closes in the middle of a run.
  "run-session": async () => {
    const held = shell("held", waitForGo("held"), { on_interrupted: "rerun" });
    const frond = createFrond({ "held.yaml": workflow("held", [held]) });
    const run = frond.startInTerminal(["run", "held.yaml"], { columns: 120 });
    await run.until("frond resume run_");
    const [resume = ""] = /frond resume run_\w{16}/.exec(run.shown()) ?? [];
    run.child.kill("SIGKILL");
    const status = async (): Promise<string> =>
      ((await frond.json(["show", runIdIn(resume)])).reply as { status: string }).status;
    await waitFor("its process to be gone", async () => (await status()) !== "running");
    frond.write("go", "");
    const { code, stdout } = await typeCommand(frond, resume);
    expect([code, stdout]).toEqual([0, expect.stringContaining("success")]);
  },
  // A run that waits is not ended by a rerun of it, and neither by a plan of one.
  "commands/rerun": async () => {
    const frond = createFrond({ "asking.yaml": asking });
    const runId = runIdIn(await said(frond, "run", "asking.yaml"));
    const left = `${runId} is still paused. If it is no longer needed, run: frond cancel ${runId}`;
    expect((await said(frond, "rerun", runId, "--plan")).split("\n")).toContain(left);
    expect((await said(frond, "rerun", runId)).split("\n")).toContain(left);
    expect((await follow(frond, left)).stdout).toContain("cancelled");
    expect(await said(frond, "rerun", runId)).not.toContain("is still");
  },
  "commands/validate": async () => {
    const frond = createFrond();
    expect((await follow(frond, await said(frond, "validate", "."))).stdout).toContain("hello-world");
  },
  "detach-run": async () => {
    const frond = createFrond({ "own.yaml": workflow("own", [shell("a", "echo said")]) });
    const { stderr } = await frond.run(["run", "-d", "own.yaml"]);
    const [attach = "", logs = "", cancel = ""] = commandsIn(stderr);
    expect((await typeCommand(frond, attach)).stdout).toMatch(/success.*own/);
    expect((await typeCommand(frond, logs)).stdout).toContain("said");
    expect((await typeCommand(frond, cancel)).stdout).toContain("It had ended already");
  },
  "watch-run": async () => {
    const frond = createFrond({ "own.yaml": workflow("own", [shell("a", "touch began; sleep 300")]) });
    await frond.run(["run", "-d", "own.yaml"]);
    const attached = frond.start(["attach"]);
    await attached.until("start   a");
    attached.child.kill("SIGINT");
    const [again = "", cancel = ""] = commandsIn((await attached.ended).stderr);
    expect((await typeCommand(frond, cancel)).stdout).toMatch(/cancelled.*own/);
    expect((await typeCommand(frond, again)).stdout).toMatch(/cancelled.*own/);
  },
  "commands/save": async () => {
    const frond = createFrond({ "mine.yaml": workflow("mine", [shell("a", "true")]) });
    const saved = await said(frond, "save", "mine.yaml", "--workspace", frond.directory);
    expect((await follow(frond, saved, { directory: frond.home })).code).toBe(0);
  },
  "suggest-command": async () => {
    const frond = createFrond({ "a file.yaml": workflow("file", [shell("a", "true")]) });
    const [run = "", help = ""] = commandsIn(await said(frond, "a file.yaml"));
    expect((await typeCommand(frond, run, { directory: frond.directory })).code).toBe(0);
    expect((await typeCommand(frond, help)).stdout).toContain("Usage: frond");
  },
  "commands/serve": async () => {
    const frond = createFrond();
    expect((await follow(frond, await said(frond, "serve", "--recover"))).code).toBe(0);
  },
};

/** Said above, in test/cli/schedule.test.ts, or in help and documents. */
const saidElsewhere = [
  "commands/schedule",
  "describe-program",
  "commands/mcp-config",
  "next-steps",
  "schedule/crontab",
  "schedule/list-schedules",
  "schedule/print-schedule",
  "commands/trust",
  "word-advice",
  "commands/runs",
  // In test/cli/ui.test.ts.
  "commands/ui",
  // In test/cli/remote.test.ts.
  "leave-to-workers",
];

test("every file that names a command has its advice tried", () => {
  const names = [...readFileSync("docs/cli.md", "utf8").matchAll(/^## frond ([a-z-]+)$/gm)].map(([, name]) => name);
  const saying = filesSaying(
    new RegExp(`\\bfrond (${names.join("|")})\\b`),
    sources.filter((file) => folderOf(file) === "cli"),
  );
  expect(saying.map((file) => /cli\/(.*)\.ts$/.exec(file)?.[1]).sort()).toEqual(
    [...saidElsewhere, ...Object.keys(others)].sort(),
  );
});

test.each(Object.entries(others))("the commands that %s names can be typed, literally", async (_, tryIt) => {
  await tryIt();
});
