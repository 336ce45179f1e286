import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFrond, type Frond } from "../rig/frond.ts";

interface Shown {
  readonly status: string;
  readonly message?: string;
  readonly checkpoint_id?: string;
  readonly outputs?: unknown;
}

type KeptRuns = Readonly<Record<string, { readonly id: string; readonly shown: Shown }>>;

/** State directories as released versions have left them, with what those said of the runs in them (scripts/freeze-runs.js). They are never made anew. */
const released = "test/fixtures/released";
const versions = existsSync(released) ? readdirSync(released) : [];
/** What this version stores is kept in the same way, so that it can be when it is released. */
const now = "this version";
const made = mkdtempSync(join(tmpdir(), "frond-stored-"));

beforeAll(() => {
  execFileSync(process.execPath, ["scripts/freeze-runs.js", join(made, now)], { stdio: "pipe" });
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

function open(version: string): { frond: Frond; runs: KeptRuns } {
  const frond = createFrond();
  const kept = join(version === now ? made : released, version);
  cpSync(join(kept, "state"), frond.state, { recursive: true });
  return { frond, runs: JSON.parse(readFileSync(join(kept, "runs.json"), "utf8")) as KeptRuns };
}

async function reply(frond: Frond, args: readonly string[]): Promise<Shown> {
  return (await frond.json(args)).reply as Shown;
}

describe.each([...versions, now])("runs that %s has stored", (version) => {
  test("are shown as it showed them", async () => {
    const { frond, runs } = open(version);
    for (const { id, shown } of Object.values(runs)) {
      // What is advised may be worded anew; what happened may not.
      const { message: _, ...facts } = shown;
      expect(await reply(frond, ["show", id])).toMatchObject(facts);
    }
    const listed = (await frond.json(["runs", "--all"])).reply as { runs: readonly { run_id: string }[] };
    const ids = new Set(listed.runs.map(({ run_id: id }) => id));
    expect(Object.values(runs).filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  test("have their logs and their changes", async () => {
    const { frond, runs } = open(version);
    const id = runs.finished?.id ?? "";
    expect((await frond.run(["logs", id, "large"])).stdout).toContain("\n13999\n14000\n");
    expect((await frond.run(["logs", id, "secret"])).stdout).toContain("token: [secret TOKEN]");
    expect((await frond.run(["changes", id])).stdout).toContain("+two");
  });

  test("go on: questions are answered, what was interrupted is decided", async () => {
    const { frond, runs } = open(version);
    const answer = (name: string, given: string) =>
      reply(frond, ["resume", runs[name]?.shown.checkpoint_id ?? "", "--response", given]);
    expect(await answer("paused", '{"approved": true}')).toMatchObject({ status: "success" });
    expect(await answer("over-budget", "stop")).toMatchObject({ status: "failure" });
    const asked = await reply(frond, ["resume", runs.interrupted?.id ?? ""]);
    expect(asked.status).toBe("paused");
    expect(await reply(frond, ["resume", asked.checkpoint_id ?? "", "--response", "done"])).toMatchObject({
      status: "success",
    });
  });

  // Of this version's it is not yet time.
  test.skipIf(version === now)("wake when their time has come", async () => {
    const { frond, runs } = open(version);
    expect(await reply(frond, ["resume", runs.sleeping?.id ?? ""])).toMatchObject({
      status: "success",
      outputs: { text: "It is later." },
    });
  });
});
