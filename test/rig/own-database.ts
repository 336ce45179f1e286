import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Frond } from "./frond.ts";

let made = 0;

/** What a process needs to keep its journal in a new database, where tests are run so (`npm run on-postgres`); otherwise nothing. */
export function ownDatabase(): Readonly<Record<string, string>> {
  const given = process.env.FROND_TEST_DATABASES;
  if (given === undefined) return {};
  const variables = JSON.parse(given) as Readonly<Record<string, string>>;
  const { FROND_DATABASE_URL: url = "", FROND_PG: pg = "" } = variables;
  const name = `door_${process.pid}_${++made}`;
  // Whoever asks can't wait for a promise.
  execFileSync(process.execPath, ["-e", create, pg, url, name]);
  return { ...variables, FROND_DATABASE_URL: url.replace(/\/[^/]*$/, `/${name}`) };
}

/** Its address in a file: what is started by cron, or by a command of a run, has no other. Otherwise nothing. Lines of a crontab are short. */
export function databaseInFile({ home, env }: Pick<Frond, "home" | "env">): Readonly<Record<string, string>> {
  if (env.FROND_DATABASE_URL === undefined) return {};
  const file = join(home, "database-url");
  writeFileSync(file, env.FROND_DATABASE_URL, { mode: 0o600 });
  const pg = join(home, "pg");
  symlinkSync(env.FROND_PG ?? "", pg);
  return { FROND_DATABASE_URL: "", FROND_DATABASE_URL_FILE: file, FROND_PG: pg, FROND_DBOS: "" };
}

const create = `
  const [, pg, url, name] = process.argv;
  const client = new (require(pg).Client)(url);
  client.connect().then(() => client.query("CREATE DATABASE " + name)).then(() => client.end());
`;
