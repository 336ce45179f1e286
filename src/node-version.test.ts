import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { explainOldNode } from "./node-version.ts";

test("a Node that is too old is told in one line, and what package.json asks for is not", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(explainOldNode(`${engines.node.replace(">=", "")}.0`)).toBeUndefined();
  expect(explainOldNode("22.0.0")).toBeUndefined();
  expect(explainOldNode("20.18.3")).toBe("Frond needs Node 20.19 or later; this is 20.18.3.");
  expect(explainOldNode("18.20.8")).toContain("this is 18.20.8");
});
