import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";

const megabytes = 5;

test("a document of several megabytes arrives whole through a pipe", async () => {
  const big = `head -c ${megabytes * 1_000_000} /dev/zero | tr '\\0' x`;
  const block = { ...shell("big", big), inputs: { command: big, max_output: megabytes * 1_000_000 } };
  const outputs = { big: { value: "${blocks.big.stdout}" } };
  const frond = createFrond({ "big.yaml": workflow("big", [block], { outputs }) });
  const { code, reply } = await frond.json(["run", "big.yaml"]);
  expect(code).toBe(0);
  expect((reply as { outputs: { big: string } }).outputs.big).toHaveLength(megabytes * 1_000_000);
});

test("a reader that goes away is no error and stops nothing", async () => {
  const blocks = Array.from({ length: 20 }, (_, index) =>
    shell(`b${index}`, `echo ${index} >> done`, index === 0 ? {} : { depends_on: [`b${index - 1}`] }),
  );
  const frond = createFrond({ "long.yaml": workflow("long", blocks) });
  const run = frond.start(["run", "long.yaml"]);
  await run.until("start   b0");
  run.child.stdout.destroy();
  const { code, stderr } = await run.ended;
  expect(stderr).toBe("");
  expect(code).toBe(0);
  expect(readFileSync(join(frond.directory, "done"), "utf8").trim().split("\n")).toHaveLength(20);
});

test.each(["list", "schema", "run hello-world"])(
  "`frond %s` into a full disk says so and is a failure",
  async (line) => {
    const frond = createFrond();
    const main = join(import.meta.dirname, "../../dist/main.js");
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", `exec "$0" "$@" > /dev/full`, process.execPath, main, ...line.split(" ")],
      {
        cwd: frond.directory,
        env: { PATH: process.env.PATH, HOME: frond.home },
        encoding: "utf8",
      },
    );
    expect(stderr).toBe("error: The output could not be written: ENOSPC: no space left on device, write\n");
    expect(status).toBe(1);
  },
);

test.each([
  [{}, false],
  [{ FORCE_COLOR: "1" }, true],
  [{ FORCE_COLOR: "0" }, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false],
])("in a pipe, with %j, colour is %j", async (env, coloured) => {
  const { stdout } = await createFrond().run(["run", "hello-world"], { env });
  expect(stdout.includes("\u001b[32msuccess\u001b[39m")).toBe(coloured);
  expect(stdout.includes("\u001b")).toBe(coloured);
});
