import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, expect, test } from "vitest";
import { browserProcesses, browserVariables } from "../rig/browser.ts";
import { createFrond, type Frond, type Running, workflow } from "../rig/frond.ts";
import { isAlive } from "../rig/is-alive.ts";
import { openShop } from "../rig/shop.ts";
import { waitFor } from "../rig/wait-for.ts";

// Before any test begins: it may have to be fetched.
const variables = browserVariables();

const shop = await openShop();
afterAll(() => shop.close());

/** One page that is there, and one that never comes. */
function createVisitor(): Frond {
  const open = (id: string, path: string, more: object = {}): object => {
    const inputs = { action: "navigate", url: `${shop.url}${path}`, allow_private: true, timeout: 60 };
    return { id, type: "Browser", inputs, ...more };
  };
  const never = open("never", "/never", { depends_on: ["first"] });
  return createFrond({
    "visit.yaml": workflow("visit", [open("first", "/"), never]),
    "once.yaml": workflow("once", [open("first", "/")]),
  });
}

/** A browser takes a second to start, and many times as long where much else is going on. */
const longMs = 60_000;

function profilesOf(pid: number): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("frond-browser-") && name.includes(`-${pid}-`));
}

interface Visit {
  readonly pid: number;
  readonly run: Running;
  /** Of the browser. */
  readonly processes: readonly number[];
}

async function startVisit(frond: Frond): Promise<Visit> {
  const run = frond.start(["run", "visit.yaml"], { env: variables });
  const pid = run.child.pid ?? 0;
  const known = shop.requests.length;
  const hasCome = (): boolean => shop.requests.slice(known).some(({ url }) => url === "/never");
  const endedEarly = run.ended.then(({ stdout }) => {
    throw new Error(`It has ended before: ${stdout}`);
  });
  await Promise.race([waitFor("the page that never comes", hasCome, longMs), endedEarly]);
  const processes = browserProcesses(pid);
  expect(processes.length).toBeGreaterThan(2);
  expect(profilesOf(pid)).toHaveLength(1);
  return { pid, run, processes };
}

test(
  "nothing of the browser is left when Frond is interrupted",
  async () => {
    const { pid, run, processes } = await startVisit(createVisitor());
    run.child.kill("SIGTERM");
    await run.ended;
    expect(processes.filter(isAlive)).toEqual([]);
    expect(profilesOf(pid)).toEqual([]);
  },
  2 * longMs,
);

test(
  "kill -9 of Frond ends the browser, and the next browser removes what it left",
  async () => {
    const frond = createVisitor();
    const { pid, run, processes } = await startVisit(frond);
    run.child.kill("SIGKILL");
    await run.ended;
    await waitFor("the end of the browser", () => !processes.some(isAlive));
    const { code, stderr } = await frond.alone.run(["run", "once.yaml"], { env: variables });
    expect([code, stderr]).toEqual([0, ""]);
    expect(profilesOf(pid)).toEqual([]);
  },
  2 * longMs,
);

test("without playwright-core, and without a browser, the message says what to type", async () => {
  const frond = createVisitor();
  const { FROND_PLAYWRIGHT = "" } = variables;
  const { stdout } = await frond.run(["run", "once.yaml"]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("npm install playwright-core@1");
  const other = await frond.run(["run", "once.yaml"], { env: { FROND_PLAYWRIGHT, FROND_BROWSER: "/nowhere/chrome" } });
  expect(other.stdout.replaceAll(/\s+/g, " ")).toContain("FROND_BROWSER is '/nowhere/chrome', and there is no program");
});
