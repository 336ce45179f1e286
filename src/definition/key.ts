import type { Catalog } from "../block/catalog.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import { type ExplainKey, explainForeignKey } from "./foreign-keys.ts";
import { firstLine, isNothing, KeyReader, type MapReader } from "./map-reader.ts";
import type { YamlEntry } from "./yaml-node.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** How a value is written: what editors accept and what the loader reads are said side by side. */
export interface Form<Value, Context = unknown, Fields = unknown> {
  readonly schema: JsonSchema | ((catalog: Catalog) => JsonSchema);
  /** What is wrong is reported; there is a value all the same where the definition needs one. `before` holds earlier fields. */
  read(at: KeyReader, context: Context, before: Partial<Fields>): Value;
}

/** Everything there is to know of one key of the language. */
export interface Key<Value, Context = unknown, Fields = unknown> extends Form<Value, Context, Fields> {
  readonly name: string;
  /** One line, for editors and for the tables in the docs. */
  readonly docs: string;
  /** Values as they are written. The first is shown in the docs and when the key is missing. */
  readonly examples: readonly [string, ...string[]];
  /** That it is missing is an error, which may have words of its own. */
  readonly required?: true | Pick<Diagnostic, "code" | "message" | "fix">;
  /** What other systems call it. */
  readonly foreign?: readonly string[];
  /** Keys in the same map that mean nothing without this one. */
  readonly beside?: Readonly<Record<string, AnyKey>>;
}

export type AnyKey = Key<unknown, never, never>;

/** The keys of a map by the field they fill: a key that fills none, or a field that no key fills, is a type error. */
export type Keys<Fields, Context = unknown> = {
  readonly [Field in keyof Fields]-?: Key<Fields[Field], Context, Fields>;
};

/** All keys of a map, also those that stand beside others. */
export function listKeys(...tables: readonly object[]): AnyKey[] {
  return tables.flatMap((table) =>
    (Object.values(table) as AnyKey[]).flatMap((key) => [key, ...listKeys(key.beside ?? {})]),
  );
}

/** Reads a map that has these keys and no others. */
export function readMap<Fields extends object, Context>(
  keys: Keys<Fields, Context>,
  map: MapReader,
  context: Context,
): Fields {
  refuseUnknown(map, listKeys(keys));
  return readKeys(keys, map, context);
}

/** Reads the keys in the order of the table. A field that has no value is left out. */
export function readKeys<Fields extends object, Context>(
  keys: Keys<Fields, Context>,
  map: MapReader,
  context: Context,
): Fields {
  const fields: Record<string, unknown> = {};
  for (const [field, key] of Object.entries<Key<unknown, Context, Fields>>(keys)) {
    const at = new KeyReader(map, key.name);
    if (at.entry === undefined) reportAbsent(key, map);
    const value = key.read(at, context, fields as Partial<Fields>);
    if (value !== undefined) fields[field] = value;
  }
  return fields as Fields;
}

function reportAbsent(key: AnyKey, map: MapReader): void {
  if (key.required !== undefined && !map.meant.has(key.name)) {
    map.report({
      code: "missing-key",
      message: `${map.what} has no '${key.name}'.`,
      fix: `Add \`${key.name}: ${key.examples[0]}\`.`,
      ...(key.required === true ? {} : key.required),
      level: "error",
      range: firstLine(map.map.range),
    });
  }
  for (const { name } of listKeys(key.beside ?? {})) {
    const entry = map.entry(name);
    if (entry === undefined || map.meant.has(name)) continue;
    map.report({
      code: `needs-${key.name.replaceAll("_", "-")}`,
      level: "error",
      message: `'${name}' of ${map.what} needs a ${key.name} beside it.`,
      fix: `Add \`${key.name}:\` or remove it.`,
      range: entry.keyRange,
    });
  }
}

export function refuseUnknown(map: MapReader, known: readonly AnyKey[], explain: ExplainKey = () => undefined): void {
  for (const entry of map.map.entries) {
    const { key, keyRange: range } = entry;
    if (known.some(({ name }) => name === key)) continue;
    const message = `${map.what} has no key '${key}'.`;
    map.report({ code: "unknown-key", level: "error", message, fix: adviseOn(entry, map, known, explain), range });
  }
}

function adviseOn(entry: YamlEntry, map: MapReader, known: readonly AnyKey[], explain: ExplainKey): string {
  const inFlow = map.map.range.source.text[map.map.range.start] === "{";
  if (inFlow && isNothing(entry.value)) {
    return "If it belongs to the value before it, quote that value: inside { } a comma ends an unquoted one.";
  }
  const foreign = explain(entry) ?? explainForeignKey(entry.key, known);
  if (foreign === undefined) {
    const names = known.map(({ name }) => name);
    return suggestName(entry.key, names, "key");
  }
  for (const key of foreign.means) map.meant.add(key);
  return foreign.fix;
}

export interface MapSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** The JSON Schema of a map with these keys and no others. */
export function mapSchema(keys: readonly AnyKey[], catalog: Catalog): MapSchema {
  const required = keys.filter((key) => key.required !== undefined).map(({ name }) => name);
  return {
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    properties: Object.fromEntries(keys.map((key) => [key.name, keySchema(key, catalog)])),
  };
}

function keySchema({ docs, schema }: AnyKey, catalog: Catalog): JsonSchema {
  return { description: docs, ...(typeof schema === "function" ? schema(catalog) : schema) };
}
