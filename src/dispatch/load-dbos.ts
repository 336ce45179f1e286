import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { err, ok, type Result } from "../util/result.ts";
import type { Dbos } from "./dbos.ts";

/** Where the directory of the package is named, should it not stand beside Frond. */
const dbosVariable = "FROND_DBOS";
const packageName = "@dbos-inc/dbos-sdk";
const version = [5, 3] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Found from where Frond itself is installed, or where its user says: never from the workspace, whose packages are code that nobody may
 * have looked at. The package pg is the one that it uses itself.
 */
export function loadDbos(variables: Variables): Result<Dbos, string> {
  const found = findDbos(variables);
  if (!found.ok) return found;
  const inside = createRequire(found.value.manifest);
  // A package may import itself by its own name.
  const { DBOS, DBOSClient, Error: errors } = inside(packageName) as Dbos;
  const { registerInternalQueue } = inside(`${packageName}/eventreceiver`) as Dbos;
  const { Pool } = inside("pg") as Dbos;
  return ok({ DBOS, DBOSClient, Error: errors, registerInternalQueue, Pool });
}

/** What would be loaded, by name and version; or what is missing, and how to get it. */
export function examineDbos(variables: Variables): Result<string, string> {
  const found = findDbos(variables);
  return found.ok ? ok(`${packageName} ${found.value.version}`) : found;
}

function findDbos(variables: Variables): Result<{ readonly manifest: string; readonly version: string }, string> {
  const directory = variables[dbosVariable] ?? "";
  if (directory !== "" && !isAbsolute(directory)) return err(`${dbosVariable} is '${directory}', not an absolute path`);
  const beside = createRequire(import.meta.url);
  const manifest = directory === "" ? findManifest(beside) : join(directory, "package.json");
  const here = manifest === undefined ? undefined : readVersion(beside, manifest);
  if (manifest === undefined || here === undefined) {
    if (directory !== "") return err(`${dbosVariable} is '${directory}', and the package ${packageName} is not there`);
    return err(howToGet(`${packageName} is not installed beside Frond`));
  }
  const [major, minor = 0] = here.split(".").map(Number);
  if (major !== version[0] || minor < version[1]) {
    return err(howToGet(`${packageName} ${here} is not ${version.join(".")} or a later ${version[0]}`));
  }
  return ok({ manifest, version: here });
}

/** Its manifest can't be imported, so it is looked for from what can. */
function findManifest(load: NodeJS.Require): string | undefined {
  for (const directory of load.resolve.paths(packageName) ?? []) {
    const manifest = join(directory, packageName, "package.json");
    try {
      return load.resolve(manifest);
    } catch {}
  }
  return undefined;
}

function howToGet(problem: string): string {
  return `${problem}: type \`npm install ${packageName}@${version[0]}\` where Frond is installed (\`npm install -g ${packageName}@${version[0]}\` if that is global), or set ${dbosVariable} to its directory`;
}

function readVersion(load: NodeJS.Require, manifest: string): string | undefined {
  try {
    return String((load(manifest) as { version?: unknown }).version);
  } catch {
    return undefined;
  }
}
