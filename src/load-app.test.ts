import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { codeCacheFile } from "./load-app.ts";

test("compiled code is kept for the very binary that made it", () => {
  const { size, mtimeMs } = statSync(process.execPath);
  expect(codeCacheFile("dist/app.cjs")).toBe(
    `dist/app-${process.version}-${process.arch}-${size}-${Math.floor(mtimeMs)}.cache`,
  );
});
