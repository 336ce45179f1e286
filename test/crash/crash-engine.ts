import { createCatalog } from "../../src/block/catalog.ts";
import type { BlockType } from "../../src/block/define-block.ts";
import { createPlatform, hereOptions } from "../../src/create-platform.ts";
import { defaultLimits } from "../../src/engine/limits.ts";
import { Workflows } from "../../src/library/workflows.ts";
import type { Plan } from "../../src/plan/plan.ts";
import type { Platform } from "../../src/runs/platform.ts";
import { rollBack } from "../../src/runs/roll-back.ts";
import type { Runtime } from "../../src/runs/runtime.ts";
import type { Written } from "../rig/engine.ts";
import type { CaseWorkflows } from "./protocol.ts";

export interface CrashEngine {
  readonly engine: Runtime;
  readonly plan: Plan;
}

/** Looked at before the engine takes it away, so that no command inherits it. */
const usesServer = process.env.FROND_DATABASE_URL !== undefined;

/** The engine as the composition root puts it together, with the library of a case and its block types, and what is replaced. */
export function createCrashEngine(
  { root, library }: CaseWorkflows,
  types: readonly BlockType[],
  replaced: Partial<Platform>,
): CrashEngine {
  const texts = new Map(Object.entries(library).map(([name, written]) => [name, textOf(written, name)]));
  const platform: Platform = {
    ...createPlatform(
      hereOptions((message) => {
        // A server that is stopped on purpose is away for a moment, and users are told.
        const isAway = usesServer && /can't be reached|is away|does not answer/.test(message);
        if (!isAway) throw new Error(`Unexpected warning: ${message}`);
      }),
    ),
    listWorkflowFiles: () => [...texts.keys()],
    readWorkflowText: (name) => ({ text: texts.get(name) ?? "" }),
    ...replaced,
  };
  const workflows = new Workflows(createCatalog(types), [directory], platform);
  const { plan, diagnostics } = workflows.checkText({ name: "root", text: textOf(root, "root") });
  if (plan === undefined) throw new Error(`The workflow is refused: ${JSON.stringify(diagnostics)}`);
  return { engine: { workflows, platform, maxDepth: 50, limits: defaultLimits, rollBack }, plan };
}

const directory = { path: "library", source: "user", trusted: true, expected: false } as const;

function textOf(written: Written, name: string): string {
  return typeof written === "string" ? written : JSON.stringify({ name, description: "Made by the rig", ...written });
}
