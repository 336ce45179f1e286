// Has the official Inspector look at the tools of the server, as strictly as it can: a client that can't use one of them is a
// warning there.
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { fetchPackage } from "../fetch-package.js";

const version = "2.12.0";

/** Whether it has nothing to complain about. */
export function inspectTools(node, directory) {
  const inspector = fetchPackage("@modelcontextprotocol/inspector", version, "clients/launcher/build/index.js");
  if (inspector === undefined) return false;
  const server = [process.execPath, resolve("dist/main.js"), "serve"];
  const home = join(directory, "home");
  cpSync("test/conformance/inspected", join(home, ".frond", "workflows"), { recursive: true });
  const { status, stdout, stderr } = spawnSync(
    node,
    [inspector, "--cli", "--strict", "--method", "tools/list", "--", ...server],
    { cwd: directory, env: { ...process.env, HOME: home, FROND_STATE_DIR: directory }, encoding: "utf8" },
  );
  // The server's own log lines come through; everything else is a complaint.
  const complaints = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  const isFine = status === 0 && complaints.length === 0;
  console.log(
    `\nInspector ${version}: ${isFine ? `${JSON.parse(stdout).tools.length} tools, no complaint` : complaints.join("\n")}`,
  );
  return isFine;
}
