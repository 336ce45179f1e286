// Makes sure that bubblewrap is there, which the tests of sandboxes need: finds it, or installs it as root where there is apt.
import { spawnSync } from "node:child_process";

if (!isThere()) {
  const problem = install();
  if (problem !== undefined) {
    console.error(`The tests of sandboxes need bubblewrap (bwrap): ${problem}`);
    process.exitCode = 1;
  }
}

function isThere() {
  return spawnSync("bwrap", ["--version"]).status === 0;
}

function install() {
  if (process.getuid?.() !== 0) return "install it, for example with: sudo apt-get install bubblewrap";
  // Other tests may be installing something at the same time.
  const apt = (...args) =>
    spawnSync("apt-get", ["-o", "DPkg::Lock::Timeout=300", "-qy", ...args], { encoding: "utf8" });
  let tried = apt("install", "bubblewrap");
  if (tried.error !== undefined) return "install it; there is no apt-get here to do that with.";
  if (tried.status !== 0) {
    apt("update");
    tried = apt("install", "bubblewrap");
  }
  if (tried.status === 0 && isThere()) return undefined;
  return `apt-get can't install it: ${(tried.stderr ?? "").trim().split("\n")[0]}`;
}
