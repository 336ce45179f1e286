import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { bashRequest, started } from "./run-request.ts";
import { waysToStart } from "./ways-to-start.ts";

const canMount = process.platform === "linux" && spawnSync("unshare", ["-Urm", "true"]).status === 0;
const directory = realpathSync(mkdtempSync(join(tmpdir(), "frond-mounts-")));

afterAll(() => rmSync(directory, { recursive: true }));

test.runIf(canMount).each(waysToStart)(
  "a link through the root of a process that sees another directory at the same path leads to ours (%s)",
  async (_, ways) => {
    const ground = mkdtempSync(join(directory, "ground-"));
    const [workspace, outside] = [join(ground, "workspace"), join(ground, "outside")];
    for (const made of [workspace, join(workspace, "sub"), outside]) mkdirSync(made);
    writeFileSync(join(workspace, "sub", "ours"), "");
    writeFileSync(join(outside, "secret"), "");
    const script = 'mount --bind "$1" "$2"; echo ready; exec sleep 300';
    const mounts = ["-Urm", "bash", "-c", script, "bash", outside, join(workspace, "sub")];
    const other = spawn("unshare", mounts, { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void other.kill("SIGKILL"));
    await once(other.stdout, "data");
    const cwd = join(workspace, "link");
    symlinkSync(`/proc/${other.pid}/root${workspace}/sub`, cwd);
    const processes = createProcesses(ways);
    onTestFinished(() => processes.close(0));
    const result = await processes.run(bashRequest("ls", { cwd, within: workspace }));
    expect(started(result).stdout.text).toBe("ours\n");
  },
);
