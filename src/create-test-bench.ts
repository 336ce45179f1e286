import { createEngine, createOutside, directoriesOf, type LibraryOptions } from "./create-outside.ts";
import { createMemoryJournal } from "./journal/memory-journal.ts";
import { listTestFiles } from "./node/test-files.ts";
import { makeTestGround } from "./node/test-ground.ts";
import { createPathVariants } from "./node/test-programs.ts";
import type { Outside } from "./service/outside.ts";
import { Workflows } from "./service/workflows.ts";
import type { TestBench } from "./testing/test-bench.ts";

/** Cases run on the real engine with real ports; what they leave is theirs alone, and their journal is memory. */
export function createTestBench(outside: Outside, library: LibraryOptions): TestBench {
  const { environment } = outside.ports;
  const engine = createEngine(outside, library);
  const variants = createPathVariants(environment.variables.PATH ?? "");
  const open = new Set<Outside>();
  const directories = directoriesOf(library, outside);
  return {
    engine,
    makeGround: makeTestGround,
    openEngine({ ground, variables, standIn, warn }) {
      const own = createOutside({
        variables: { ...variables },
        stateDirectory: ground.state,
        openJournal: async () => createMemoryJournal(),
        warn,
      });
      const closed = { ...own, close: () => own.close().finally(() => open.delete(own)) };
      open.add(own);
      const standIns = { path: ground.workflows, source: "user", expected: false } as const;
      // The last one wins.
      const workflows = new Workflows(
        engine.workflows.catalog,
        [...directories, standIns],
        own,
        undefined,
        engine.limits.nodes,
      );
      return { workflows, outside: closed, maxDepth: engine.maxDepth, limits: engine.limits, standIn };
    },
    pathWithout: (programs) => variants.without(programs),
    findProgram: (name) => environment.findProgram(name),
    listTestFiles,
    readText: outside.readWorkflowText,
    kill() {
      for (const { ports } of open) void ports.processes.close(0);
    },
    close: () => variants.remove(),
  };
}
