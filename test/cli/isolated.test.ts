import { spawn } from "node:child_process";
import { chownSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, type Frond, frondProgram } from "../rig/frond.ts";
import { isAlive } from "../rig/is-alive.ts";
import { useIsolation } from "../rig/isolation.ts";
import { waitFor } from "../rig/wait-for.ts";

await useIsolation();

function workflow(command: string): string {
  const block = { id: "it", type: "Shell", effects: "isolated", inputs: { command } };
  return JSON.stringify({ name: "isolated", description: "Made by a test", blocks: [block] });
}

const files = {
  a: "one\n",
  "long.yaml": workflow("rm a; echo x > b; echo $$ > $SCRATCH/pid; chmod 000 .; echo begun; sleep 60"),
  "short.yaml": workflow("id -u > user; rm a; mkdir -p far/away; chmod 700 far"),
};

function leftIn(frond: Frond): readonly string[] {
  return readdirSync(join(frond.state, "isolated"));
}

test("killed with -9, Frond leaves the workspace as it was; the next run removes the rest", async () => {
  const frond = createFrond(files);
  const running = frond.start(["run", "long.yaml"]);
  await running.until("begun");
  const [run = ""] = readdirSync(join(frond.directory, ".scratch")).filter((name) => name.startsWith("run_"));
  const command = Number(readFileSync(join(frond.directory, ".scratch", run, "pid"), "utf8"));
  expect(isAlive(command)).toBe(true);
  expect(leftIn(frond)).toHaveLength(1);
  running.child.kill("SIGKILL");
  await running.ended;
  await waitFor("the supervisor ends the command", () => !isAlive(command));
  expect(readdirSync(frond.directory).sort()).toEqual([".scratch", "a", "long.yaml", "short.yaml"]);
  expect(leftIn(frond)).toHaveLength(1);
  const { code } = await frond.run(["run", "short.yaml"]);
  expect(code).toBe(0);
  expect(existsSync(join(frond.directory, "a"))).toBe(false);
  expect(leftIn(frond)).toEqual([]);
});

test("frond gc removes what a killed Frond has left of isolated workspaces", async () => {
  const frond = createFrond(files);
  const running = frond.start(["run", "long.yaml"]);
  await running.until("begun");
  running.child.kill("SIGKILL");
  await running.ended;
  expect(leftIn(frond)).toHaveLength(1);
  expect((await frond.run(["gc"])).code).toBe(0);
  expect(leftIn(frond)).toEqual([]);
});

test("frond doctor tells whether commands can be isolated", async () => {
  const frond = createFrond();
  const { reply } = await frond.json(["doctor", "--json"]);
  expect(reply).toMatchObject({
    checks: expect.arrayContaining([
      { check: "isolation", level: "ok", message: expect.stringContaining("overlay mounts work in ") },
    ]),
  });
});

test("where commands can't be isolated, a block that asks for it does not run, and says what to write instead", async () => {
  const frond = createFrond(files);
  // Neither unshare nor nsenter is there.
  const { code, stderr, stdout } = await frond.run(["run", "short.yaml"], { env: { PATH: "/nowhere" } });
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain("the programs unshare and nsenter are needed, of the package util-linux");
  expect(stdout + stderr).toContain("Say `effects: observe`");
  expect(existsSync(join(frond.directory, "user"))).toBe(false);
});

const nobody = 65_534;

/** Root needs no user namespace, so only this tries that way where tests run as root. */
test.runIf(process.getuid?.() === 0)("an ordinary user's command is isolated, and stays that user's", async () => {
  const frond = createFrond(files);
  const { directory, home, state, env } = frond;
  const mine = [dirname(directory), directory, home, state, ...Object.keys(files).map((path) => join(directory, path))];
  for (const path of mine.filter(existsSync)) chownSync(path, nobody, nobody);
  const user = { uid: nobody, gid: nobody, cwd: directory, env: { ...env }, stdio: "ignore" } as const;
  const child = spawn(process.execPath, [frondProgram, "run", "short.yaml"], user);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  expect(code).toBe(0);
  expect(frond.read("user")).toBe(`${nobody}\n`);
  expect(readdirSync(directory).sort()).toEqual(["far", "long.yaml", "short.yaml", "user"]);
  expect(leftIn(frond)).toEqual([]);
});
