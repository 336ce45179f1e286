import { expect, test } from "vitest";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, step } from "../rig/step-engine.ts";
import { waitFor } from "../rig/wait-for.ts";

test("a run taken over in a later attempt of a called workflow goes on in that attempt, with what ended in it", async () => {
  const machine = createMachine();
  const workflows = { child: { blocks: [step("a"), step("x", { depends_on: ["a"] })] } };
  const first = createStepEngine({ machine, workflows });
  const started = await first.engine.start({
    blocks: [call("sub", "child", {}, { retry: { attempts: 2, delay: 0 } })],
  });
  await started.idle();
  first.steps.fail("sub/a");
  await waitFor("the second attempt", () => first.steps.running.includes("sub/a"));
  first.steps.succeed("sub/a");
  await started.idle();
  expect(first.steps.running).toEqual(["sub/x"]);
  first.engine.process.die();

  const second = createStepEngine({ machine, workflows });
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  expect(second.steps.begun).toEqual(["sub/x"]);
  second.steps.succeed("sub/x");
  const { response, state } = await run.settled;
  expect(response.status).toBe("success");
  expect(state.root.record.blocks.sub?.metadata.attempts).toBe(2);
});
