import { expect, onTestFinished, test, vi } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import { JournalError } from "../../src/journal/journal.ts";
import type { DrivenRun } from "../../src/runs/driven-run.ts";
import type { Platform } from "../../src/runs/platform.ts";
import { readRun } from "../../src/runs/read-run.ts";
import { Audience, RunHost } from "../../src/runs/run-host.ts";
import { startRun } from "../../src/runs/start-run.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { idle } from "../rig/idle.ts";
import { createStepEngine, step } from "../rig/step-engine.ts";
import { waitFor } from "../rig/wait-for.ts";

const never = new AbortController().signal;

function createHost(): {
  readonly host: RunHost;
  readonly warnings: readonly string[];
  readonly steps: ReturnType<typeof createStepEngine>["steps"];
  readonly engine: ReturnType<typeof createStepEngine>["engine"];
  /** Runs that the journal does not take back. */
  readonly unreleasable: Set<string>;
  /** Whether it takes no events. */
  readonly unwritable: { is: boolean };
  /** A run that nobody drives yet. */
  start(audience?: Audience, id?: string): Promise<DrivenRun>;
  /** Drives one, up to its first step. */
  begin(audience?: Audience, id?: string): Promise<DrivenRun>;
} {
  const { steps, engine } = createStepEngine();
  const warnings: string[] = [];
  const unreleasable = new Set<string>();
  const unwritable = { is: false };
  const platform: Platform = {
    ...engine.engine.platform,
    warn: (message) => warnings.push(message),
    journal: async () =>
      decorateJournal(await engine.engine.platform.journal(), ({ name, given: [runId], perform }) => {
        if (name === "append" && unwritable.is) throw new JournalError("unusable", "The disk is asleep.");
        if (name === "abandon" && unreleasable.has(runId as string))
          throw new JournalError("full", "The disk is full.");
        return perform();
      }),
  };
  const host = new RunHost(platform);
  const start = async (audience = new Audience(), id = "a"): Promise<DrivenRun> => {
    const begun = await startRun({ ...engine.engine, platform }, engine.plan({ blocks: [step(id)] }), {
      inputs: {},
      workspace: engine.workspace,
      onEvents: (events: readonly RunEvent[]) => audience.onEvents(events),
      onOutput: () => {},
    });
    if (!begun.ok) throw new Error("The run is refused.");
    return begun.value;
  };
  return {
    host,
    warnings,
    steps,
    engine,
    unreleasable,
    unwritable,
    start,
    async begin(audience = new Audience(), id = "a") {
      const run = await start(audience, id);
      host.take(run, audience);
      await waitFor("the step to run", () => steps.running.includes(id));
      return run;
    },
  };
}

test("a run goes on whoever waits for it, and leaves when it has ended", async () => {
  const { host, steps, begin } = createHost();
  const { runId } = await begin();
  const waiting = host.wait(runId, 60_000, never);
  expect(host.find(runId)?.run.runId).toBe(runId);
  steps.succeed("a");
  await waiting;
  expect(host.find(runId)).toBeUndefined();
});

test("whoever waits is free when the time is over, or the signal comes, and the run goes on", async () => {
  const { host, steps, begin, engine } = createHost();
  const { runId } = await begin();
  await host.wait(runId, 1, never);
  const gone = new AbortController();
  const waiting = host.wait(runId, 60_000, gone.signal);
  gone.abort();
  await waiting;
  expect(steps.running).toEqual(["a"]);
  steps.succeed("a");
  await host.wait(runId, 60_000, never);
  const read = await readRun(engine.engine.platform, engine.engine.workflows.catalog, runId);
  expect(read).toMatchObject({ value: { status: "success" } });
});

test("whoever gives up waiting leaves no timer behind", async () => {
  const { host, begin } = createHost();
  const { runId } = await begin();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const gone = new AbortController();
  const waiting = host.wait(runId, 600_000, gone.signal);
  expect(vi.getTimerCount()).toBe(1);
  gone.abort();
  await waiting;
  expect(vi.getTimerCount()).toBe(0);
  await host.wait(runId, 600_000, gone.signal);
  expect(vi.getTimerCount()).toBe(0);
});

test("everybody who watches a run hears of it, for as long as they watch", async () => {
  const { host, steps, begin } = createHost();
  const audience = new Audience();
  const heard: Record<string, string[]> = { one: [], other: [] };
  audience.watch((events) => heard.one?.push(...events.map(({ type }) => type)));
  const stop = audience.watch((events) => heard.other?.push(...events.map(({ type }) => type)));
  const { runId } = await begin(audience);
  stop();
  steps.succeed("a");
  await host.wait(runId, 60_000, never);
  expect(heard.one).toContain("run-finished");
  expect(heard.other).toContain("block-started");
  expect(heard.other).not.toContain("run-finished");
});

