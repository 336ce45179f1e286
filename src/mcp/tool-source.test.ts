import { expect, test } from "vitest";
import type { Door } from "./door.ts";
import { createToolSource } from "./tool-source.ts";

test("no workflow directory is read before a client asks for the tools", () => {
  let opened = 0;
  const settings = {
    workspace: "/",
    roots: ["/"],
    toolsets: ["core", "runs"],
    isReadOnly: false,
    exposed: [],
  } as const;
  const openEngine = (): never => {
    opened += 1;
    throw new Error("opened");
  };
  const tools = createToolSource({
    settings: { ...settings, allowsInline: true, allowsUnsafe: true },
    openEngine,
  } as unknown as Door);
  expect(tools.find("get_run")?.name).toBe("get_run");
  expect(opened).toBe(0);
  expect(() => tools.list()).toThrow("opened");
  tools.close();
});
