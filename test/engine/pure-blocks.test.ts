import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCatalog } from "../../src/block/catalog.ts";
import { isPure } from "../../src/block/define-block.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import { createTestEngine } from "../rig/engine.ts";
import { HeldJournal } from "../rig/held-journal.ts";
import { idle } from "../rig/idle.ts";
import { createMachine } from "../rig/machine.ts";
import { createStepEngine, step } from "../rig/step-engine.ts";
import { Steps } from "../rig/steps.ts";

// No time passes, so that no turn ends because it has taken long.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const computed = (id: string, after: readonly string[] = [], more: object = {}): object => ({
  id,
  type: "Computed",
  inputs: { ends: "succeed", value: id },
  depends_on: after,
  ...more,
});

const chain = [computed("a"), computed("b", ["a"]), computed("c", ["b"])];

test("a chain of blocks that only compute is one commit, and nobody hears of it before", async () => {
  const held = new HeldJournal();
  const { engine, steps } = createStepEngine({ machine: createMachine(held.journal) });
  held.hold("create", "append");
  const heard: string[] = [];
  const starting = engine.start(
    { blocks: chain },
    { onEvents: (events) => void heard.push(...events.map(({ type }) => type)) },
  );
  await idle();
  const all = ["run-started", ...chain.flatMap(() => ["block-started", "block-finished"]), "run-finished"];
  expect(held.waiting).toEqual([["create", ...all].join(" ")]);
  expect(steps.begun).toEqual(["a", "b", "c"]);
  expect(heard).toEqual([]);
  held.letGo();
  const { events } = await (await starting).settled;
  expect(events.map(({ type }) => type)).toEqual(all);
  expect(heard).toEqual(all);
});

test("what a process computed and could not record is computed again, and seen once", async () => {
  const held = new HeldJournal();
  const machine = createMachine(held.journal);
  const first = createStepEngine({ machine });
  const run = await first.engine.start({
    blocks: [step("before"), computed("a", ["before"]), step("after", { depends_on: ["a"] })],
  });
  await run.idle();
  held.hold("append");
  first.steps.succeed("before");
  await run.idle();
  expect(first.steps.begun).toEqual(["before", "a"]);
  held.refuseNext(new Error("The process dies."));
  await expect(run.settled).rejects.toThrow("The process dies.");
  held.letGo();
  machine.presumeGone(first.engine.process);
  const second = createStepEngine({ machine });
  const taken = await second.engine.takeOver(run.runId);
  await taken.idle();
  second.steps.succeed("before");
  await taken.idle();
  expect(second.steps.begun).toEqual(["before", "a", "after"]);
  second.steps.succeed("after");
  const { events, response } = await taken.settled;
  expect(response.status).toBe("success");
  expect(events.filter((event) => event.type === "block-started" && event.path === "a")).toHaveLength(1);
});

test("a block that does something is not held up by what others compute", async () => {
  const held = new HeldJournal();
  const { engine } = createStepEngine({ machine: createMachine(held.journal) });
  held.hold("create");
  const starting = engine.start({ blocks: [step("effect"), ...chain] });
  await idle();
  expect(held.waiting).toEqual(["create run-started block-started block-started"]);
  held.letGo();
  await (await starting).idle();
});

test("a block that reads a secret starts when that is on record", async () => {
  const held = new HeldJournal();
  const steps = new Steps();
  const types = [{ ...steps.computed, secretInputs: ["value"] }];
  const engine = createTestEngine({ machine: createMachine(held.journal), secrets: { KEY: "a long secret" }, types });
  held.hold("create");
  const blocks = [computed("a", [], { inputs: { ends: "succeed", value: "${secrets.KEY}" } })];
  const starting = engine.start({ blocks });
  await idle();
  expect(held.waiting).toEqual(["create run-started block-started"]);
  expect(steps.begun).toEqual([]);
  held.letGo();
  expect((await (await starting).settled).response.status).toBe("success");
});

test("only what touches nothing is taken for computing", () => {
  const pure = blockTypes.filter(({ pure }) => pure !== undefined);
  expect(pure.map(({ type }) => type).sort()).toEqual(["Prompt", "RenderTemplate", "Wait"]);
  for (const { type, pure: declared, capabilities } of pure) {
    const touches = capabilities.filter((capability) => capability !== "prompts");
    expect(typeof declared === "function" || touches.length === 0, type).toBe(true);
  }
  const template = createCatalog(blockTypes).find("RenderTemplate");
  if (template === undefined) throw new Error("There is no RenderTemplate.");
  expect(isPure(template, { template: "a" })).toBe(true);
  expect(isPure(template, { template: "a", output_path: "b" })).toBe(false);
  expect(isPure(template, { template_path: "a" })).toBe(false);
});
