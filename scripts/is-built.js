import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What the build reads. A directory counts as well: its time tells of a file that is gone from it. */
const inputs = ["src", "scripts", "workflows", "package.json", "node_modules/.package-lock.json"];

/** What the build writes last. */
const last = "dist/third-party-licences.txt";

/** Whether dist/ is whole, by this version of Node, and newer than all that it is built from. */
export function isBuilt() {
  const built = timeOf(last);
  const caches = readNames("dist").filter((name) => name.includes(`-${process.version}-${process.arch}-`));
  return caches.length > 0 && inputs.every((path) => newestIn(path) < built);
}

function newestIn(path) {
  const inside = readNames(path).map((name) => timeOf(join(path, name)));
  return inside.reduce((newest, time) => Math.max(newest, time), timeOf(path));
}

/** Nothing of what is no directory. */
function readNames(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(path, { recursive: true }) : [];
}

/** The beginning of time for what is not there. */
function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
