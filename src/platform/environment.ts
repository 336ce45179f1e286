import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Environment } from "../block/ports.ts";
import { databaseVariable } from "./database-url.ts";
import { secretNameOf } from "./secrets.ts";

/** One that variables can be added to; those that it has win. */
export interface OpenEnvironment extends Environment {
  add(name: string, value: string): void;
}

/** The environment as it is now, for commands to inherit: everything but the secrets that are Frond's to hand out, and the address of its database. */
export function createEnvironment(variables: NodeJS.ProcessEnv): OpenEnvironment {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && !isKeptBack(name)) inherited[name] = value;
  }
  const found = new Map<string, string | undefined>();
  return {
    variables: inherited,
    add(name, value) {
      if (!Object.hasOwn(inherited, name) && !isKeptBack(name)) inherited[name] = value;
    },
    findProgram(name) {
      if (!found.has(name)) found.set(name, search(name, inherited.PATH ?? ""));
      return found.get(name);
    },
  };
}

function isKeptBack(name: string): boolean {
  return secretNameOf(name) !== undefined || name === databaseVariable;
}

function search(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((directory) => directory !== "")
    .map((directory) => join(directory, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
