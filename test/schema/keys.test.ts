import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Catalog, createCatalog } from "../../src/block/catalog.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import { blockKeys } from "../../src/definition/block-keys.ts";
import { type AnyKey, type Key, type Keys, listKeys } from "../../src/definition/key.ts";
import { loadWorkflow } from "../../src/definition/load-workflow.ts";
import { readYaml } from "../../src/definition/read-yaml.ts";
import { workflowKeys } from "../../src/definition/workflow-keys.ts";
import type { Diagnostic } from "../../src/diagnostic/diagnostic.ts";
import type { Source } from "../../src/diagnostic/source.ts";
import { languageKeys } from "../../src/library/describe-keys.ts";
import { workflowSchema } from "../../src/library/json-schema.ts";
import { loadTestFile } from "../../src/testing/load-test-file.ts";
import { testKeys } from "../../src/testing/test-keys.ts";
import { testFileSchema } from "../../src/testing/test-schema.ts";

const catalog: Catalog = createCatalog(blockTypes);

type Frame = readonly [beside: object, document: (map: object) => object];

const block = { id: "x", type: "Shell", inputs: { command: "ls" } };
const workflow = { name: "a", description: "b", blocks: [block] };

/** An input that the examples of some keys read. */
const takesBranch = { inputs: { branch: { type: "string", description: "d", default: "main" } } };

/** The map without a key that can't stand beside another. */
function without(map: object, key: string, other: string): object {
  return key in map ? Object.fromEntries(Object.entries(map).filter(([name]) => name !== other)) : map;
}

/** The type that an input has to have for a limit that is not for texts. */
function typeForLimits(map: object): object {
  if ("minimum" in map || "maximum" in map) return { type: "number" };
  return "items" in map ? { type: "array" } : {};
}

/** What a map needs beside the key in question, and the document that it stands in. */
const workflowFrames: Readonly<Record<string, Frame>> = {
  "workflow keys": [{ ...workflow, ...takesBranch }, (map) => map],
  "input keys": [
    { type: "string", description: "d" },
    (x) => ({ ...workflow, inputs: { x: { ...x, ...typeForLimits(x) } } }),
  ],
  "item keys": [
    { type: "string" },
    (items) => ({
      ...workflow,
      inputs: { x: { type: "array", description: "d", items: { ...items, ...typeForLimits(items) } } },
    }),
  ],
  "output keys": [{ value: 1 }, (x) => ({ ...workflow, outputs: { x } })],
  "block keys": [
    { ...block, for_each: [1] },
    (map) => {
      const alone = without(without(map, "repeat", "for_each"), "blocks", "type");
      return { ...workflow, blocks: [without(alone, "blocks", "inputs")] };
    },
  ],
  "repeat keys": [{ max: 2 }, (repeat) => ({ ...workflow, blocks: [{ ...block, repeat }] })],
  "retry keys": [
    { attempts: 2 },
    (map) => ({ ...workflow, blocks: [{ ...block, retry: without(map, "max_retries", "attempts") }] }),
  ],
  "budget keys": [{ max_blocks: 3 }, (budget) => ({ ...workflow, budget })],
  "cost keys": [{}, (cost) => ({ ...workflow, blocks: [{ ...block, cost }] })],
  "expect keys": [{}, (map) => ({ ...workflow, blocks: [{ ...block, expect: map }] })],
  "dependency keys": [{ block: "y" }, (map) => ({ ...workflow, blocks: [{ ...block, depends_on: [map] }] })],
  "file output keys": [{ path: "f" }, (f) => ({ ...workflow, blocks: [{ ...block, outputs: { f } }] })],
  "sandbox keys": [{}, (sandbox) => ({ ...workflow, sandbox })],
  "workspace keys": [{ git: "/a.git" }, (workspace) => ({ ...workflow, ...takesBranch, workspace })],
  "schedule keys": [{ cron: "@daily" }, (schedule) => ({ ...workflow, schedule })],
};

function inCase(more: object): object {
  return { cases: [{ name: "a", commands: { npm: {} }, ...more }] };
}

const testFrames: Readonly<Record<string, Frame>> = {
  "test file keys": [inCase({}), (map) => map],
  "case keys": [{ name: "a" }, (map) => ({ cases: [map] })],
  "given file keys": [{ content: "x" }, (f) => inCase({ files: { f: "json" in f ? { json: f.json } : f } })],
  "fake keys": [{}, (npm) => inCase({ commands: { npm } })],
  "mock keys": [{}, (x) => inCase({ mocks: { x } })],
  "expect keys": [{}, (map) => inCase({ expect: map })],
  "expected block keys": [{}, (x) => inCase({ expect: { blocks: { x } } })],
  "prompt keys": [{}, (map) => inCase({ expect: { prompts: [map] } })],
  "matcher keys": [{}, (error) => inCase({ expect: { error } })],
};

