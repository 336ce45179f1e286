import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { err, ok, type Result } from "../util/result.ts";

/** A package that Frond uses where its user has installed it. */
export interface OptionalPackage {
  readonly name: string;
  /** Where the directory of the package is named, should it not stand beside Frond. */
  readonly variable: string;
  /** Later ones of the same major version will do. */
  readonly leastVersion: readonly [major: number, minor: number];
}

/**
 * Found from where Frond itself is installed, or where its user says: never from the workspace, whose packages are code that nobody may
 * have looked at, and would run with all that Frond may do.
 */
export function loadPackage(
  wanted: OptionalPackage,
  variables: Readonly<Record<string, string | undefined>>,
): Result<{ readonly module: unknown; readonly version: string }, string> {
  const { name, variable, leastVersion } = wanted;
  const directory = variables[variable] ?? "";
  if (directory !== "" && !isAbsolute(directory)) return err(`${variable} is '${directory}', not an absolute path`);
  const load = directory === "" ? createRequire(import.meta.url) : createRequire(join(directory, "package.json"));
  const version = versionOf(load, directory === "" ? `${name}/package.json` : join(directory, "package.json"));
  if (version === undefined) {
    if (directory !== "") return err(`${variable} is '${directory}', and the package ${name} is not there`);
    return err(howToGet(`${name} is not installed beside Frond`, wanted));
  }
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major !== leastVersion[0] || minor < leastVersion[1]) {
    return err(howToGet(`${name} ${version} is not ${leastVersion.join(".")} or later`, wanted));
  }
  return ok({ module: load(directory === "" ? name : directory), version });
}

function howToGet(problem: string, { name, variable, leastVersion: [major] }: OptionalPackage): string {
  const install = `${name}@${major}`;
  return `${problem}: type \`npm install ${install}\` where Frond is installed (\`npm install -g ${install}\` if that is global), or set ${variable} to its directory`;
}

function versionOf(load: NodeJS.Require, manifest: string): string | undefined {
  try {
    return String((load(manifest) as { version?: unknown }).version);
  } catch {
    return undefined;
  }
}
