import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { createFrond, frondProgram, shell, workflow } from "../rig/frond.ts";

const many = workflow(
  "many",
  Array.from({ length: 12 }, (_, index) => shell(`b${index}`, "sleep 0.2; echo hi")),
);

test.each([48, 64])("with %i descriptors, a command that can't be started says why, and nothing crashes", (most) => {
  const frond = createFrond({ "many.yaml": many });
  const limited = `ulimit -n ${most}; exec "$0" "$@"`;
  const args = ["-c", limited, process.execPath, frondProgram, "run", "many.yaml", "--json"];
  const env = { ...frond.env, FROND_MAX_PROCESSES: "12" };
  const { status, stdout, stderr } = spawnSync("bash", args, { cwd: frond.directory, env, encoding: "utf8" });
  expect(stderr).not.toMatch(/^ +at /m);
  expect(status).toBe(1);
  const { failed_blocks: failed } = JSON.parse(stdout);
  expect(failed).not.toEqual([]);
  for (const { message } of failed) expect(message).toContain("could not be started because too many files are open");
});
