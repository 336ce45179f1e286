import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTree } from "../rig/file-tree.ts";
import { createFrond, workflow } from "../rig/frond.ts";
import { waitFor } from "../rig/wait-for.ts";

const copying = workflow("copying", [
  { id: "copy", type: "CopyFile", inputs: { from: "from", to: "to", recursive: true } },
]);

test.each([1, 30])("a copy that is killed after %d of its files is finished by another process", async (made) => {
  // On a busy machine a few files are all copied before it is seen that some are.
  for (let count = 100; ; count *= 4) {
    const frond = createFrond({ "copying.yaml": copying });
    for (let index = 0; index < count; index++) frond.write(`from/${index % 7}/${index}`, `text ${index}\n`);
    const target = join(frond.directory, "to");
    const copied = (): number =>
      existsSync(target) ? readdirSync(target, { recursive: true, withFileTypes: true }).filter(isFile).length : 0;
    const run = frond.start(["run", "copying.yaml"]);
    await waitFor("some of it to be copied", () => copied() >= made);
    run.child.kill("SIGKILL");
    await run.ended;
    if (copied() === count && count < 10_000) continue;
    const { code, stdout } = await frond.run(["recover"]);
    expect(code, stdout).toBe(0);
    expect(readTree(target)).toEqual(readTree(join(frond.directory, "from")));
    return;
  }
});

function isFile(entry: { isFile(): boolean }): boolean {
  return entry.isFile();
}
