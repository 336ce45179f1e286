import { join } from "node:path";
import type { Ports } from "../../block/ports.ts";
import { projectDirectory } from "../project-directory.ts";
import type { Workflows } from "../workflows.ts";
import { lookAtProject } from "./look-at-project.ts";
import type { NewFile } from "./make-files.ts";
import type { FirstSteps, ProjectFacts, ProjectKind } from "./project-kind.ts";
import { projectKinds } from "./project-kinds.ts";
import { writeFirstTest, writeFirstWorkflow } from "./write-first-workflow.ts";

/** A first workflow that fits a project, before anything is written. */
export interface FirstWorkflow {
  readonly name: string;
  readonly kind: ProjectKind;
  readonly steps: FirstSteps;
  /** The workflow and its test. */
  readonly files: readonly [workflow: NewFile, test: NewFile];
  /** What the project or the machine lacks, as sentences. */
  readonly missing: readonly string[];
  /** Names of further kinds that fit as well. */
  readonly otherKinds: readonly string[];
}

/** What its name begins with; with a number where the name is taken. */
const usualName = "check";

/** Of the kind that is named, or of the first that fits. Nothing when the project is not of the kind that is named. */
export async function planFirstWorkflow(
  project: string,
  kindName: string | undefined,
  workflows: Workflows,
  ports: Ports,
): Promise<FirstWorkflow | undefined> {
  const facts = await lookAtProject(project, ports);
  const fitting = projectKinds.flatMap(
    (kind): readonly { readonly kind: ProjectKind; readonly steps: FirstSteps }[] => {
      const steps = kind.plan(facts);
      return steps === undefined ? [] : [{ kind, steps }];
    },
  );
  const chosen = kindName === undefined ? fitting[0] : fitting.find(({ kind }) => kind.name === kindName);
  if (chosen === undefined) return undefined;
  const { kind, steps } = chosen;
  const name = freeName(workflows);
  const path = join(projectDirectory, `${name}.yaml`);
  const test = join(projectDirectory, `${name}.test.yaml`);
  return {
    name,
    kind,
    steps,
    files: [
      { path, text: writeFirstWorkflow(name, steps), needsTrust: true },
      { path: test, text: writeFirstTest(steps), needsTrust: true },
    ],
    missing: [...missingPrograms(steps, facts), ...(steps.missing ?? [])],
    otherKinds: fitting.filter((one) => one !== chosen && one.steps.knownBy !== undefined).map((one) => one.kind.name),
  };
}

function missingPrograms({ programs }: FirstSteps, { hasProgram }: ProjectFacts): readonly string[] {
  return programs
    .filter(({ name }) => !hasProgram(name))
    .map(({ name, hint }) => `${name} is not on your PATH. ${hint}`);
}

/** It overrides nobody's workflow. */
function freeName({ library }: Workflows): string {
  const taken = new Set(library.entries().map(({ name }) => name));
  let name = usualName;
  for (let number = 2; taken.has(name); number++) name = `${usualName}-${number}`;
  return name;
}
