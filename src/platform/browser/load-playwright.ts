import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../../block/ports.ts";
import { err, ok, type Result } from "../../util/result.ts";
import type { Playwright } from "./playwright.ts";

/** Where the directory of the package is named, should it not stand beside Frond. */
const playwrightVariable = "FROND_PLAYWRIGHT";
/** It takes messages over pipes of ours, and tells the password of the proxy to no server. */
const leastVersion = [1, 65] as const;

/**
 * Found from where Frond itself is installed, or where its user says: never from the workspace, whose packages are code that nobody may
 * have looked at, and would run with all that Frond may do.
 */
export function loadPlaywright({ variables }: Environment): Result<Playwright, string> {
  const directory = variables[playwrightVariable] ?? "";
  if (directory !== "" && !isAbsolute(directory))
    return err(`${playwrightVariable} is '${directory}', not an absolute path`);
  const load = directory === "" ? createRequire(import.meta.url) : createRequire(join(directory, "package.json"));
  const name = directory === "" ? packageName : directory;
  const found = version(load, directory === "" ? `${packageName}/package.json` : join(directory, "package.json"));
  if (found === undefined) {
    if (directory !== "")
      return err(`${playwrightVariable} is '${directory}', and the package ${packageName} is not there`);
    return err(howToGet(`${packageName} is not installed beside Frond`));
  }
  const [major = 0, minor = 0] = found.split(".").map(Number);
  if (major !== leastVersion[0] || minor < leastVersion[1]) {
    return err(howToGet(`${packageName} ${found} is not ${leastVersion.join(".")} or later`));
  }
  return ok(load(name) as Playwright);
}

const packageName = "playwright-core";

function howToGet(problem: string): string {
  return `${problem}: type \`npm install ${packageName}@1\` where Frond is installed (\`npm install -g ${packageName}@1\` if that is global), or set ${playwrightVariable} to its directory`;
}

function version(load: NodeJS.Require, manifest: string): string | undefined {
  try {
    return String((load(manifest) as { version?: unknown }).version);
  } catch {
    return undefined;
  }
}
