import { expect, test } from "vitest";
import { createFrond, shell, workflow } from "../rig/frond.ts";

const call = (id: string, name: string): object => ({ id, type: "ExecuteWorkflow", inputs: { workflow: name } });

test("info and validate tell what a workflow can touch, through everything it calls", async () => {
  const frond = createFrond({
    "../home/.frond/workflows/inner.yaml": workflow("inner", [shell("a", "true")]),
    "outer.yaml": workflow("outer", [call("one", "inner")]),
    "open.yaml": workflow("open", [call("one", "nobody-knows")]),
  });
  const shellCan = ["commands", "network", "reads files", "writes files"];
  expect((await frond.json(["info", "outer.yaml"])).reply).toMatchObject({ capabilities: shellCan });
  expect((await frond.json(["info", "open.yaml"])).reply).toMatchObject({ capabilities: ["unknown"] });
  expect((await frond.json(["validate", "outer.yaml"])).reply).toMatchObject({ files: [{ capabilities: shellCan }] });
});
