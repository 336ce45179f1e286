import { err, ok, type Result } from "../util/result.ts";
import { wipeInitialEnvironment } from "./wipe-initial-environment.ts";

/** It may hold a password: no command that Frond starts is given it. */
export const databaseVariable = "FROND_DATABASE_URL";

/** Takes the address of the database out of an environment, so that nothing started from now on finds it there. Nothing without one. */
export function takeDatabaseUrl(variables: NodeJS.ProcessEnv): string | undefined {
  const url = variables[databaseVariable];
  delete variables[databaseVariable];
  if (variables === process.env && url !== undefined) wipeInitialEnvironment(new Set([databaseVariable]));
  return url === undefined || url.trim() === "" ? undefined : url.trim();
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
