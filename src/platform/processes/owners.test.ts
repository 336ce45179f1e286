import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { waitFor } from "../../../test/rig/wait-for.ts";
import type { Owner } from "../../journal/owner.ts";
import { createOwners } from "./owners.ts";
import { identifyProcess, startTimeHere } from "./process-identity.ts";

const owners = createOwners();
const fresh = () => Date.now();
const minutesAgo = (count: number) => Date.now() - count * 60_000 - 1000;

function startOwner(script: string): { readonly child: ChildProcess; readonly owner: Owner } {
  const child = spawn("bash", ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { pid, startTime } = identifyProcess(child.pid as number);
  return { child, owner: { ...owners.self, pid, startTime: startTimeHere({ pid, startTime }) ?? "" } };
}

test("this process is not gone, however long it has been silent", () => {
  expect(owners.self).toMatchObject({ pid: process.pid, startTime: expect.stringMatching(/\d/) });
  expect(owners.self.bootId).not.toBe("");
  expect(owners.isGone({ owner: owners.self, heartbeatAt: minutesAgo(1000) })).toBe(false);
  expect(createOwners().self).toEqual(owners.self);
});

test("a process whose id another one has now is gone", () => {
  const owner = { ...owners.self, startTime: `${owners.self.startTime}1` };
  expect(owners.isGone({ owner, heartbeatAt: fresh() })).toBe(true);
});

test("another process is gone as soon as it has ended", async () => {
  const { child, owner } = startOwner("read");
  expect(owners.isGone({ owner, heartbeatAt: minutesAgo(1000) })).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(owners.isGone({ owner, heartbeatAt: fresh() })).toBe(true);
});

test.runIf(process.platform === "linux")("a zombie is gone", async () => {
  // The child ends when its parent has become a program that never asks for it.
  const { child } = startOwner("(until grep -q sleep /proc/$$/comm; do :; done) & echo $!; exec sleep 300");
  const [line] = await once(child.stdout as NodeJS.ReadableStream, "data");
  const pid = Number(String(line));
  const stat = () => readFileSync(`/proc/${pid}/stat`, "utf8");
  await waitFor("it is a zombie", () => /\) Z /.test(stat()));
  const startTime = stat().split(" ")[21] as string;
  expect(owners.isGone({ owner: { ...owners.self, pid, startTime }, heartbeatAt: fresh() })).toBe(true);
});

describe("of an owner whose process can't be looked up", () => {
  test.each<[string, Partial<Owner>]>([
    ["another boot or machine", { bootId: "somewhere" }],
    ["another container", { pidNamespace: "pid:[1]" }],
    ["a boot that could not be told", { bootId: "" }],
    ["a start that could not be told", { startTime: "" }],
  ])("(%s) only a minute's silence tells that it is gone", (_, other) => {
    const owner = { ...owners.self, ...other };
    expect(owners.isGone({ owner, heartbeatAt: fresh() })).toBe(false);
    expect(owners.isGone({ owner, heartbeatAt: Date.now() - 50_000 })).toBe(false);
    expect(owners.isGone({ owner, heartbeatAt: minutesAgo(1) })).toBe(true);
  });

  test("a heartbeat from the future, written before a clock was set back, does not hold a run for ever", () => {
    const owner = { ...owners.self, bootId: "somewhere" };
    expect(owners.isGone({ owner, heartbeatAt: Date.now() + 50_000 })).toBe(false);
    expect(owners.isGone({ owner, heartbeatAt: Date.now() + 61_000 })).toBe(true);
  });
});
