import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { takeDatabaseUrl } from "./database-url.ts";

const address = "postgres://user:password@host/database";

function write(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), "frond-address-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "address");
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

test("the address of the database is taken out of the environment, or read from a file that only its owner can read", () => {
  const variables: NodeJS.ProcessEnv = { FROND_DATABASE_URL: ` ${address} ` };
  expect(takeDatabaseUrl(variables)).toEqual({ ok: true, value: address });
  expect(variables).toEqual({});
  expect(takeDatabaseUrl({})).toEqual({ ok: true, value: undefined });
  const file = write(`${address}\n`);
  expect(takeDatabaseUrl({ FROND_DATABASE_URL_FILE: file })).toEqual({ ok: true, value: address });
  expect(takeDatabaseUrl({ FROND_DATABASE_URL: "postgres://other/db", FROND_DATABASE_URL_FILE: file })).toEqual({
    ok: true,
    value: "postgres://other/db",
  });
});

test("a file that can't be used is said, and nothing else takes its place", () => {
  const file = write(address);
  chmodSync(file, 0o640);
  expect(takeDatabaseUrl({ FROND_DATABASE_URL_FILE: file })).toEqual({
    ok: false,
    error: `FROND_DATABASE_URL_FILE names '${file}', which others can read. Run: chmod 600 '${file}'`,
  });
  expect(takeDatabaseUrl({ FROND_DATABASE_URL_FILE: write("\n") }).ok).toBe(false);
  const missing = takeDatabaseUrl({ FROND_DATABASE_URL_FILE: `${file}.missing` });
  expect(missing.ok ? "" : missing.error).toContain("can't be read: ENOENT");
});
