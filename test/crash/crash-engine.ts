import { createCatalog } from "../../src/block/catalog.ts";
import type { BlockType } from "../../src/block/define-block.ts";
import { createOutside, hereOptions } from "../../src/create-outside.ts";
import type { Plan } from "../../src/plan/plan.ts";
import { defaultLimits } from "../../src/run/limits.ts";
import type { Engine } from "../../src/service/engine.ts";
import type { Outside } from "../../src/service/outside.ts";
import { Workflows } from "../../src/service/workflows.ts";
import type { Written } from "../rig/engine.ts";
import type { CaseWorkflows } from "./protocol.ts";

export interface CrashEngine {
  readonly engine: Engine;
  readonly plan: Plan;
}

/** The engine as the composition root puts it together, with the library of a case and its block types, and what is replaced. */
export function createCrashEngine(
  { root, library }: CaseWorkflows,
  types: readonly BlockType[],
  replaced: Partial<Outside>,
): CrashEngine {
  const texts = new Map(Object.entries(library).map(([name, written]) => [name, textOf(written, name)]));
  const outside: Outside = {
    ...createOutside(
      hereOptions((message) => {
        throw new Error(`Unexpected warning: ${message}`);
      }),
    ),
    listWorkflowFiles: () => [...texts.keys()],
    readWorkflowText: (name) => ({ text: texts.get(name) ?? "" }),
    ...replaced,
  };
  const workflows = new Workflows(createCatalog(types), [directory], outside);
  const { plan, diagnostics } = workflows.checkText({ name: "root", text: textOf(root, "root") });
  if (plan === undefined) throw new Error(`The workflow is refused: ${JSON.stringify(diagnostics)}`);
  return { engine: { workflows, outside, maxDepth: 50, limits: defaultLimits }, plan };
}

const directory = { path: "library", source: "user", trusted: true, expected: false } as const;

function textOf(written: Written, name: string): string {
  return typeof written === "string" ? written : JSON.stringify({ name, description: "Made by the rig", ...written });
}
