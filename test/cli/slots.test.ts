import { expect, test } from "vitest";
import { hasSlots } from "../platform/ways-to-start.ts";
import { createFrond, shell, workflow } from "../rig/frond.ts";

test.runIf(hasSlots)("commands of Shell blocks are started by slots, unless FROND_SLOTS is 0", async () => {
  const frond = createFrond({ "who.yaml": workflow("who", [shell("who", "tr '\\0' ' ' < /proc/$PPID/cmdline")]) });
  const starter = async (slots: string) =>
    (await frond.run(["run", "who.yaml"], { env: { FROND_SLOTS: slots } })).stdout;
  expect(await starter("1")).toContain("frond-slot");
  expect(await starter("0")).not.toContain("frond-slot");
});
