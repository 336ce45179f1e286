import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A workflow that shows a block type, as it is installed with Frond: `copy-file.yaml` for CopyFile. */
export function readBlockExample(packageRoot: string, type: string): string | undefined {
  const name = type.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "-").toLowerCase();
  const file = join(packageRoot, "examples", "blocks", `${name}.yaml`);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
