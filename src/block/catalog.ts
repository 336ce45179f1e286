import type { BlockType } from "./define-block.ts";

/** The block types a Frond knows: a value handed over, so that two catalogs can live in one process. */
export interface Catalog {
  readonly types: readonly BlockType[];
  /** By its own name or one of its aliases. */
  find(name: string): BlockType | undefined;
  /** Every name `find` accepts. */
  readonly names: readonly string[];
}

export function createCatalog(types: readonly BlockType[]): Catalog {
  const byName = new Map<string, BlockType>();
  for (const type of types) {
    for (const name of [type.type, ...(type.aliases ?? [])]) {
      if (byName.has(name)) throw new Error(`Two block types are called ${name}.`);
      byName.set(name, type);
    }
  }
  return { types, names: [...byName.keys()], find: (name) => byName.get(name) };
}
