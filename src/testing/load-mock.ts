import { MapReader } from "../definition/map-reader.ts";
import { plainValue } from "../definition/plain-value.ts";
import { describeNode, type YamlEntry } from "../definition/yaml-node.ts";
import type { Report } from "../diagnostic/collect-diagnostics.ts";
import type { ValueMap } from "../expression/value.ts";
import type { Mock } from "./test-file.ts";

export const mockKeys = ["outputs", "fails", "crashes"] as const;

/** How the block at an address ends. */
export function loadMock({ key, value: node }: YamlEntry, report: Report): Mock | undefined {
  if (node.kind !== "map") {
    const message = `The mock of '${key}' must be a map with outputs, fails or crashes, not ${describeNode(node)}.`;
    report({ code: "wrong-type", level: "error", message, fix: `Write ${key}: { outputs: {} }.`, range: node.range });
    return undefined;
  }
  const reader = new MapReader(node, `the mock of '${key}'`, report);
  reader.refuseUnknown(mockKeys);
  const map = reader.mapAt("outputs");
  const outputs = map === undefined ? {} : (plainValue(map) as ValueMap);
  const [fails, crashes] = [reader.text("fails"), reader.text("crashes")];
  if (crashes !== undefined) {
    const other = reader.entry("fails") ?? reader.entry("outputs");
    if (other !== undefined) {
      const message = `A block that crashes has no '${other.key}': it could not run.`;
      report({ code: "bad-mock", level: "error", message, fix: "Write `fails` instead.", range: other.keyRange });
    }
    return { kind: "crashes", message: crashes };
  }
  return fails === undefined ? { kind: "succeeds", outputs } : { kind: "fails", message: fails, outputs };
}
