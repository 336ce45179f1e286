import type { Ports } from "../block/ports.ts";
import { allBlocks } from "../definition/all-blocks.ts";
import { reportInputProblem, writtenInputs } from "../definition/load-block-inputs.ts";
import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";

const mostVerified = 500;
const atOnce = 4;

/** Problems that only a block type's own tools can see, such as a shell's syntax check. Runs nothing of the workflow. */
export async function verifyBlocks(
  definition: WorkflowDefinition | undefined,
  ports: Ports,
  signal?: AbortSignal,
): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const verifiable = [...allBlocks(definition ?? { blocks: [] })].filter(({ type }) => type.verify !== undefined);
  const queue = verifiable.slice(0, mostVerified);
  const work = async (): Promise<void> => {
    for (let block = queue.shift(); block !== undefined && !signal?.aborted; block = queue.shift()) {
      await verify(block, ports, diagnostics);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (verifiable.length > mostVerified) {
    const message = `Only the first ${mostVerified} commands were handed to the shell's own syntax check.`;
    diagnostics.push({ code: "not-all-verified", level: "hint", message });
  }
  return diagnostics;
}

async function verify(block: BlockDefinition, ports: Ports, diagnostics: Diagnostic[]): Promise<void> {
  const problems = (await block.type.verify?.(writtenInputs(block.inputs), ports)) ?? [];
  for (const problem of problems) {
    reportInputProblem(problem, `block '${block.id}'`, block.inputs, block.range, (found) =>
      diagnostics.push({ ...found, block: block.id }),
    );
  }
}
