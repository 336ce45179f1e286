import { expect, test } from "vitest";
import type { ServerSettings } from "../runs/server-settings.ts";
import type { ServerContext } from "./server-context.ts";
import { createToolSource } from "./tool-source.ts";

const settings: ServerSettings = {
  workspace: "/",
  roots: ["/"],
  toolsets: ["core", "runs"],
  isReadOnly: false,
  allowsInline: true,
  allowed: [],
  allowsUnsafe: true,
  exposed: [],
};

test("no workflow directory is read before a client asks for the tools", () => {
  let opened = 0;
  const openRuntime = (): never => {
    opened += 1;
    throw new Error("opened");
  };
  const tools = createToolSource({ settings, openRuntime } as unknown as ServerContext);
  expect(tools.find("get_run")?.name).toBe("get_run");
  expect(opened).toBe(0);
  expect(() => tools.list()).toThrow("opened");
  tools.close();
});

test("a change of files that changes no tool is told to nobody, and nothing is watched twice or after the end", () => {
  const changes: (() => void)[] = [];
  let stopped = 0;
  const library = { places: () => ["/w"], entries: () => [] };
  const context = {
    settings,
    openRuntime: () => ({ workflows: { library } }),
    platform: { trust: { find: () => undefined } },
    watch: (_places: readonly string[], onChange: () => void) => {
      changes.push(onChange);
      return () => {
        stopped += 1;
      };
    },
    log: () => {},
  };
  const tools = createToolSource(context as unknown as ServerContext);
  let told = 0;
  tools.onChanged(() => {
    told += 1;
  });
  tools.list();
  tools.list();
  expect(changes).toHaveLength(1);
  changes[0]?.();
  expect(told).toBe(0);
  tools.close();
  expect(stopped).toBe(1);
  tools.list();
  expect(changes).toHaveLength(1);
});
