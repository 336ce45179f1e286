import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createEnvironment } from "../../src/platform/environment.ts";
import { createProcesses } from "../../src/platform/processes/processes.ts";
import { createSandbox } from "../../src/platform/sandbox/sandbox.ts";
import { useBubblewrap } from "../rig/bubblewrap.ts";
import { canExchange, startExchanging } from "../rig/exchange.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { bashRequest } from "./run-request.ts";

await useBubblewrap();
beforeEach((context) => {
  if (!canExchange()) context.skip("python3 can't call renameat2 here");
});

/** Not in /tmp, of which every sandbox has one of its own. */
const ground = realpathSync(mkdtempSync("/var/tmp/frond-race-"));
afterAll(() => rmSync(ground, { recursive: true, force: true }));

const parallel = 4;

const read = (path: string): string => readFileSync(path, "utf8");

/** Commands that ran, 2,000 in all; those that found a link at once and were refused are not counted. */
const starts = scaled({ slice: 5, long: 500 });

test.each([
  [".git", ".git"],
  ["the settings of git", ".git/config"],
  [".frond", ".frond"],
  ["the workspace itself", ""],
])(
  "while %s is exchanged for a link into the home, no start of a sandbox reads or writes there",
  async (_, raced) => {
    const base = mkdtempSync(join(ground, "case-"));
    const [home, workspace] = [join(base, "home"), join(base, "home/project")];
    // Where the link leads there is all that a repository has, so that whoever is led there finds what he looks for.
    for (const directory of [join(workspace, ".git"), join(workspace, ".frond"), home]) {
      for (const name of ["hooks", "frond-sandbox"]) mkdirSync(join(directory, name), { recursive: true });
      for (const name of ["HEAD", "config", "written"]) writeFileSync(join(directory, name), "");
      writeFileSync(join(directory, "commondir"), ".");
    }
    writeFileSync(join(home, "id"), "a canary");
    // Both names are in the workspace, so that what was mounted at either is found at one of them.
    const there = join(workspace, raced === "" ? "../exchanged" : "exchanged");
    symlinkSync(raced.endsWith("config") ? join(home, "id") : home, there);
    const environment = createEnvironment({ PATH: process.env.PATH, HOME: home });
    const processes = createProcesses({ sandbox: createSandbox(environment, join(base, "state")) });
    onTestFinished(() => processes.close(0));

    const command = `cd ${workspace}; for it in ${raced} exchanged .; do
      echo out >> $it/written; echo out >> $it; cat $it/id $it; done; true`;
    const racer = await startExchanging(join(workspace, raced), there);
    let [tries, ran, leaked] = [0, 0, 0];
    const drive = async (): Promise<void> => {
      while (ran < starts) {
        tries += 1;
        const sandbox = { workspace, network: "none" } as const;
        const result = await processes.run(bashRequest(command, { cwd: "/", sandbox }));
        if (!result.started) continue;
        ran += 1;
        if (result.stdout.text.includes("a canary")) leaked += 1;
      }
    };
    await Promise.all(Array.from({ length: parallel }, drive));
    await racer.end();
    process.stderr.write(`'${raced}' exchanged: ${ran} commands ran of ${tries}, ${leaked} read outside\n`);
    const touched = read(join(home, "written")) + read(join(home, "id")).replace("a canary", "");
    expect({ leaked, touched }).toEqual({ leaked: 0, touched: "" });
  },
  longTimeout,
);
