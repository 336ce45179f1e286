import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Fails where the built bin is older than what it is built from: what a test of it would find says nothing of the sources. */
export function requireFreshBin(root: string, program: string): void {
  if (!existsSync(program)) throw new Error("There is no bin to test. Run: npm run build");
  const built = statSync(program).mtimeMs;
  const newer = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).find(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && statSync(join(root, "src", file)).mtimeMs > built,
  );
  if (newer !== undefined) throw new Error(`The bin is older than src/${newer}. Run: npm run build`);
}
