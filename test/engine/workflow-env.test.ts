import { expect, test } from "vitest";
import { canary, canaryReference } from "../rig/canary.ts";
import { createTestEngine } from "../rig/engine.ts";

const print = 'printf "%s,%s,%s" "$A" "$B" "$C"';

test("the env of a workflow reaches its own commands, not those of its children, and a block's own wins", async () => {
  const engine = createTestEngine({
    workflows: {
      child: {
        blocks: [{ id: "inner", type: "Shell", inputs: { command: print } }],
        outputs: { seen: "${blocks.inner.stdout}" },
      },
    },
  });
  const { response } = await engine.run(
    {
      inputs: { b: { type: "string", description: "d" } },
      env: { A: "1", B: "${inputs.b}", C: true },
      blocks: [
        { id: "own", type: "Shell", inputs: { command: print, env: { A: "mine" } } },
        { id: "clean", type: "Shell", inputs: { command: print, env_policy: "clean" } },
        { id: "loop", type: "Shell", for_each: ["x"], inputs: { command: print } },
        { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "child" } },
      ],
      outputs: {
        own: "${blocks.own.stdout}",
        clean: "${blocks.clean.stdout}",
        loop: "${blocks.loop.results[0].stdout}",
        child: "${blocks.call.seen}",
      },
    },
    { inputs: { b: "it's $(b)" } },
  );
  expect(response.outputs).toEqual({
    own: "mine,it's $(b),true",
    clean: "1,it's $(b),true",
    loop: "1,it's $(b),true",
    child: ",,",
  });
});

test("a secret in the env of a workflow reaches the command and is recorded as its reference", async () => {
  const engine = createTestEngine({ secrets: { CANARY: canary } });
  const { response, events } = await engine.run({
    env: { KEY: canaryReference, AUTH: `Bearer ${canaryReference}` },
    blocks: [{ id: "a", type: "Shell", inputs: { command: 'printf %s "$KEY" | wc -c; echo "$AUTH"' } }],
    outputs: { out: "${blocks.a.stdout}" },
  });
  expect(response.outputs).toEqual({ out: `${canary.length}\nBearer [secret CANARY]\n` });
  expect(JSON.stringify(events)).not.toContain(canary);
  expect(JSON.stringify(events)).toContain(canaryReference);
});

test("blocks under finally have the env of their workflow, and read its vars", async () => {
  const engine = createTestEngine();
  const { response, state } = await engine.run({
    env: { A: "1" },
    vars: { made: "${trim(blocks.make.stdout)}" },
    blocks: [{ id: "make", type: "Shell", inputs: { command: "echo made" } }],
    finally: [{ id: "last", type: "Shell", inputs: { command: 'echo "$A ${vars.made}"' } }],
  });
  expect(response.status).toBe("success");
  expect(state.nodes.get("last")?.record.outputs.stdout).toBe("1 made\n");
});
