import { readFileSync, statSync } from "node:fs";
import { err, ok, type Result } from "../util/result.ts";
import { wipeInitialEnvironment } from "./wipe-initial-environment.ts";

/** It may hold a password: no command that Frond starts is given it. */
export const databaseVariable = "FROND_DATABASE_URL";

/** Names a file with that address, for where variables can be read by others: crontabs, units. */
const databaseFileVariable = "FROND_DATABASE_URL_FILE";

/**
 * Takes the address of the database out of an environment, so that nothing started from now on finds it there. Nothing without one; why
 * it can't be read, if a file should have it.
 */
export function takeDatabaseUrl(variables: NodeJS.ProcessEnv): Result<string | undefined, string> {
  const url = variables[databaseVariable];
  delete variables[databaseVariable];
  if (variables === process.env && url !== undefined) wipeInitialEnvironment(new Set([databaseVariable]));
  if (url !== undefined && url.trim() !== "") return ok(url.trim());
  const file = variables[databaseFileVariable];
  return file === undefined || file === "" ? ok(undefined) : readAddress(file);
}

function readAddress(file: string): Result<string, string> {
  const what = `${databaseFileVariable} names '${file}', which`;
  try {
    const { mode } = statSync(file);
    if ((mode & 0o077) !== 0) return err(`${what} others can read. Run: chmod 600 '${file}'`);
    const text = readFileSync(file, "utf8").trim();
    return text === "" ? err(`${what} is empty. Write the address of the database into it.`) : ok(text);
  } catch (error) {
    return err(`${what} can't be read: ${(error as Error).message}. Correct it, or unset it.`);
  }
}

/** As a sentence what is wrong with it, without a word of it: it may be a password. */
export function checkDatabaseUrl(url: string): Result<string, string> {
  if (/^postgres(ql)?:\/\/\S+$/.test(url)) {
    if (URL.canParse(url)) return ok(url);
    return err(
      `${databaseVariable} can't be read. In a user name or a password write # as %23, / as %2F, ? as %3F, @ as %40 and % as %25.`,
    );
  }
  return err(
    `${databaseVariable} is no address of PostgreSQL such as postgres://USER:PASSWORD@HOST:5432/DATABASE. Correct it, or unset it.`,
  );
}
