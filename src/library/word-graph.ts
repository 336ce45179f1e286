import type { GraphBlock, LeftOut, WorkflowGraph } from "./workflow-graph.ts";

/** What a picture says of a block beside its id and its type, each as a few words. */
export function notesOn(block: GraphBlock, { blocks }: WorkflowGraph): string[] {
  const { condition, attempts, leftOut } = block;
  const tolerated = block.edges.filter(({ kind }) => kind === "optional").map(({ on }) => blocks[on]?.id ?? "");
  return [
    ...loopWords(block),
    ...(attempts === undefined ? [] : [`up to ${bare(attempts)} attempts`]),
    ...(block.allow_failure ? ["allowed to fail"] : []),
    ...(condition === undefined ? [] : [`if ${bare(condition)}`]),
    ...(tolerated.length === 0 ? [] : [`even if ${tolerated.join(", ")} ${tolerated.length === 1 ? "fails" : "fail"}`]),
    ...(leftOut === undefined ? [] : [wordLeftOut(leftOut)]),
  ];
}

function loopWords({ for_each: items, sequential, repeat }: GraphBlock): string[] {
  if (items !== undefined) return [`for each of ${bare(items)}${sequential ? ", one by one" : ""}`];
  if (repeat === undefined) return [];
  const until = repeat.until === undefined ? "" : ` until ${bare(repeat.until)},`;
  return [`repeated${until} at most ${bare(repeat.max)} times`];
}

function wordLeftOut(leftOut: LeftOut): string {
  switch (leftOut.why) {
    case "computed":
      return "which workflow is known only when it runs";
    case "missing":
      return "no such workflow here";
    case "recursion":
      return "calls a workflow that it is in";
    case "deeper":
      return `${countBlocks(leftOut.blocks)} inside`;
  }
}

export function countBlocks(count: number): string {
  return count === 1 ? "1 block" : `${count} blocks`;
}

/** On one line, without the `${}` around what is an expression in any case. */
function bare(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const whole = /^\$\{([^{}]*)\}$/.exec(line)?.[1]?.trim();
  return whole ?? line.replaceAll(/\$\{([\w.]+)\}/g, "$1");
}
