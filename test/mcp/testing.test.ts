import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFrond, type Frond, shell, workflow } from "../rig/frond.ts";
import { isAlive } from "../rig/is-alive.ts";
import { connect, newEra } from "../rig/mcp.ts";
import { waitFor } from "../rig/wait-for.ts";

const greet = workflow("greet", [shell("say", "echo hello ${inputs.who}")], {
  inputs: { who: { type: "string", description: "Whom" } },
  outputs: { said: "${trim(blocks.say.stdout)}" },
});

const own = ".frond/workflows/greet.yaml";
const ownTest = ".frond/workflows/greet.test.yaml";

/** A test whose setup leaves a mark outside of the case's own directories. */
function marking(frond: Frond, more: object = {}): string {
  const setup = `touch '${join(frond.directory, "mark")}'`;
  return JSON.stringify({ ...more, cases: [{ name: "marks", setup, inputs: { who: "Ada" } }] });
}

const hasRun = (frond: Frond): boolean => existsSync(join(frond.directory, "mark"));

describe.each(newEra)("%s", (era) => {
  test("the cases of a workflow are run, and what failed comes with its difference and the next call", async () => {
    const expecting = (name: string, said: string): object => ({
      name,
      inputs: { who: "Ada" },
      expect: { outputs: { said } },
    });
    const cases = [expecting("is polite", "good day Ada"), expecting("greets", "hello Ada")];
    const frond = createFrond({
      [own]: greet,
      [ownTest]: JSON.stringify({ cases: [...cases, { name: "waits", uses: ["no-such-program"] }] }),
    });
    await frond.run(["trust"]);
    const { call } = await connect(frond, { era });
    const tested = await call("test_workflow", { workflow: "greet" });
    expect(tested.isError).toBe(true);
    expect(tested.data).toEqual({
      status: "failure",
      file: join(frond.directory, ownTest),
      passed: 1,
      failed: 1,
      failures: [
        {
          case: "is polite",
          differences: [{ at: "outputs.said", expected: "good day Ada", found: "hello Ada" }],
        },
      ],
      skipped: [{ case: "waits", needs: ["no-such-program"] }],
      message:
        'Fix the workflow or what is expected of it, then call test_workflow({"workflow":"greet","case":"is polite"}).',
    });
    expect(await call("test_workflow", { workflow: own, case: "greets" })).toMatchObject({
      isError: false,
      data: { status: "success", passed: 1, failed: 0 },
    });
  });
});

test("where there is no test file, the reply has one to begin with, and the call that runs it", async () => {
  const frond = createFrond();
  const { call } = await connect(frond);
  await call("save_workflow", { workflow_yaml: greet });
  const missing = await call("test_workflow", { workflow: "greet" });
  expect(missing).toMatchObject({ isError: true, data: { errors: [{ code: "not-a-test-file" }] } });
  const [, text = "", file = "", next = ""] =
    /^Write (".*") to (\S+)\. Then call test_workflow\((.*)\)\.$/.exec(missing.data.message) ?? [];
  frond.write(file, JSON.parse(text));
  expect((await call("test_workflow", JSON.parse(next))).data).toMatchObject({ status: "success", passed: 1 });
});

test("a test or a workflow that nobody has trusted is not run, however it is named", async () => {
  const frond = createFrond({ [own]: greet });
  frond.write(ownTest, marking(frond));
  const { call } = await connect(frond);
  for (const target of ["greet", own, ownTest, join(frond.directory, ownTest)]) {
    const refused = await call("test_workflow", { workflow: target });
    expect(refused.data.errors[0], target).toMatchObject({
      code: "untrusted-workflow",
      fix: expect.stringContaining(` frond trust ${frond.directory}\``),
    });
  }
  expect(hasRun(frond)).toBe(false);
  await frond.run(["trust"]);
  frond.write(own, greet.replace("hello", "bye"));
  expect((await call("test_workflow", { workflow: "greet" })).data.errors[0]).toMatchObject({
    code: "untrusted-workflow",
    message: expect.stringContaining("has changed since it was trusted"),
  });
  expect(hasRun(frond)).toBe(false);
  await frond.run(["trust"]);
  expect((await call("test_workflow", { workflow: "greet" })).data).toMatchObject({ passed: 1 });
  expect(hasRun(frond)).toBe(true);
});

