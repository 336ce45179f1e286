import { createPlatform, createRuntime, directoriesOf, type LibraryOptions } from "./create-platform.ts";
import { createRememberingLoader } from "./definition/load-workflow.ts";
import { createMemoryStorage } from "./journal/memory/memory-journal.ts";
import type { WorkflowRules } from "./library/engine-rules.ts";
import { PlanMemory } from "./library/plan-memory.ts";
import { Workflows } from "./library/workflows.ts";
import { createMemoryBlobs } from "./platform/files/memory-blobs.ts";
import { listTestFiles, listYamlFiles } from "./platform/files/test-files.ts";
import { makeTestGround } from "./platform/files/test-ground.ts";
import { createPathVariants } from "./platform/test-programs.ts";
import type { Platform } from "./runs/platform.ts";
import { rollBack } from "./runs/roll-back.ts";
import type { TestBench } from "./testing/test-bench.ts";

/** Cases run on the real engine with real ports; what they leave is theirs alone, and their journal is memory. */
export function createTestBench(platform: Platform, library: LibraryOptions, rules?: WorkflowRules): TestBench {
  const { environment } = platform;
  const variants = createPathVariants(environment.variables.PATH ?? "");
  const open = new Set<Platform>();
  const directories = directoriesOf(library, platform);
  const opened = createRuntime(platform, library, rules);
  const { catalog } = opened.workflows;
  // Every case has a library of its own, and nearly all of what they hold is the same.
  const remembered = { loader: createRememberingLoader(catalog), plans: new PlanMemory() };
  const workflowOptions = { maxNodes: opened.limits.nodes, ...remembered };
  const runtime = {
    ...opened,
    workflows: new Workflows(catalog, directories, platform, { ...workflowOptions, rules }),
  };
  // What a case gives to a workflow is its author's choice, not that of who runs the test.
  const rulesInside = rules === undefined ? undefined : { forbidsUnsafe: rules.forbidsUnsafe };
  return {
    runtime,
    makeGround: makeTestGround,
    openRuntime({ ground, variables, standIn, warn }) {
      const own = createPlatform({
        variables: { ...variables },
        stateDirectory: ground.state,
        journalStorage: createMemoryStorage(),
        blobs: createMemoryBlobs(),
        warn,
      });
      const closed = { ...own, close: () => own.close().finally(() => open.delete(own)) };
      open.add(own);
      const standIns = { path: ground.workflows, source: "user", expected: false } as const;
      // The last one wins.
      const options = { ...workflowOptions, rules: rulesInside };
      const workflows = new Workflows(catalog, [...directories, standIns], own, options);
      return { workflows, platform: closed, maxDepth: runtime.maxDepth, limits: runtime.limits, rollBack, standIn };
    },
    pathWithout: (programs) => variants.without(programs),
    findProgram: (name) => environment.findProgram(name),
    listTestFiles,
    listYamlFiles,
    readText: platform.readWorkflowText,
    kill() {
      for (const { processes } of open) void processes.close(0);
    },
    close: () => variants.remove(),
  };
}