interface Document {
  readonly file: string;
  readonly maps: Readonly<Record<string, readonly AnyKey[]>>;
  readonly frames: Readonly<Record<string, Frame>>;
  readonly schema: ValidateFunction;
  readonly load: (source: Source) => readonly Diagnostic[];
}

const ajv = new Ajv2020({ strict: false });

const documents: readonly Document[] = [
  {
    file: "docs/language.md",
    maps: languageKeys,
    frames: workflowFrames,
    schema: ajv.compile(workflowSchema(catalog)),
    load: (source) => loadWorkflow(source, catalog).diagnostics,
  },
  {
    file: "docs/testing.md",
    maps: testKeys,
    frames: testFrames,
    schema: ajv.compile(testFileSchema(catalog)),
    load(source) {
      const loaded = loadTestFile(source, catalog);
      return loaded.ok ? [] : loaded.error;
    },
  },
];

describe.each(documents)("$file", ({ file, maps, frames, schema, load }) => {
  /** What the loader and the schema say of a document. */
  function problemsOf(document: object): { readonly loader: readonly string[]; readonly editor: readonly string[] } {
    const found = load({ name: "a.yaml", text: JSON.stringify(document) });
    const loader = found.filter(({ level }) => level === "error").map(({ message }) => message);
    return { loader, editor: schema(document) ? [] : (schema.errors ?? []).map(({ message = "" }) => message) };
  }

  describe.each(Object.entries(maps))("%s", (what, keys) => {
    const [beside, document] = frames[what] as Frame;
    const page = readFileSync(file, "utf8");
    const table = page.split(`<!-- ${what} -->\n`)[1]?.split(`<!-- end of ${what} -->\n`)[0] ?? "";

    test.each(keys.map((key) => [key.name, key] as const))(
      "%s: its examples fit, and it is in the docs",
      (name, key) => {
        for (const example of key.examples) {
          expect(readYaml({ name: "a.yaml", text: `${name}: ${example}\n` })).toMatchObject({ ok: true });
          const problems = problemsOf(document({ ...beside, [name]: parse(example) as unknown }));
          expect({ example, ...problems }).toEqual({ example, loader: [], editor: [] });
        }
        expect(key.docs).toMatch(/^[A-Z`].*[^.\s]$/);
        expect(table).toContain(`| \`${name}\` | ${key.docs} |`);
      },
    );

    const required = keys.filter((key) => key.required !== undefined).map(({ name }) => name);
    test.each(required)("%s is missed by the loader and by editors", (name) => {
      const { [name]: _, ...rest } = beside as Record<string, unknown>;
      const { loader, editor } = problemsOf(document(rest));
      expect(loader).toHaveLength(1);
      expect(editor).not.toEqual([]);
    });
  });
});

test.each(["{}", "{ delay: 1s }", "{ attempts: 2, max_retries: 1 }", "0", "101", "yes"])(
  "retry: %s is refused by the loader and by editors",
  (retry) => {
    const { schema, load } = documents[0] as Document;
    const document = { ...workflow, blocks: [{ ...block, retry: parse(retry) as unknown }] };
    expect(load({ name: "a.yaml", text: JSON.stringify(document) })).toHaveLength(1);
    expect(schema(document)).toBe(false);
  },
);

test.each([[blockKeys], [listKeys(workflowKeys)]])("no name stands for two keys", (known) => {
  const names = known.flatMap(({ name, foreign = [] }) => [name, ...foreign]);
  expect(names).toEqual([...new Set(names)]);
});

test("a key that fills no field, a field that no key fills and a value of another type are type errors", () => {
  const text: Key<string> = { name: "a", docs: "A", examples: ["a"], schema: {}, read: () => "" };
  // @ts-expect-error: nobody has a field b
  const tooMany: Keys<{ a: string }> = { a: text, b: text };
  // @ts-expect-error: nothing fills b
  const tooFew: Keys<{ a: string; b?: string }> = { a: text };
  // @ts-expect-error: a text is no number
  const wrong: Keys<{ a: number }> = { a: text };
  expect([tooMany, tooFew, wrong]).toHaveLength(3);
});
