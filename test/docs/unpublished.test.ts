import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What reaches readers: documents, the code that words messages, and what is installed with it. */
const texts: readonly string[] = [
  ...readdirSync(".").filter((file) => file.endsWith(".md") || file === "package.json"),
  ...["docs", "src", "schema", "examples", "workflows"].flatMap((folder) =>
    readdirSync(folder, { encoding: "utf8", recursive: true }).map((file) => join(folder, file)),
  ),
].filter((file) => statSync(file).isFile() && !file.endsWith(".test.ts"));

function linesWith(pattern: RegExp): string[] {
  return texts.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
}

/** Ways to fetch a package, an image or an action. Frond itself can be had in none of them. */
const fetching =
  /\b(?:npx|pnpx|bunx|(?:npm|pnpm|yarn|bun)(?: global)? (?:i|install|add|exec|dlx|create|x)|(?:brew|apt|apt-get|pipx?|uv tool|cargo|snap) install|(?:docker|podman) (?:run|pull)|uses)\b[^`#\n]*?\bfrond\b|["']npx["']|@frond\b/i;

test("no text names a package of Frond, because none is published", () => {
  expect(fetching.test("npx -y frond serve")).toBe(true);
  expect(fetching.test("npm install -g frond")).toBe(true);
  expect(fetching.test("- uses: someone/frond-action@v1")).toBe(true);
  expect(linesWith(fetching).filter((line) => !/^src\/blocks\/shell\//.test(line))).toEqual([]);
});

/** Names that are reserved for examples, and this machine. */
const noPages = /^(?:localhost|127\.0\.0\.1|(?:.*\.)?(?:example(?:\.com)?|test))$/;

test("no text names a page of Frond's own, because there is none", () => {
  const addresses = texts.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/https?:\/\/([a-z0-9][a-z0-9.-]*)[^\s)"'`>,]*/gi)].map(
      ([address, host = ""]) => ({ address, host: host.replace(/\.+$/, "") }),
    ),
  );
  expect(addresses.length).toBeGreaterThan(20);
  const own = addresses.filter(({ address, host }) => /frond/i.test(address) && !noPages.test(host));
  expect(own).toEqual([]);
});

test("no schema claims an address of its own", () => {
  for (const file of readdirSync("schema")) expect(readFileSync(join("schema", file), "utf8")).not.toContain('"$id"');
});