test("with --no-inline only tests that a person has trusted are run, of workflows that they have trusted", async () => {
  const frond = createFrond({ [own]: greet, "greet.yaml": greet });
  frond.write("greet.test.yaml", marking(frond));
  frond.write(".frond/workflows/far.test.yaml", marking(frond, { workflow: "../../greet.yaml" }));
  frond.write(ownTest, marking(frond));
  await frond.run(["trust"]);
  const { call } = await connect(frond, { args: ["--no-inline"] });
  for (const target of ["greet.yaml", "greet.test.yaml", ".frond/workflows/far.test.yaml"]) {
    const refused = await call("test_workflow", { workflow: target });
    expect(refused.data.errors[0], target).toMatchObject({
      code: "untrusted-workflow",
      message: expect.stringContaining("is in no library of workflows"),
    });
  }
  expect(hasRun(frond)).toBe(false);
  expect((await call("test_workflow", { workflow: "greet" })).data).toMatchObject({ passed: 1 });
});

test("what the server's user forbids holds in tests, too", async () => {
  const reading = workflow("reading", [{ id: "a", type: "ReadFile", inputs: { path: "/etc/passwd", unsafe: true } }]);
  const frond = createFrond({
    ".frond/workflows/reading.yaml": reading,
    ".frond/workflows/reading.test.yaml": "cases: [{ name: a }]",
  });
  await frond.run(["trust"]);
  const { call } = await connect(frond, { args: ["--no-unsafe"] });
  expect((await call("test_workflow", { workflow: "reading" })).data.errors[0]).toMatchObject({
    code: "unsafe-forbidden",
  });
  const { client } = await connect(frond, { args: ["--read-only"] });
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("test_workflow");
});

test("nothing outside of the workspace, and no directory, is tested", async () => {
  const frond = createFrond({ "sub/greet.yaml": greet, "x.test.yaml": "cases: [{ name: a }]" });
  const { call } = await connect(frond);
  const code = async (args: object): Promise<string> => (await call("test_workflow", { ...args })).data.errors[0].code;
  expect(await code({ workflow: "../x.test.yaml", workspace: "sub" })).toBe("out-of-reach");
  expect(await code({ workflow: "./sub" })).toBe("not-a-file");
  // A name is one of the library, whatever the server's directory holds.
  expect(await code({ workflow: "sub" })).toBe("unknown-workflow");
  expect(await code({ workflow: "greet.yaml", workspace: ".." })).toBe("out-of-reach");
});

test("a case that runs when the client goes ends with it, and leaves nothing behind", async () => {
  const frond = createFrond({ "greet.yaml": greet });
  const place = join(frond.directory, "place");
  const setup = `printf '%s %s' "$PWD" "$$" > '${place}.new'; mv '${place}.new' '${place}'; sleep 600`;
  frond.write("greet.test.yaml", JSON.stringify({ cases: [{ name: "hangs", setup }] }));
  const { client, pid } = await connect(frond, { alone: true });
  const called = client.callTool({ name: "test_workflow", arguments: { workflow: "greet.yaml" } }).catch(() => {});
  await waitFor("the case to run", () => existsSync(place));
  const [directory = "", running = ""] = readFileSync(place, "utf8").split(" ");
  expect(isAlive(Number(running))).toBe(true);
  await client.close();
  await called;
  await waitFor("the server to end", () => !isAlive(pid));
  await waitFor("the command to end", () => !isAlive(Number(running)));
  expect(existsSync(directory)).toBe(false);
});
