import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";
import { loseRun, waitForGo } from "../rig/lose-run.ts";
import { waitFor } from "../rig/wait-for.ts";

const cleanUp = shell("clean_up", 'rm lock; echo "${run.status}: ${run.message}" > told');

function locking(command: string, more: object = {}): string {
  return workflow("locking", [shell("work", `touch lock; ${command}`, more)], { finally: [cleanUp] });
}

function read(directory: string, name: string): string {
  return readFileSync(join(directory, name), "utf8");
}

describe("never green by accident", () => {
  test("a summary with optional edges after a failed build: failure, exit 1", async () => {
    const summary = workflow("summary", [
      shell("build", "exit 1"),
      shell("lint", "exit 2"),
      shell("summary", 'echo "build: ${blocks.build.outcome}"', {
        depends_on: [
          { block: "build", required: false },
          { block: "lint", required: false },
        ],
      }),
    ]);
    const { code, stdout } = await createFrond({ "summary.yaml": summary }).run(["run", "summary.yaml"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failure summary run_\w+ in \S+: build failed \(and 1 more\)\n/m);
  });

  test("an alert on failure: failure, exit 1, and what to write", async () => {
    const alert = workflow("alert", [
      shell("fetch", "exit 1"),
      shell("alert", "echo sent", { depends_on: ["fetch"], condition: "${blocks.fetch.failed}" }),
    ]);
    const { code, stdout } = await createFrond({ "alert.yaml": alert }).run(["run", "alert.yaml"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed fetch: exit code 1\nfailure alert run_\w+ in \S+: fetch failed\n/m);
    expect(stdout).toContain(
      ": fetch failed\n  'fetch' failed and still counts: 'alert' ran because of it, but nothing uses what it made. (If 'fetch' may fail: `allow_failure: true` on it.)\n",
    );
  });

  test("a cleanup after a time limit runs: failure, exit 1", async () => {
    const frond = createFrond({ "locking.yaml": locking("sleep 300", { timeout: 1 }) });
    const { code, stdout } = await frond.run(["run", "locking.yaml"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^failed work: ran longer than its limit of 1s\nfailure locking run_\w+ in \S+: work timed out\n/m,
    );
    expect(existsSync(join(frond.directory, "lock"))).toBe(false);
    expect(read(frond.directory, "told")).toBe("failure: 'work' timed out: ran longer than its limit of 1s\n");
  });

  test("a fallback after a time limit: failure, exit 1, and what to write", async () => {
    const slow = (more: object): string =>
      workflow(
        "slow",
        [
          shell("fetch", "sleep 300", { timeout: 1, ...more }),
          shell("cached", "echo old", { depends_on: ["fetch"], condition: "${blocks.fetch.failed}" }),
        ],
        { outputs: { answer: "${blocks.cached.stdout}" } },
      );
    const frond = createFrond({ "slow.yaml": slow({}), "allowed.yaml": slow({ allow_failure: true }) });
    const { code, stdout } = await frond.run(["run", "slow.yaml"]);
    expect(code).toBe(1);
    expect(stdout).toContain(
      "'fetch' timed out and still counts: 'cached' ran because of it, but only `allow_failure` answers a time limit. (If 'fetch' may fail: `allow_failure: true` on it.)\n",
    );
    expect((await frond.run(["run", "allowed.yaml"])).code).toBe(0);
  });

  test("a block that may fail: success, exit 0", async () => {
    const probe = workflow("probe", [shell("probe", "exit 3", { allow_failure: true }), shell("go", "true")]);
    const { code, stdout } = await createFrond({ "probe.yaml": probe }).run(["run", "probe.yaml"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^allowed probe: exit code 3\nsuccess probe run_\w+ in \S+ \(1 failure allowed\)\n/m);
  });
});

test("Ctrl-C: finally runs, then the run ends as cancelled", async () => {
  const frond = createFrond({ "locking.yaml": locking("echo begun; sleep 300") });
  const run = frond.start(["run", "locking.yaml", "--json"]);
  await waitFor("the lock", () => existsSync(join(frond.directory, "lock")));
  run.child.kill("SIGINT");
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({ status: "failure", cancelled: true });
  expect(existsSync(join(frond.directory, "lock"))).toBe(false);
  expect(read(frond.directory, "told")).toBe("failure: cancelled\n");
});

test("a second Ctrl-C ends finally as well", async () => {
  const endless = workflow("endless", [shell("work", "touch begun; sleep 300")], {
    finally: [shell("clean_up", "touch cleaning; sleep 300")],
  });
  const frond = createFrond({ "endless.yaml": endless });
  const run = frond.start(["run", "endless.yaml"]);
  await waitFor("the work", () => existsSync(join(frond.directory, "begun")));
  run.child.kill("SIGINT");
  await waitFor("the cleanup", () => existsSync(join(frond.directory, "cleaning")));
  run.child.kill("SIGINT");
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  expect(stdout).toMatch(/^cancelled endless run_\w+ after \S+: stopped .*\n$/m);
});

test("a run that was killed in finally goes on there with frond resume", async () => {
  const lost = workflow("lost", [shell("work", "echo once >> worked")], {
    finally: [shell("clean_up", waitForGo("clean_up"))],
  });
  const frond = createFrond({ "lost.yaml": lost });
  const runId = await loseRun(frond, "lost.yaml", 1);
  frond.write("go", "");
  const { code, stdout } = await frond.run(["resume", runId]);
  expect(stdout).toContain("success lost");
  expect(code).toBe(0);
  expect(read(frond.directory, "worked")).toBe("once\n");
});

test("frond cancel of a run that waits for an answer runs its finally", async () => {
  const asking = workflow("asking", [{ id: "ask", type: "Prompt", inputs: { prompt: "Go on?" } }], {
    finally: [shell("clean_up", "echo ${run.status} > told")],
  });
  const frond = createFrond({ "asking.yaml": asking });
  const { reply } = await frond.json(["run", "asking.yaml"]);
  const { code } = await frond.run(["cancel", String((reply as { run_id: string }).run_id)]);
  expect(code).toBe(0);
  expect(read(frond.directory, "told")).toBe("failure\n");
});

test("the tree says which blocks are under finally", async () => {
  const frond = createFrond({ "locking.yaml": locking("true") });
  const { reply } = await frond.json(["run", "locking.yaml"]);
  const { stdout } = await frond.run(["show", String((reply as { run_id: string }).run_id)]);
  expect(stdout).toMatch(/clean_up \(finally\)/);
});
