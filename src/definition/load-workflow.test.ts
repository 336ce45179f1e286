import { expect, test } from "vitest";
import { catalog, shell, workflow } from "../../test/definition/check.ts";
import { createRememberingLoader } from "./load-workflow.ts";

test("a text is loaded once, and again when the file has another one", () => {
  const { load } = createRememberingLoader(catalog);
  const first = { name: "a.yaml", text: workflow(shell("one")) };
  const second = { name: "a.yaml", text: workflow(shell("two")) };
  const loaded = load(first);
  expect(load({ ...first })).toBe(loaded);
  expect(load(second).definition?.blocks.map(({ id }) => id)).toEqual(["two"]);
  expect(load({ ...first, name: "b.yaml" }).definition?.source.name).toBe("b.yaml");
});
