import { expect, test } from "vitest";
import { createTestEngine } from "../../../test/rig/engine.ts";

test.each([{}, [], null, 7, { a: {} }])("a url that is no text is a problem of the file: %j", (url) => {
  const { diagnostics } = createTestEngine().check({ blocks: [{ id: "a", type: "HttpCall", inputs: { url } }] });
  expect(diagnostics.filter(({ level }) => level === "error").length).toBeGreaterThan(0);
});
