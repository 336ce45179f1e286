import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { catalog } from "../test/definition/check.ts";
import { createLoader } from "./definition/load-workflow.ts";
import { headKey, type KnownHeads, knowHeads } from "./known-heads.ts";
import { listWorkflowFiles } from "./platform/files/list-workflow-files.ts";

const reading = createLoader(catalog);
const source = { name: "a.yaml", text: "name: a\ndescription: As it is read\ntags: [one]\nblocks: []\n" };

function fileHolding(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), "frond-heads-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "heads.json"), text);
  return join(directory, "heads.json");
}

test("a head that is known is looked up, and that of any other text is read", () => {
  const known: KnownHeads = { [headKey(source.text)]: { description: "As it was built", tags: [] } };
  const loader = knowHeads(reading, fileHolding(JSON.stringify(known)));
  expect(loader.head(source)).toEqual({ description: "As it was built", tags: [] });
  expect(loader.head({ ...source, text: `${source.text}# changed\n` })).toEqual(reading.head(source));
});

test.each(["", "not JSON"])("without anything known, as in %j, heads are read", (text) => {
  expect(knowHeads(reading, fileHolding(text)).head(source)).toEqual(reading.head(source));
  expect(knowHeads(reading, "/nowhere/heads.json").head(source)).toEqual(reading.head(source));
});

test("the build knows the head of every workflow that comes with Frond, as it is read", () => {
  const built = JSON.parse(readFileSync("dist/workflow-heads.json", "utf8")) as KnownHeads;
  const files = listWorkflowFiles("workflows", { followLink: false, limit: 1000 }) ?? [];
  const read = files.map((name) => {
    const text = readFileSync(name, "utf8");
    return [headKey(text), reading.head({ name, text })];
  });
  expect(read.length).toBeGreaterThan(20);
  expect(built).toEqual(Object.fromEntries(read));
});
