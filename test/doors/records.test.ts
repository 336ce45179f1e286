import { expect, test } from "vitest";
import { filesSaying, folderOf, sources } from "./sources.ts";

/** Both hand over the engine's own state, whose type a door would get without importing it. */
const stateGivers = /\breadRun\b|\b(?!processes\b)\w+(\?)?\.inspect\(/;

test("doors look at runs through views/ only", () => {
  const seeing = filesSaying(stateGivers, sources);
  expect(seeing).toContain("src/views/shown-run.ts");
  expect(seeing.filter((file) => ["cli", "mcp", "http", "testing"].includes(folderOf(file)))).toEqual([]);
});
