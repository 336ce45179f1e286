import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";

const call = (id: string, name: string): object => ({ id, type: "ExecuteWorkflow", inputs: { workflow: name } });

const library = {
  "../home/.frond/workflows/broken.yaml": workflow("broken", [{ id: "a", type: "Shel" }]),
  "../home/.frond/workflows/circle.yaml": workflow("circle", [
    shell("a", "true", { depends_on: ["b"] }),
    shell("b", "true", { depends_on: ["a"] }),
  ]),
  "../home/.frond/workflows/deep.yaml": workflow("deep", [call("next", "deeper")]),
  "../home/.frond/workflows/deeper.yaml": workflow("deeper", [call("next", "broken")]),
  "../home/.frond/workflows/one.yaml": workflow("one", [call("next", "two")]),
  "../home/.frond/workflows/two.yaml": workflow("two", [call("back", "one")]),
};

test.each([
  ["broken", "The workflow 'broken' can't be run: There is no block type 'Shel'."],
  ["circle", "The workflow 'circle' can't be run: The blocks wait for each other: a -> b -> a."],
  ["one", "Circular call: the workflow calls itself: two -> one -> two."],
  ["deep", "The workflow 'deep' can't be run, because it calls 'broken': There is no block type 'Shel'."],
])("a child that can't run (%s) is refused before anything of the caller runs", async (name, message) => {
  const frond = createFrond({
    ...library,
    "main.yaml": workflow("main", [shell("first", "touch ran"), call("then", name)]),
  });
  const { code, stderr } = await frond.run(["run", "main.yaml"]);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
