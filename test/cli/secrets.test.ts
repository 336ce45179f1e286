import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canary, canaryReference, createCanaryFrond, canaryEnv as env } from "../rig/canary.ts";
import { filesHolding, filesWithSecret, findSecret } from "../rig/find-secret.ts";
import { createFrond, type Ended, type Frond, shell, workflow } from "../rig/frond.ts";
import { serve } from "../rig/http-server.ts";
import { waitFor } from "../rig/wait-for.ts";

const T = canaryReference;

function expectNoSecret(frond: Frond, ...ended: readonly Ended[]): void {
  for (const { stdout, stderr } of ended) {
    expect(findSecret(stdout, canary)).toEqual([]);
    expect(findSecret(stderr, canary)).toEqual([]);
  }
  expect(filesWithSecret(frond.state, canary)).toEqual([]);
}

test("a secret that goes through every kind of block is found nowhere afterwards", async () => {
  const server = await serve((request, response) => response.end(`${request.headers["x-key"]} ${canary}`));
  const frond = createCanaryFrond(server.url);
  const paused = await frond.run(["run", "flow.yaml"], { env });
  expectNoSecret(frond, paused);
  const { reply } = await frond.json(["show", "last"]);
  const { run_id: runId } = reply as { run_id: string };
  const ended = await frond.run(["resume", "last", "--response", "yes"], { env });
  const looks = await Promise.all(
    [
      ["show", runId, "--json"],
      ["show", runId],
      ["logs", runId],
      ["logs", runId, "--json"],
      ["runs", "--json"],
    ].map((args) => frond.run(args)),
  );
  expectNoSecret(frond, ended, ...looks);
  const [shown] = looks;
  const blocks = (JSON.parse(shown?.stdout ?? "") as { blocks: Record<string, { outputs: Record<string, unknown> }> })
    .blocks;
  expect(blocks.raw?.outputs).toMatchObject({ stdout: "[secret CANARY]\n", stderr: "[secret CANARY]\n" });
  expect(blocks.bytes?.outputs.stdout).toBe("[secret CANARY]");
  expect(blocks.exit?.outputs.exit_code).toBe(7);
  expect(blocks.file?.outputs).toMatchObject({ text: "[secret CANARY]", json: { a: "[secret CANARY]" } });
  expect(blocks.nested?.outputs).toEqual({ said: "[secret CANARY]\n" });
  expect(blocks.request).toMatchObject({ metadata: { outcome: "success" } });
  expect(blocks.request?.outputs.body).toBe("[secret CANARY] [secret CANARY]");
  for (const file of ["command", "stdin"])
    expect(readFileSync(join(frond.directory, "seen", file), "utf8")).toBe(canary);
  expect(server.requests[0]).toMatchObject({ headers: { "x-key": canary }, body: JSON.stringify({ key: canary }) });
});

test("after kill -9 it is looked up again, because it was never stored", async () => {
  const command = 'printf %s "$T" > used; echo "$T"; echo "$T" >&2; test -e go || sleep 60';
  const block = { id: "a", type: "Shell", inputs: { command, env: { T } }, on_interrupted: "rerun" };
  const frond = createFrond({ "flow.yaml": workflow("flow", [block]) });
  const first = frond.start(["run", "flow.yaml"], { env });
  const logs = join(frond.state, "logs");
  await waitFor("the command to speak", () => existsSync(logs) && filesHolding(logs, "[secret CANARY]").length > 0);
  first.child.kill("SIGKILL");
  expectNoSecret(frond, await first.ended);
  frond.write("go", "");
  frond.write("used", "");
  const without = await frond.run(["recover"]);
  expectNoSecret(frond, without);
  expect(readFileSync(join(frond.directory, "used"), "utf8")).toBe("");
  const { reply } = await frond.json(["show", "last"]);
  expect(JSON.stringify(reply)).toContain("The secret 'CANARY' is missing. Set FROND_SECRET_CANARY");
  const again = await frond.run(["rerun", "last"], { env });
  expect(again.code).toBe(0);
  expect(readFileSync(join(frond.directory, "used"), "utf8")).toBe(canary);
  expectNoSecret(frond, again);
});

describe("the command line", () => {
  const files = {
    "flow.yaml": workflow("flow", [{ id: "a", type: "Shell", inputs: { command: "true", env: { T } } }]),
  };

  test("refuses to start what can't do without a secret that is missing", async () => {
    const frond = createFrond(files);
    const { code, stderr } = await frond.run(["run", "flow.yaml"]);
    expect(code).toBe(2);
    expect(stderr).toContain("The secret 'CANARY' is missing. Set FROND_SECRET_CANARY where Frond is started.");
    const { reply } = await frond.json(["run", "flow.yaml"]);
    expect(reply).toMatchObject({ errors: [{ code: "missing-secret" }] });
    expect((await frond.run(["run", "flow.yaml"], { env: { WORKFLOW_SECRET_CANARY: canary } })).code).toBe(0);
  });

  test("tells which secrets a workflow needs", async () => {
    const frond = createFrond(files);
    expect((await frond.run(["validate", "flow.yaml"])).stdout).toContain("; secrets: CANARY\n");
    expect((await frond.json(["validate", "flow.yaml"])).reply).toMatchObject({ files: [{ secrets: ["CANARY"] }] });
    expect((await frond.run(["info", "flow.yaml"])).stdout).toContain(
      "It needs the secrets: CANARY (FROND_SECRET_CANARY).",
    );
    expect((await frond.json(["info", "flow.yaml"])).reply).toMatchObject({ secrets: ["CANARY"] });
  });

  test("takes no secret as an input", async () => {
    const inputs = { token: { type: "string", description: "A token", secret: true } };
    const frond = createFrond({ "flow.yaml": workflow("flow", [shell("a", "true")], { inputs }) });
    const { code, stderr } = await frond.run(["run", "flow.yaml", "--input", `token=${canary}`]);
    expect(code).toBe(2);
    expect(stderr).toContain("The input 'token' is secret, and only a calling workflow can give it.");
    expect((await frond.run(["info", "flow.yaml"])).stdout).toMatch(
      / secret +required .*\(only from another workflow\)/,
    );
  });
});

test.runIf(process.platform === "linux")(
  "commands find no secret in the environment of whoever started them",
  async () => {
    const command =
      "tr '\\0' '\\n' < /proc/$PPID/environ | grep -c -e kanari -e '^FROND_SECRET_CANARY=.' ; tr '\\0' '\\n' < /proc/$PPID/environ | grep ^MINE";
    const frond = createFrond({
      "flow.yaml": workflow("flow", [shell("a", command)], { outputs: { said: "${blocks.a.stdout}" } }),
    });
    const { reply } = await frond.alone.json(["run", "flow.yaml"], { env: { ...env, MINE: "stays" } });
    expect(reply).toMatchObject({ outputs: { said: "0\nMINE=stays\n" } });
  },
);
