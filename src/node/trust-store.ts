import { randomBytes } from "node:crypto";
import { lstatSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "../util/result.ts";
import { isOurs } from "./ownership.ts";
import { makePrivate } from "./private-directory.ts";

/**
 * Remembers, in the state directory, the project directories whose workflows a person has vouched for. Nobody else can vouch:
 * a file that belongs to another user says nothing, and a directory that does is not used.
 */
export function createTrustStore(stateDirectory: string): {
  has(directory: string): boolean;
  add(directory: string): Result<void, string>;
  remove(directory: string): Result<void, string>;
  list(): readonly string[];
} {
  const file = join(stateDirectory, "trusted.json");

  function list(): readonly string[] {
    try {
      if (!isOurs(lstatSync(stateDirectory)) || !isOurs(lstatSync(file))) return [];
      const stored: unknown = JSON.parse(readFileSync(file, "utf8"));
      return Array.isArray(stored) ? stored.filter((entry) => typeof entry === "string") : [];
    } catch {
      // No file, or one that says nothing: nothing is trusted.
      return [];
    }
  }

  function write(directories: readonly string[]): Result<void, string> {
    try {
      const problem = makePrivate(stateDirectory);
      if (problem !== undefined) return err(problem);
      const temporary = `${file}.${randomBytes(12).toString("hex")}`;
      writeFileSync(temporary, `${JSON.stringify(directories, null, 2)}\n`, { mode: 0o600, flag: "wx" });
      renameSync(temporary, file);
      return ok(undefined);
    } catch (error) {
      return err(
        `The state directory ${stateDirectory} can't be written: ${error instanceof Error ? error.message : String(error)}.`,
      );
    }
  }

  return {
    list,
    has: (directory) => list().includes(directory),
    add: (directory) => (list().includes(directory) ? ok(undefined) : write([...list(), directory].sort())),
    remove: (directory) => write(list().filter((entry) => entry !== directory)),
  };
}
