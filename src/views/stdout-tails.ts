import { childNodes, isUnderFinally, type RunNode } from "../engine/run-node.ts";

/** In all: a reply is read by a model, and whoever wants more reads the log. */
const mostCharacters = 2_000;
/** Of more blocks than these, such as the passes of a loop, the last are shown. */
const mostBlocks = 20;

/**
 * The end of what the last blocks of a run wrote to stdout, by address: what a run without declared outputs has to show. The last
 * blocks are those on which nothing depends, `finally` aside; of one that holds blocks, the last ones inside it.
 */
export function stdoutTails(root: RunNode): Readonly<Record<string, string>> | undefined {
  const written = lastBlocks(root)
    .flatMap(({ path, record: { outputs } }) => {
      const text = typeof outputs.stdout === "string" ? outputs.stdout.trimEnd() : "";
      return text === "" ? [] : [{ path, text }];
    })
    .slice(-mostBlocks);
  if (written.length === 0) return undefined;
  const shares = shareRoom(written.map(({ text }) => text.length));
  return Object.fromEntries(written.map(({ path, text }, index) => [path, endOf(text, shares[index] as number)]));
}

function lastBlocks(node: RunNode): readonly RunNode[] {
  const { inside } = node;
  if (inside.kind === "leaf") return [node];
  if (inside.kind === "loop") return childNodes(node).slice(-mostBlocks).flatMap(lastBlocks);
  const main = inside.children.filter((child) => !isUnderFinally(child));
  const needed = new Set(main.flatMap(({ block }) => block?.edges.map(({ on }) => on) ?? []));
  return main.filter(({ record }, index) => !needed.has(index) && !record.metadata.skipped).flatMap(lastBlocks);
}

/** Short texts are shown whole, long ones get the same room each. */
function shareRoom(lengths: readonly number[]): readonly number[] {
  const shares = lengths.map(() => 0);
  let left = mostCharacters;
  const shortFirst = [...lengths.entries()].sort(([, one], [, other]) => one - other);
  for (const [position, [index, length]] of shortFirst.entries()) {
    const share = Math.min(length, Math.floor(left / (shortFirst.length - position)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

function endOf(text: string, room: number): string {
  return text.length > room ? `...${text.slice(text.length - Math.max(0, room - 3))}` : text;
}
