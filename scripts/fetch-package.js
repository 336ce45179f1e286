// Packages that only some checks need, and that not every machine can install: fetched when they are first asked for, and kept
// below node_modules.
import { execFileSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";

/** Path of a file of an npm package; nothing, and why on stderr, when it can't be had. */
export function fetchPackage(name, version, file) {
  const place = resolve(`node_modules/.cache/${name.replace("@", "").replace("/", "-")}-${version}`);
  const path = resolve(place, "node_modules", name, file);
  if (existsSync(path)) return path;
  // Elsewhere first: whoever looks while it is being installed finds all of it or nothing.
  const unfinished = `${place}.${process.pid}`;
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    execFileSync("npm", ["install", ...flags, "--prefix", unfinished, `${name}@${version}`], { stdio: "pipe" });
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    const reason = `${error.stderr ?? error.message}`.trim().split("\n")[0];
    console.error(`${name} ${version} can't be installed, so nothing was tested with it: ${reason}`);
    return undefined;
  }
  rmSync(place, { recursive: true, force: true });
  renameSync(unfinished, place);
  if (existsSync(path)) return path;
  console.error(`${name} ${version} was installed without ${file}, so nothing was tested with it.`);
  return undefined;
}

/** The program of a version of Node. */
export function fetchNode(version) {
  return fetchPackage("node", version, process.platform === "win32" ? "bin/node.exe" : "bin/node");
}
