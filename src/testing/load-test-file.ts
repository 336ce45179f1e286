import type { Catalog } from "../block/catalog.ts";
import { text } from "../definition/forms.ts";
import { type Keys, readMap } from "../definition/key.ts";
import { isNothing, type KeyReader, MapReader } from "../definition/map-reader.ts";
import { readYaml } from "../definition/read-yaml.ts";
import { describeNode } from "../definition/yaml-node.ts";
import { collectDiagnostics } from "../diagnostic/collect-diagnostics.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { hasErrors, sortDiagnostics } from "../diagnostic/diagnostic.ts";
import type { Source } from "../diagnostic/source.ts";
import { err, ok, type Result } from "../util/result.ts";
import { uses } from "./forms.ts";
import { loadCase } from "./load-case.ts";
import type { TestCase, TestFile, WorkflowTarget } from "./test-file.ts";

interface WrittenTestFile extends Pick<TestFile, "workflow" | "cases"> {
  readonly uses: readonly string[];
}

const noCases = {
  code: "no-cases",
  message: "The test file has no cases.",
  fix: "Add `cases:` with at least one item that has a name.",
};

export const testFileKeys: Keys<WrittenTestFile, Catalog> = {
  workflow: {
    name: "workflow",
    docs: "The workflow under test, if it does not lie beside this file: a name, or a path from here",
    examples: ["release.yaml", "release"],
    schema: text.schema,
    read: readTarget,
  },
  uses,
  cases: {
    name: "cases",
    docs: "What is tried, each in a world of its own",
    examples: ["[{ name: builds }]"],
    required: noCases,
    schema: { type: "array", minItems: 1, items: { $ref: "#/$defs/case" } },
    read: (at, catalog, { uses = [] }) => readCases(at, uses, catalog),
  },
};

/** Text to test file; every problem of the file is reported at once. */
export function loadTestFile(source: Source, catalog: Catalog): Result<TestFile, readonly Diagnostic[]> {
  const yaml = readYaml(source);
  if (!yaml.ok) return err(yaml.error);
  const root = yaml.value;
  const { value, diagnostics } = collectDiagnostics((report) => {
    if (root.kind === "map") return readMap(testFileKeys, new MapReader(root, "the test file", report), catalog);
    const message = `A test file is a map with cases, not ${describeNode(root)}.`;
    report({ code: "wrong-type", level: "error", message, range: root.range });
    return undefined;
  });
  if (value === undefined || hasErrors(diagnostics)) return err(sortDiagnostics(diagnostics));
  const { uses: _, ...file } = value;
  return ok({ source, ...file });
}

function readTarget(at: KeyReader): WorkflowTarget | undefined {
  const text = at.text();
  if (text === undefined) return undefined;
  return { kind: text.includes("/") || /\.ya?ml$/.test(text) ? "path" : "name", text, range: at.range };
}

function readCases(at: KeyReader, uses: readonly string[], catalog: Catalog): TestCase[] {
  const { entry, report } = at;
  const items = at.listAt()?.items ?? [];
  const isEmpty = entry !== undefined && (entry.value.kind === "list" ? items.length === 0 : isNothing(entry.value));
  if (isEmpty) report({ ...noCases, level: "error", range: entry.keyRange });
  const cases: TestCase[] = [];
  const seen = new Set<string>();
  for (const item of items) {
    const loaded = loadCase(item, uses, catalog, report);
    if (loaded === undefined) continue;
    const { name, range } = loaded;
    if (seen.has(name)) {
      const message = `There are two cases with the name '${name}'.`;
      report({ code: "duplicate-case", level: "error", message, fix: "Give each case a name of its own.", range });
    }
    seen.add(name);
    cases.push(loaded);
  }
  return cases;
}
