import { expect, onTestFinished, test } from "vitest";
import type { Journal } from "../../src/journal/journal.ts";
import type { Door } from "../../src/mcp/door.ts";
import { createRunTeller } from "../../src/mcp/run-teller.ts";
import { RunWatch } from "../../src/mcp/watch-runs.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";
import { createStepEngine, step } from "../rig/step-engine.ts";
import { waitFor } from "../rig/wait-for.ts";

/** A door whose journal can be kept from being read. */
function createDoor(): {
  readonly door: Door;
  readonly logged: readonly string[];
  readonly broken: { is: boolean };
  readonly steps: ReturnType<typeof createStepEngine>["steps"];
  /** Starts a run and gives its id. */
  begin(): Promise<string>;
} {
  const { engine, steps } = createStepEngine();
  const { outside } = engine.engine;
  const broken = { is: false };
  const logged: string[] = [];
  const journal = async (): Promise<Journal> =>
    decorateJournal(await outside.journal(), ({ name, perform }) => {
      if (broken.is && name === "list") throw new Error("The disk is asleep.");
      return perform();
    });
  const door = {
    outside: { ...outside, journal },
    settings: { roots: [engine.workspace] },
    log: (_level: string, message: string) => logged.push(message),
  };
  return {
    door: door as unknown as Door,
    logged,
    broken,
    steps,
    begin: async () => (await engine.start({ blocks: [step("a")] })).runId,
  };
}

const listen = {
  jsonrpc: "2.0",
  id: 1,
  method: "subscriptions/listen",
  params: { notifications: { resourceSubscriptions: ["run://run_1"] } },
};

test("whoever stops watching before it has begun, and can't, ends nothing but that", async () => {
  const { door, broken } = createDoor();
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => void process.off("unhandledRejection", note));
  broken.is = true;
  const watch = new RunWatch(door, () => {});
  const begun = watch.begin();
  watch.stop();
  await expect(begun).rejects.toThrow("asleep");
  const teller = createRunTeller(door, () => {});
  const heard = teller.hear(listen);
  teller.stop();
  await heard;
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});

test("a journal that could not be read for a while is no reason to hear of no run any more", async () => {
  const { door, broken, steps, begin, logged } = createDoor();
  const told: string[] = [];
  const watch = new RunWatch(door, (runId) => told.push(runId));
  onTestFinished(() => watch.stop());
  const runId = await begin();
  await watch.begin();
  broken.is = true;
  await waitFor("somebody to be told of it", () => logged.length > 0);
  broken.is = false;
  steps.succeed("a");
  await waitFor("the end of the run to be told", () => told.includes(runId));
  expect(logged).toEqual(["Changes of runs can't be seen: Error: The disk is asleep."]);
});
