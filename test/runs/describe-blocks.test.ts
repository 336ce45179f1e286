import { expect, test } from "vitest";
import { createCatalog } from "../../src/block/catalog.ts";
import { editOperation } from "../../src/blocks/files/edit-operations.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import { describeBlockTypes } from "../../src/library/describe-blocks.ts";

const page = describeBlockTypes(createCatalog(blockTypes), () => undefined);

function sectionOf(type: string): string {
  return page.split(/^## /m).find((section) => section.startsWith(`${type}\n`)) ?? "";
}

test("an input says whether it is required, or what it is without being given", () => {
  expect(sectionOf("CreateFile")).toContain("| `content` | string or number or boolean | required |");
  expect(sectionOf("CreateFile")).toContain("| `overwrite` | boolean | `true` |");
  expect(sectionOf("EditFile")).toContain("| `expect_sha256` | string |  |");
});

test("an input that takes any value says so", () => {
  expect(sectionOf("WriteJSONState")).toContain("| `data` | any | required |");
});

test("what the elements of a list can be is told with all their fields", () => {
  const section = sectionOf("EditFile");
  const problem = editOperation().safeParse({}).error?.issues[0]?.message ?? "";
  const types = problem.split("one of ")[1]?.split(", ") ?? [];
  expect(types).toContain("regex_replace");
  for (const type of types) expect(section).toContain(`| \`${type}\` | `);
  expect(section).toContain('|  | `position` | `before`, `after` | `"before"` | Before or after that line |');
});
