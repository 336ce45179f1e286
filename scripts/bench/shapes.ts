/** Workflow texts of the shapes that are measured. */

interface BenchBlock {
  readonly id: string;
  readonly after?: readonly string[];
}

function workflow(blocks: readonly BenchBlock[], body: (index: number) => string): string {
  const lines = ["name: bench", "description: Measured", "blocks:"];
  for (const [index, { id, after = [] }] of blocks.entries()) {
    lines.push(`  - id: ${id}`, body(index));
    if (after.length > 0) lines.push(`    depends_on: [${after.join(", ")}]`);
  }
  return `${lines.join("\n")}\n`;
}

export const shellTrue = (): string => "    type: Shell\n    inputs: { command: 'true' }";
/** By the shell of the bare children, and so without what bash takes longer to start. */
export const shTrue = (): string => "    type: Shell\n    inputs: { command: 'true', shell: sh }";
/** Does nothing either, but each start of one is durable first, as if it did. */
export const effectBlock = (index: number): string => `    type: Effect\n    inputs: { value: value ${index} }`;
export const noopBlock = (index: number): string => `    type: Noop\n    inputs: { value: value ${index} }`;

export function chain(length: number, body: (index: number) => string): string {
  const blocks = Array.from({ length }, (_, index) => ({
    id: `b${index}`,
    after: index === 0 ? [] : [`b${index - 1}`],
  }));
  return workflow(blocks, body);
}

export function flat(length: number, body: (index: number) => string): string {
  return workflow(
    Array.from({ length }, (_, index) => ({ id: `b${index}` })),
    body,
  );
}

/** 0.1 s then 1 s beside 1 s then 0.1 s: 1.1 s, unless somebody waits for a wave, then 2 s. */
export const diamondCommands = ["sleep 0.1", "sleep 1", "sleep 1", "sleep 0.1"] as const;

export function diamond(): string {
  const blocks: BenchBlock[] = [{ id: "a" }, { id: "b", after: ["a"] }, { id: "c" }, { id: "d", after: ["c"] }];
  return workflow(blocks, (index) => `    type: Shell\n    inputs: { command: ${diamondCommands[index]} }`);
}

export function single(command: string): string {
  return workflow([{ id: "a" }], () => `    type: Shell\n    inputs: { command: ${JSON.stringify(command)} }`);
}
