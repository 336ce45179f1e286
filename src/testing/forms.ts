import { type PlainForm, readText, withDefault, words } from "../definition/forms.ts";
import type { Key } from "../definition/key.ts";
import type { KeyReader } from "../definition/map-reader.ts";
import { plainValue } from "../definition/plain-value.ts";
import type { YamlEntry } from "../definition/yaml-node.ts";
import type { ValueMap } from "../expression/value.ts";

export const programs: PlainForm<readonly string[]> = withDefault(words("the name of a program"), []);

/** A key of a test file and of each case. */
export const uses: Key<readonly string[]> = {
  name: "uses",
  docs: "Programs that have to be there; a case is skipped where one is not",
  examples: ["[git]"],
  ...programs,
};

/** A map of plain values. */
export const values: PlainForm<ValueMap> = {
  schema: { type: "object" },
  read(at) {
    const map = at.mapAt();
    return map === undefined ? {} : (plainValue(map) as ValueMap);
  },
};

/** What has a text in the end: true and 7 are the texts of them. */
export const looseText: PlainForm<string | undefined> = {
  schema: { type: ["string", "number", "boolean"] },
  read: ({ node, report }) => (node === undefined ? undefined : readText(node, "a text", report)),
};

/** The entries of a map that can be read; what is wrong with the others has been reported. */
export function readEach<T>(at: KeyReader, read: (entry: YamlEntry) => T | undefined): Map<string, T> {
  const all = new Map<string, T>();
  for (const entry of at.mapAt()?.entries ?? []) {
    const value = read(entry);
    if (value !== undefined) all.set(entry.key, value);
  }
  return all;
}
