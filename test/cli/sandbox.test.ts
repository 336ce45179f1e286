import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { useBubblewrap } from "../rig/bubblewrap.ts";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";

await useBubblewrap();

/** Not in /tmp, where a command in a sandbox writes without anybody seeing it. */
function createPlatform(): string {
  const directory = realpathSync(mkdtempSync("/var/tmp/frond-outside-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A workflow that asks first and then writes where it may not. */
function createWriting(platform: string): Frond {
  const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } };
  const write = shell("write", `echo \${blocks.ask.response} > ${platform}/file`);
  return createFrond({ "writing.yaml": workflow("writing", [ask, write]) });
}

test("--sandbox holds for every command of the run, whoever goes on with it, and for a rerun", async () => {
  const platform = createPlatform();
  const frond = createWriting(platform);
  const refused = {
    code: 1,
    reply: { failed_blocks: [{ message: expect.stringContaining("Read-only file system") }] },
  };
  expect((await frond.run(["run", "writing.yaml", "--sandbox"])).code).toBe(3);
  expect(await frond.json(["resume", "last", "--response", "yes"])).toMatchObject(refused);
  // Its answer is reused.
  expect(await frond.json(["rerun", "last"])).toMatchObject(refused);
  expect(readdirSync(platform)).toEqual([]);
  await frond.run(["run", "writing.yaml"]);
  expect(await frond.json(["resume", "last", "--response", "yes"])).toMatchObject({ code: 0 });
  expect(readdirSync(platform)).toEqual(["file"]);
});

test("the same idempotency key with and without --sandbox is not the same run", async () => {
  const frond = createWriting(createPlatform());
  const args = ["run", "writing.yaml", "--idempotency-key", "k"];
  await frond.run(args);
  expect(await frond.json([...args, "--sandbox"])).toMatchObject({
    code: 2,
    reply: { errors: [{ code: "key-taken" }] },
  });
});

test("neither Frond's own data nor its secrets are there in a sandbox", async () => {
  const frond = createFrond({
    "look.yaml": workflow("look", [shell("look", "ls -A state; env | grep -c canary")], {
      sandbox: true,
      outputs: { seen: "${blocks.look.stdout}" },
    }),
  });
  mkdirSync(join(frond.directory, "state"), { mode: 0o700 });
  const env = { FROND_STATE_DIR: join(frond.directory, "state"), FROND_SECRET_KEY: "canary" };
  expect(await frond.json(["run", "look.yaml"], { env })).toMatchObject({ reply: { outputs: { seen: "0\n" } } });
  expect(readdirSync(join(frond.directory, "state"))).toContain("logs");
});

test("where the system allows no namespaces a sandboxed block fails and says so, and nothing of it runs", async (context) => {
  const frond = createFrond({ "touch.yaml": workflow("touch", [shell("touch", "touch ran", { sandbox: true })]) });
  const program = join(import.meta.dirname, "../../dist/main.js");
  const forbidding = ["--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--"];
  if (spawnSync("bwrap", [...forbidding, "true"]).status !== 0) context.skip("this bubblewrap can't forbid namespaces");
  const { stdout } = spawnSync("bwrap", [...forbidding, process.execPath, program, "run", "touch.yaml", "--json"], {
    cwd: frond.directory,
    env: { PATH: process.env.PATH, HOME: frond.home, FROND_STATE_DIR: frond.state },
    encoding: "utf8",
  });
  expect(JSON.parse(stdout)).toMatchObject({
    status: "failure",
    failed_blocks: [{ message: expect.stringMatching(/can't make a sandbox here: bwrap: .*It needs user namespaces/) }],
  });
  expect(readdirSync(frond.directory)).toEqual(["touch.yaml"]);
});
