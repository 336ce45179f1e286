import { expect, onTestFinished, test } from "vitest";
import type { Journal } from "../../src/journal/journal.ts";
import { createRunTeller } from "../../src/mcp/run-teller.ts";
import { RunWatch } from "../../src/views/watch-runs.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";
import { createStepEngine, step } from "../rig/step-engine.ts";
import { waitFor } from "../rig/wait-for.ts";

/** A watch whose journal can be kept from being read. */
function createWatch(): {
  readonly watch: RunWatch;
  /** How often it has looked. */
  looks(): number;
  readonly logged: readonly string[];
  readonly broken: { is: boolean };
  readonly steps: ReturnType<typeof createStepEngine>["steps"];
  /** Starts a run and gives its id, once its step runs. */
  begin(): Promise<string>;
} {
  const { engine, steps } = createStepEngine();
  const { platform } = engine.engine;
  const broken = { is: false };
  const logged: string[] = [];
  let looks = 0;
  const journal = async (): Promise<Journal> =>
    decorateJournal(await platform.journal(), ({ name, perform }) => {
      if (name === "list") looks += 1;
      if (broken.is && name === "list") throw new Error("The disk is asleep.");
      return perform();
    });
  const watch = new RunWatch({
    platform: { ...platform, journal },
    isWanted: (workspace) => workspace === engine.workspace,
    log: (_level, message) => logged.push(message),
  });
  return {
    watch,
    looks: () => looks,
    logged,
    broken,
    steps,
    begin: async () => {
      const { runId } = await engine.start({ blocks: [step("a")] });
      await waitFor("its step to run", () => steps.running.includes("a"));
      return runId;
    },
  };
}

const listen = {
  jsonrpc: "2.0",
  id: 1,
  method: "subscriptions/listen",
  params: { notifications: { resourceSubscriptions: ["run://run_1"] } },
};

test("whoever stops watching before it has begun, and can't, ends nothing but that", async () => {
  const { watch, broken } = createWatch();
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  broken.is = true;
  const { begun, stop } = watch.listen(() => {});
  stop();
  await expect(begun).rejects.toThrow("asleep");
  const teller = createRunTeller({ runWatch: watch, log: () => {} }, () => {});
  const heard = teller.hear(listen);
  teller.stop();
  await heard;
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});

test("a journal that could not be read for a while is no reason to hear of no run any more", async () => {
  const { watch, broken, steps, begin, logged } = createWatch();
  const told: string[] = [];
  const runId = await begin();
  const { begun, stop } = watch.listen((changed) => told.push(changed));
  onTestFinished(stop);
  await begun;
  broken.is = true;
  await waitFor("somebody to be told of it", () => logged.length > 0);
  broken.is = false;
  steps.succeed("a");
  await waitFor("the end of the run to be told", () => told.includes(runId));
  expect(logged).toEqual(["Changes of runs can't be seen: Error: The disk is asleep."]);
});

test("however many listen, it is looked once for all of them; whoever stops hears no more, and the others do", async () => {
  const { watch, looks, steps, begin } = createWatch();
  const runId = await begin();
  const heard = new Map<number, string[]>();
  const listening = Array.from({ length: 20 }, (_, index) => {
    heard.set(index, []);
    return watch.listen((changed) => heard.get(index)?.push(changed));
  });
  onTestFinished(() => {
    for (const { stop } of listening) stop();
  });
  await Promise.all(listening.map(({ begun }) => begun));
  expect(looks()).toBe(1);
  listening[0]?.stop();
  steps.succeed("a");
  await waitFor(
    "the others to hear of it",
    () => [...heard.values()].filter((told) => told.includes(runId)).length === 19,
  );
  expect(heard.get(0)).toEqual([]);
});
