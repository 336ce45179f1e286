import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFleet } from "../rig/fleet.ts";
import { shell, workflow } from "../rig/frond.ts";
import { createRepository, git } from "../rig/git-repository.ts";
import { waitFor } from "../rig/wait-for.ts";

test("workers start what is due once, in a fresh checkout on a machine with the label, and it stays there", async () => {
  const fleet = await createFleet({ which: "main\n" });
  const { directory, home } = fleet.frond;
  createRepository(directory);
  // Workers that come a little late start it at once.
  const now = new Date();
  const definition = workflow("nightly", [shell("read", "cat which; git log --format=%H")], {
    runs_on: "gpu",
    workspace: { git: directory, ref: "main" },
    schedule: `${now.getUTCMinutes()} ${now.getUTCHours()} * * *`,
    outputs: { read: "${blocks.read.stdout}" },
  });
  mkdirSync(join(home, ".frond", "workflows"), { recursive: true });
  writeFileSync(join(home, ".frond", "workflows", "nightly.yaml"), definition);
  const without = await fleet.startWorker([], { FROND_HOST: "other" });
  const journal = await fleet.platform.journal();
  await waitFor("it is started", async () => (await journal.list({})).length > 0);
  const able = await fleet.startWorker(["--labels", "gpu,linux"]);
  const [{ runId = "" } = {}] = await journal.list({});
  const ended = await fleet.untilEnded(runId);
  for (const worker of [without, able]) {
    worker.child.kill("SIGTERM");
    expect((await worker.ended).code).toBe(0);
  }
  expect(ended).toMatchObject({ status: "success", host: "here", startedBy: expect.stringMatching(/^schedule '/) });
  expect(await journal.list({})).toHaveLength(1);
  const commit = git(directory, "rev-parse", "HEAD");
  const events = await fleet.events(runId);
  expect(events).toContainEqual(expect.objectContaining({ type: "workspace-made", host: "here", commit }));
  expect(events.at(-1)).toMatchObject({ outputs: { read: `main\n${commit}\n` } });
});
