import type { Catalog } from "../block/catalog.ts";
import { MapReader } from "../definition/map-reader.ts";
import { readYaml } from "../definition/read-yaml.ts";
import { describeNode } from "../definition/yaml-node.ts";
import { collectDiagnostics, type Report } from "../diagnostic/collect-diagnostics.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { hasErrors, sortDiagnostics } from "../diagnostic/diagnostic.ts";
import type { Source } from "../diagnostic/source.ts";
import { err, ok, type Result } from "../util/result.ts";
import { loadCase } from "./load-case.ts";
import { readWords } from "./read-words.ts";
import type { TestCase, TestFile, WorkflowTarget } from "./test-file.ts";

export const testFileKeys = ["workflow", "uses", "cases"] as const;

/** Text to test file; every problem of the file is reported at once. */
export function loadTestFile(source: Source, catalog: Catalog): Result<TestFile, readonly Diagnostic[]> {
  const yaml = readYaml(source);
  if (!yaml.ok) return err(yaml.error);
  const root = yaml.value;
  const { value, diagnostics } = collectDiagnostics((report) => {
    if (root.kind === "map") return readFile(new MapReader(root, "the test file", report), source, catalog, report);
    const message = `A test file is a map with cases, not ${describeNode(root)}.`;
    report({ code: "wrong-type", level: "error", message, range: root.range });
    return undefined;
  });
  return value === undefined || hasErrors(diagnostics) ? err(sortDiagnostics(diagnostics)) : ok(value);
}

function readFile(reader: MapReader, source: Source, catalog: Catalog, report: Report): TestFile {
  reader.refuseUnknown(testFileKeys);
  const uses = readWords(reader, "uses", "the name of a program", report);
  const workflow = readTarget(reader);
  return {
    source,
    ...(workflow === undefined ? {} : { workflow }),
    cases: readCases(reader, uses, catalog, report),
  };
}

function readTarget(reader: MapReader): WorkflowTarget | undefined {
  const text = reader.text("workflow");
  const range = reader.node("workflow")?.range;
  if (text === undefined || range === undefined) return undefined;
  return { kind: text.includes("/") || /\.ya?ml$/.test(text) ? "path" : "name", text, range };
}

function readCases(reader: MapReader, uses: readonly string[], catalog: Catalog, report: Report): TestCase[] {
  const list = reader.listAt("cases");
  if (list === undefined || list.items.length === 0) {
    const isWrong = reader.node("cases") !== undefined && list === undefined;
    const fix = "Add `cases:` with at least one item that has a name.";
    const range = reader.entry("cases")?.keyRange ?? reader.map.range;
    if (!isWrong) report({ code: "no-cases", level: "error", message: "The test file has no cases.", fix, range });
    return [];
  }
  const cases: TestCase[] = [];
  const seen = new Set<string>();
  for (const item of list.items) {
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
