import { expect, onTestFinished, test, vi } from "vitest";
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

/** Whose files are watched once the first second is over. */
function watched(
  listNames: () => readonly string[] = () => [],
  hasTools = false,
): {
  readonly tools: ReturnType<typeof createToolSource>;
  readonly changes: readonly (() => void)[];
  stopped(): number;
} {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const changes: (() => void)[] = [];
  let stopped = 0;
  const definition = { name: "a", description: "Does it", inputs: new Map(), blocks: [], expose: "tool" };
  const entries = (): readonly object[] =>
    listNames().map((name) => ({ name, text: "expose: tool", load: () => ({ definition, diagnostics: [] }) }));
  const workflows = {
    library: { places: () => ["/w"], entries },
    findByName: () => ({ plan: { definition }, diagnostics: [] }),
    callable: () => undefined,
  };
  const context = {
    settings,
    openRuntime: () => ({ workflows }),
    platform: { trust: { find: () => undefined } },
    watch: (_places: readonly string[], onChange: () => void) => {
      changes.push(onChange);
      return () => {
        stopped += 1;
      };
    },
    log: () => {},
  };
  const tools = createToolSource(context as unknown as ServerContext, hasTools);
  return { tools, changes, stopped: () => stopped };
}

test("a change of files that changes no tool is told to nobody, and nothing is watched twice or after the end", () => {
  const { tools, changes, stopped } = watched();
  const told = vi.fn();
  tools.onChanged(told);
  tools.list();
  expect(changes).toHaveLength(0);
  vi.advanceTimersByTime(60_000);
  tools.list();
  expect(changes).toHaveLength(1);
  changes[0]?.();
  expect(told).not.toHaveBeenCalled();
  tools.close();
  expect(stopped()).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(changes).toHaveLength(1);
});

test("tools that have changed since an early answer are told of as a change", () => {
  const tell = (names: readonly string[]): number => {
    const { tools } = watched(() => names, true);
    const told = vi.fn();
    tools.onChanged(told);
    vi.advanceTimersByTime(60_000);
    tools.close();
    return told.mock.calls.length;
  };
  expect([tell([]), tell(["a"])]).toEqual([0, 1]);
});

test("what changes between the first list and the beginning of watching is told", () => {
  let names: readonly string[] = [];
  const { tools } = watched(() => names);
  const told = vi.fn();
  tools.onChanged(told);
  expect(tools.list().map(({ name }) => name)).not.toContain("run_a");
  names = ["a"];
  vi.advanceTimersByTime(1_000);
  expect(told).toHaveBeenCalledOnce();
  expect(tools.list().map(({ name }) => name)).toContain("run_a");
  tools.close();
});
