import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const documents = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
];

describe.each(documents)("%s", (document) => {
  test("leads only to files that are there", () => {
    expect(filesOf(document).filter((file) => !existsSync(file))).toEqual([]);
  });
});

test("every picture of the page is shown in a document", () => {
  const shown = new Set(documents.flatMap(filesOf));
  const pictures = readdirSync("docs/pictures").map((file) => join("docs", "pictures", file));
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.filter((picture) => !shown.has(picture))).toEqual([]);
});

/** What it links to or shows, but for pages elsewhere, and text that is an example. */
function filesOf(document: string): readonly string[] {
  const text = readFileSync(document, "utf8")
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .replaceAll(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
    .map(([, link, picture]) => (link ?? picture ?? "").replace(/#.*$/, ""))
    .filter((target) => target !== "" && !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(document), target));
}
