import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { BlockCard } from "../../views/page/page-records.ts";
import { Find } from "../look/find.tsx";
import { useKeys } from "../shell/keys.ts";

interface FindBlockProps {
  readonly blocks: readonly BlockCard[];
  select(address: string): void;
}

/** Selects the block whose name comes nearest to what is typed. */
export function FindBlock({ blocks, select }: FindBlockProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useKeys({
    "/": (event) => {
      event.preventDefault();
      field.current?.focus();
    },
  });
  const count = blocks.length > 120 ? ` among ${blocks.length.toLocaleString("en-GB")} blocks` : " a block";
  return (
    <Find
      field={field}
      label={`Find${count}`}
      options={blocks.map(({ name }) => name).slice(0, 300)}
      enter={(text) => {
        const found = findBlock(blocks, text);
        if (found !== undefined) select(found.address);
      }}
    />
  );
}

function findBlock(blocks: readonly BlockCard[], text: string): BlockCard | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return undefined;
  const isFound = (matches: (name: string) => boolean): BlockCard | undefined =>
    blocks.find(({ name, address }) => matches(name.toLowerCase()) || matches(address.toLowerCase()));
  return (
    isFound((name) => name === wanted) ??
    isFound((name) => name.startsWith(wanted)) ??
    isFound((name) => name.includes(wanted))
  );
}
