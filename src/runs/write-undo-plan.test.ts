import { expect, test } from "vitest";
import { createTestEngine } from "../../test/rig/engine.ts";
import { create, read, undo } from "../../test/runs/undo-ground.ts";

test.each(["${inputs.name}.txt", "$${x}", "a ${ b"])("a file called %s is taken back", async (name) => {
  const engine = createTestEngine();
  const { response } = await engine.run({
    blocks: [
      create(
        "make",
        name.replaceAll("${", () => "$${"),
        "text",
      ),
    ],
  });
  expect(read(engine, name)).toBe("text");
  await undo(engine, response.run_id);
  expect(read(engine, name)).toBeUndefined();
});
