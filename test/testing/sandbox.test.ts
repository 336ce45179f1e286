import { expect, test } from "vitest";
import { useBubblewrap } from "../rig/bubblewrap.ts";
import { shell } from "../rig/frond.ts";
import { mismatchesOf } from "../rig/test-files.ts";

await useBubblewrap();

test("a case runs in a sandbox where its workflow says so; a fake works there, and says nothing of its own", async () => {
  const block = { ...shell("run", 'tool 2>&1; echo made > file; cat "$HOME/.gitconfig" || true'), sandbox: true };
  const workflow = { blocks: [block], outputs: { said: "${blocks.run.stdout}" } };
  const expected = { outputs: { said: "fake\n" }, files: { file: "made\n" } };
  expect(await mismatchesOf({ workflow }, { commands: { tool: { stdout: "fake\n" } }, expect: expected })).toEqual([]);
});
