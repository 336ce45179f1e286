import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const directory = "src/blocks";
const outside =
  /(?:from|require\(|import\(|getBuiltinModule\()\s*"(?:node:)?(?:fs|fs\/\w+|child_process|net|tls|dgram|dns|dns\/\w+|https?|http2)"/;

test("a block reaches files, processes and the network through its context only", () => {
  const sources = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  expect(sources.length).toBeGreaterThan(20);
  const reaching = sources.filter((file) => outside.test(readFileSync(join(directory, file), "utf8")));
  expect(reaching).toEqual([]);
});
