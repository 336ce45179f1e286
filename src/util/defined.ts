/**
 * Those of the entries that have a value, to be spread into an object: where a property is optional, its absence is not the same as
 * its being undefined.
 */
export function defined<const Entries extends object>(entries: Entries): Defined<Entries> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as Defined<Entries>;
}

type Defined<Entries> = { -readonly [Key in keyof Entries]?: Exclude<Entries[Key], undefined> };
