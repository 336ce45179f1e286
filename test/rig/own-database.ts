import { execFileSync } from "node:child_process";

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

const create = `
  const [, pg, url, name] = process.argv;
  const client = new (require(pg).Client)(url);
  client.connect().then(() => client.query("CREATE DATABASE " + name)).then(() => client.end());
`;
