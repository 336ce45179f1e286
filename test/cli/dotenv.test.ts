import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";

const show = workflow("show", [shell("show", 'echo "[$ONE] [$TWO]"')]);

test("--dotenv gives commands variables; the last file wins, and the environment over all of them", async () => {
  const files = { "show.yaml": show, ".env": "ONE=file\nTWO=file\n", "more.env": 'TWO="more words"\n' };
  const frond = createFrond(files);
  const shown = async (options: string[], env = {}): Promise<string> =>
    (await frond.run(["run", "show.yaml", ...options], { env })).stdout;
  expect(await shown([])).toContain("show | [] []\n");
  const both = ["--dotenv", ".env", "--dotenv", "more.env"];
  expect(await shown(both)).toContain("show | [file] [more words]\n");
  expect(await shown(both, { ONE: "environment" })).toContain("show | [environment] [more words]\n");
  expect(await shown(both, { TWO: "" })).toContain("show | [file] []\n");
});

test("FROND_SECRET_NAME in a file is a secret: commands get it where they ask for it, and nothing that is kept has it", async () => {
  const value = "canary-from-a-file";
  const command = `[ "$TOKEN" = ${value.replace("canary", "'can'ary")} ] && echo "token $TOKEN" && env | grep -c FROND_SECRET`;
  const block = {
    id: "use",
    type: "Shell",
    inputs: { command: `${command}; true`, env: { TOKEN: "${secrets.DEPLOY}" } },
  };
  const frond = createFrond({ "use.yaml": workflow("use", [block]), ".env": `FROND_SECRET_DEPLOY=${value}\n` });
  expect((await frond.run(["run", "use.yaml"])).code).not.toBe(0);
  const { code, stdout } = await frond.run(["run", "use.yaml", "--dotenv", ".env"]);
  expect(code).toBe(0);
  expect(stdout).toContain("use | token [secret DEPLOY]\nuse | 0\n");
  expect(() => execFileSync("grep", ["-ra", value, frond.state])).toThrow();
});

test("the values of variables are in nothing that is kept", async () => {
  const canary = "canary-of-a-variable";
  const frond = createFrond({
    "quiet.yaml": workflow("quiet", [shell("quiet", 'test -n "$QUIET"')]),
    ".env": `QUIET=${canary}\n`,
  });
  expect((await frond.run(["run", "quiet.yaml", "--dotenv", ".env"])).code).toBe(0);
  expect(() => execFileSync("grep", ["-ra", canary, frond.state])).toThrow();
});

test.each(["run", "rerun", "resume"])("`frond %s` refuses a bad line before anything runs", async (command) => {
  const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } };
  const frond = createFrond({
    "mark.yaml": workflow("mark", [ask, shell("mark", "touch ran", { depends_on: ["ask"] })]),
    ".env": "ONE=1\nmy hidden words\n",
  });
  if (command !== "run") await frond.run(["run", "mark.yaml"]);
  const what = { run: ["mark.yaml"], rerun: ["last"], resume: ["last", "--response", "yes"] }[command] ?? [];
  const { code, stdout, stderr } = await frond.run([command, ...what, "--dotenv", ".env"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("error: '.env', line 2: this is not NAME=value. [bad-env-file]");
  expect(stderr).not.toContain("hidden");
  expect(existsSync(join(frond.directory, "ran"))).toBe(false);
  const { code: missing, reply } = await frond.json([command, ...what, "--dotenv", "gone.env"]);
  expect(missing).toBe(2);
  expect(reply).toMatchObject({ errors: [{ code: "bad-env-file", message: "There is no file 'gone.env'." }] });
});

test("a run that goes on in another process has the variables that this one is given", async () => {
  const ask = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } };
  const after = shell("after", 'echo "[$ONE]"', { depends_on: ["ask"] });
  const frond = createFrond({ "ask.yaml": workflow("ask", [ask, after]), ".env": "ONE=1\n", "other.env": "ONE=2\n" });
  await frond.run(["run", "ask.yaml", "--dotenv", ".env"]);
  const resumed = await frond.run(["resume", "last", "--response", "yes", "--dotenv", "other.env"]);
  expect(resumed.stdout).toContain("after | [2]\n");
  await frond.run(["run", "ask.yaml", "--dotenv", ".env"]);
  expect((await frond.run(["resume", "last", "--response", "yes"])).stdout).toContain("after | []\n");
});

test("--env-file is the same by its usual name", async () => {
  const ask = shell("say", 'echo "[$ONE$TWO]"');
  const frond = createFrond({ "say.yaml": workflow("say", [ask]), ".env": "ONE=1\nTWO=2\n", "b.env": "TWO=3\n" });
  const { code, stdout } = await frond.run(["run", "say.yaml", "--env-file", ".env", "--env-file=b.env"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/say \| \[1[23]\]/);
  // Node itself complains of a file that is not there, where it has looked for it.
  expect((await frond.run(["run", "say.yaml", "--env-file", "gone.env"])).code).not.toBe(0);
});
