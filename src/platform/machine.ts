import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";

let boot: string | undefined;
let namespace: string | undefined;

/** Tells this start of this machine from any other of any machine; empty where it can't be told. */
export function bootId(): string {
  boot ??= readBootId();
  return boot;
}

/** Within which process ids mean something; empty where the system has only one. */
export function pidNamespace(): string {
  namespace ??= process.platform === "linux" ? orNothing(() => readlinkSync("/proc/self/ns/pid")) : "";
  return namespace;
}

function readBootId(): string {
  if (process.platform === "linux") return orNothing(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1"));
  if (process.platform !== "darwin") return "";
  const { stdout } = spawnSync("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "latin1" });
  return (stdout ?? "").trim();
}

function orNothing(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return "";
  }
}
