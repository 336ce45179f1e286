// Has the official Inspector look at the tools of the server, as strictly as it can: a client that can't use one of them is a
// warning there.
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { fetchPackage } from "../fetch-package.js";
import { inspector } from "../needed-packages.js";

/** Whether it has nothing to complain about. */
export function inspectTools(node, directory) {
  const program = fetchPackage(...inspector);
  if (program === undefined) return false;
  const server = [process.execPath, resolve("dist/main.js"), "serve"];
  const home = join(directory, "home");
  cpSync("test/conformance/inspected", join(home, ".frond", "workflows"), { recursive: true });
  const { status, stdout, stderr } = spawnSync(
    node,
    [program, "--cli", "--strict", "--method", "tools/list", "--", ...server],
    { cwd: directory, env: { ...process.env, HOME: home, FROND_STATE_DIR: directory }, encoding: "utf8" },
  );
  // The server's own log lines come through; everything else is a complaint.
  const complaints = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  const isFine = status === 0 && complaints.length === 0;
  console.log(
    `\nInspector ${inspector[1]}: ${isFine ? `${JSON.parse(stdout).tools.length} tools, no complaint` : complaints.join("\n")}`,
  );
  return isFine;
}
