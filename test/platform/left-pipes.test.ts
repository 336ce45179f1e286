import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { leftBehind, ownPrefix } from "../../src/platform/files/left-behind.ts";
import { memoryDirectories } from "../../src/platform/files/memory-directory.ts";
import { createFrond, shell, workflow } from "../rig/frond.ts";

const [memory] = memoryDirectories();

function pipesOf(pid: number | undefined): readonly string[] {
  return readdirSync(memory).filter((name) => name.startsWith("frond-pipes-") && name.includes(`-${pid}-`));
}

test("the next engine removes what one left that was killed while it made pipes", async () => {
  const frond = createFrond();
  frond.write("one.yaml", workflow("one", [shell("say", "echo hello")]));
  // Kills whoever starts it, when the pipes are there and still have names.
  frond.write("bin/mkfifo", '#!/bin/sh\n/usr/bin/mkfifo "$@"\nkill -9 $PPID\n');
  chmodSync(join(frond.directory, "bin", "mkfifo"), 0o755);
  const PATH = `${join(frond.directory, "bin")}:${process.env.PATH}`;
  const killed = frond.start(["run", "one.yaml"], { env: { PATH } });
  await killed.ended;
  expect(killed.child.signalCode).toBe("SIGKILL");
  expect(pipesOf(killed.child.pid)).toHaveLength(1);
  expect((await frond.alone.run(["run", "one.yaml"])).code).toBe(0);
  expect(pipesOf(killed.child.pid)).toEqual([]);
});

test("only directories of processes that are gone count as left behind", () => {
  const parent = mkdtempSync(join(memory, "frond-left-behind-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const gone = spawnSync("true").pid;
  const nameOf = (pid: number): string => ownPrefix("pipes").replace(`-${process.pid}-`, `-${pid}-`);
  for (const name of [`${nameOf(gone)}a`, `${nameOf(process.pid)}b`, `${nameOf(process.ppid)}c`]) {
    mkdirSync(join(parent, name));
  }
  mkdirSync(join(parent, `${ownPrefix("browser").replace(`-${process.pid}-`, `-${gone}-`)}d`));
  mkdirSync(join(parent, `frond-pipes-00000000-${gone}-e`));
  writeFileSync(join(parent, `${nameOf(gone)}f`), "");
  expect(leftBehind(parent, "pipes")).toEqual([join(parent, `${nameOf(gone)}a`)]);
  expect(existsSync(join(parent, `${nameOf(gone)}a`))).toBe(true);
  expect(leftBehind(join(parent, "nowhere"), "pipes")).toEqual([]);
});
