import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { codeCacheFile, refusesCodeCache } from "./load-app.ts";

test("compiled code is kept for the very binary that made it", () => {
  const { size, mtimeMs } = statSync(process.execPath);
  expect(codeCacheFile("dist/app.cjs")).toBe(
    `dist/app-${process.version}-${process.arch}-${size}-${Math.floor(mtimeMs)}.cache`,
  );
});

/** Node 22 keeps compiled code by itself. */
const keepsItself = "enableCompileCache" in nodeModule;

test.skipIf(keepsItself)("a package that was installed without compiled code has it after its first use", () => {
  const directory = mkdtempSync(join(tmpdir(), "frond-load-app-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const bundle = join(directory, "app.cjs");
  writeFileSync(bundle, "exports.main = async () => 0;");
  const program = join(directory, "main.mjs");
  buildSync({
    entryPoints: ["src/load-app.ts"],
    outfile: join(directory, "load-app.mjs"),
    format: "esm",
    platform: "node",
  });
  writeFileSync(
    program,
    `import { loadApp } from "./load-app.mjs";\nprocess.exitCode = await loadApp(process.argv[2]).main([]);\n`,
  );
  const use = (): number | null => spawnSync(process.execPath, [program, bundle]).status;
  expect(use()).toBe(0);
  expect(existsSync(codeCacheFile(bundle))).toBe(true);
  expect(refusesCodeCache(bundle)).toBe(false);
  expect(readdirSync(directory).filter((name) => name.startsWith("app"))).toHaveLength(2);
  expect(use()).toBe(0);
});
