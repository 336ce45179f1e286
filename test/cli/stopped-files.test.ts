import { join } from "node:path";
import { expect, test } from "vitest";
import { createFrond, workflow } from "../rig/frond.ts";
import { identity, makeSparse, untilOpened } from "../rig/sparse-file.ts";

const replacing = workflow("replacing", [{ id: "it", type: "CreateFile", inputs: { path: "big", content: "new" } }]);

test.runIf(process.platform === "linux")(
  "a run that reads a file of 100 GB ends with SIGINT, as does its process",
  async () => {
    const frond = createFrond({ "replacing.yaml": replacing });
    const big = join(frond.directory, "big");
    makeSparse(big, 100_000_000_000);
    const untouched = identity(big);
    const run = frond.start(["run", "replacing.yaml", "--json"]);
    await untilOpened(big, run.child.pid);
    run.child.kill("SIGINT");
    const { code, stdout } = await run.ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ failed_blocks: [{ block: "it", message: "cancelled" }] });
    expect(identity(big)).toEqual(untouched);
  },
);