test("when everything is stopped, runs stay where they are for others, and one that comes late is stopped too", async () => {
  const { host, begin, start, engine } = createHost();
  const { runId } = await begin();
  await host.stopAll();
  expect(host.isClosing).toBe(true);
  const { platform, workflows } = engine.engine;
  expect(await readRun(platform, workflows.catalog, runId)).toMatchObject({ value: { status: "interrupted" } });
  const late = await start();
  await host.take(late, new Audience()).ended;
  await waitFor("it to be given back", async () => {
    const read = await readRun(platform, workflows.catalog, late.runId);
    return read.ok && read.value.status === "interrupted";
  });
});

test("a run that another process has taken is let go, and the host says why", async () => {
  const { host, steps, begin, engine, warnings } = createHost();
  const { runId } = await begin();
  const journal = await engine.engine.platform.journal();
  const summary = await journal.find(runId);
  await journal.claim(runId, summary?.fence ?? 0, { ...engine.engine.platform.owners.self, pid: 1 });
  steps.succeed("a");
  await host.wait(runId, 60_000, never);
  expect(host.find(runId)).toBeUndefined();
  expect(warnings).toEqual([`Another process has taken over ${runId}; this one has stopped driving it.`]);
});

test("a run whose events can't be written is given back as soon as it can be, for anybody to go on with", async () => {
  const { host, steps, begin, engine, warnings, unreleasable, unwritable } = createHost();
  const { runId } = await begin();
  const { platform, workflows } = engine.engine;
  const status = async (): Promise<string> => {
    const read = await readRun(platform, workflows.catalog, runId);
    return read.ok ? read.value.status : read.error.message;
  };
  unwritable.is = true;
  unreleasable.add(runId);
  steps.succeed("a");
  await waitFor("it to be driven no longer", () => host.find(runId) === undefined);
  expect(warnings).toEqual([`${runId} was interrupted: The disk is asleep.`]);
  // By the journal somebody drives it; the host knows better.
  expect(await status()).toBe("running");
  expect(host.hasStopped(runId)).toBe(true);
  unreleasable.clear();
  await waitFor("it to be given back", async () => (await status()) === "interrupted");
  await waitFor("the host to forget it", () => !host.hasStopped(runId));
});

test("old runs are removed once a day, when one has ended", async () => {
  const { host, steps, begin, engine } = createHost();
  const journal = await engine.engine.platform.journal();
  expect((await journal.usage()).housekeptAt).toBeUndefined();
  const { runId } = await begin();
  steps.succeed("a");
  await host.wait(runId, 60_000, never);
  await waitFor("the housekeeping", async () => (await journal.usage()).housekeptAt !== undefined);
});

test("a run that can't be given back keeps neither the others from being stopped nor the process from ending", async () => {
  const { host, begin, engine, warnings, unreleasable } = createHost();
  const [first, second] = [await begin(), await begin(new Audience(), "b")];
  unreleasable.add(first.runId);
  await host.stopAll();
  expect(warnings).toEqual([`${first.runId} can't be released: The disk is full.`]);
  const { platform, workflows } = engine.engine;
  expect(await readRun(platform, workflows.catalog, second.runId)).toMatchObject({ value: { status: "interrupted" } });
});

test("one that comes late and can't be given back is told of, and nothing else happens", async () => {
  const { host, start, warnings, unreleasable } = createHost();
  await host.stopAll();
  const late = await start();
  unreleasable.add(late.runId);
  await host.take(late, new Audience()).ended;
  await waitFor("it to be told", () => warnings.length > 0);
  expect(warnings).toEqual([`${late.runId} can't be released: The disk is full.`]);
});

test("whoever waits for a run that sleeps hears of its end, if it is woken within that time", async () => {
  const clock = createFakeClock();
  const { engine } = createStepEngine({ clock });
  const host = new RunHost(engine.engine.platform);
  onTestFinished(() => host.stopAll());
  const blocks = [{ id: "nap", type: "Wait", inputs: { duration: "2m" } }];
  const audience = new Audience();
  const nobody = { onEvents: () => {}, onOutput: () => {} };
  const begun = await startRun(engine.engine, engine.plan({ blocks }), {
    inputs: {},
    workspace: engine.workspace,
    ...nobody,
  });
  if (!begun.ok) throw new Error("The run is refused.");
  const { runId } = begun.value;
  host.take(begun.value, audience);
  const ended: string[] = [];
  const noteEnd = async (who: string, longestMs: number): Promise<void> => {
    await host.wait(runId, longestMs, never);
    ended.push(`${who} ${(await (await engine.engine.platform.journal()).find(runId))?.status}`);
  };
  const waiting = [noteEnd("impatient", 60_000), noteEnd("patient", 300_000)];
  for (let count = 0; count < 40 && ended.length < 2; count++) {
    await idle();
    clock.advance(5_000);
  }
  await Promise.all(waiting);
  expect(ended).toEqual(["impatient sleeping", "patient success"]);
});
