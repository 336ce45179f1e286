import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { RunLogs, SharedLogs } from "../../src/block/ports.ts";
import { Connection } from "../../src/journal/postgres/connection.ts";
import { migrate } from "../../src/journal/postgres/migrate.ts";
import type { PgClient } from "../../src/journal/postgres/pg.ts";
import { createRunLogs } from "../../src/platform/files/run-logs.ts";
import type { LogDatabase } from "../../src/platform/shared-logs/log-table.ts";
import { createSharedLogs } from "../../src/platform/shared-logs/shared-logs.ts";
import { loadPg, startPostgres, withClient } from "../rig/postgres.ts";
import { waitFor } from "../rig/wait-for.ts";
import { describeRunLogs, key, shown, write } from "./run-logs-contract.ts";

let url: string;

beforeAll(async () => {
  url = await (await startPostgres()).createDatabase();
});

async function connect(): Promise<LogDatabase> {
  const prepare = (client: PgClient): Promise<void> => migrate(client, "the database of the test");
  return new Connection({ pg: loadPg(), url, prepare, patienceMs: 5000 });
}

/** The directory of a machine of its own. */
function createMachine(): string {
  const directory = mkdtempSync(join(tmpdir(), "frond-logs-"));
  onTestFinished(async () => {
    rmSync(directory, { recursive: true });
    await withClient(url, (client) => client.query("TRUNCATE frond.log_lengths, frond.log_chunks"));
  });
  return join(directory, "logs");
}

interface Process {
  readonly logs: RunLogs;
  readonly shared: SharedLogs;
  readonly warnings: string[];
}

function openProcess(directory = createMachine(), database: () => Promise<LogDatabase> = connect): Process {
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const logs = createSharedLogs({ files: createRunLogs(directory), connect: database, warn });
  const { shared } = logs;
  if (shared === undefined) throw new Error("They are not shared.");
  onTestFinished(() => shared.close());
  return { logs, shared, warnings };
}

/** A process that never gets to send anything, as one that is killed too soon. */
function openDoomed(directory: string): Process {
  return openProcess(directory, () => Promise.reject(new Error("it is killed")));
}

function writeLog({ logs }: Process, ...texts: readonly string[]): void {
  const log = logs.open("run_1", key);
  for (const text of texts) write(log, ["stdout", text]);
  log.close();
}

async function textAt({ logs }: Process): Promise<string> {
  return shown(await logs.read("run_1", key))
    .map(([, text]) => text)
    .join("");
}

describeRunLogs({ name: "in files and PostgreSQL", createStore: () => () => openProcess().logs });

test("what a block writes can be read elsewhere before it ends", async () => {
  const [writer, reader] = [openProcess(), openProcess()];
  const log = writer.logs.open("run_1", key);
  let text = "";
  for (const line of ["one\n", "two\n"]) {
    write(log, ["stdout", line]);
    text += line;
    await waitFor("the line", async () => (await textAt(reader)) === text);
  }
  log.close();
});

test("a process that goes on with a run sends what one that died on its machine had not sent", async () => {
  const machine = createMachine();
  writeLog(openDoomed(machine), "lost?\n");
  const reader = openProcess();
  expect(await textAt(reader)).toBe("");
  const next = openProcess(machine);
  next.shared.claim("run_1");
  await next.shared.flush("run_1");
  expect(await textAt(reader)).toBe("lost?\n");
});

test("what was sent but never answered is stored once", async () => {
  let failures = 0;
  const forgetful = async (): Promise<LogDatabase> => {
    const database = await connect();
    const query: LogDatabase["query"] = async (asked) => {
      const answer = await database.query(asked);
      if (/INSERT/.test(asked.text) && failures++ === 0) throw new Error("the connection was lost");
      return answer;
    };
    return { query, read: (asked) => database.read(asked), close: () => database.close() };
  };
  const [writer, reader] = [openProcess(undefined, forgetful), openProcess()];
  const log = writer.logs.open("run_1", key);
  write(log, ["stdout", "one\n"]);
  await waitFor("the lost answer", () => failures > 0);
  write(log, ["stdout", "two\n"]);
  log.close();
  await waitFor("both lines", async () => (await textAt(reader)) === "one\ntwo\n");
});

test("what a database has lost in a crash is sent again", async () => {
  const [writer, reader] = [openProcess(), openProcess()];
  const log = writer.logs.open("run_1", key);
  for (const text of ["one\n", "two\n"]) {
    write(log, ["stdout", text]);
    await waitFor(text, async () => (await textAt(reader)).endsWith(text));
  }
  await withClient(url, async (client) => {
    const { rows } = await client.query("DELETE FROM frond.log_chunks WHERE position > 0 RETURNING position");
    await client.query(`UPDATE frond.log_lengths SET bytes = ${String(rows[0]?.position)}`);
  });
  write(log, ["stdout", "three\n"]);
  log.close();
  await writer.shared.flush("run_1");
  expect(await textAt(reader)).toBe("one\ntwo\nthree\n");
});

test("while the database is away nothing waits, which is said once, and then everything is sent", async () => {
  let isAway = true;
  const writer = openProcess(undefined, async () => {
    if (isAway) throw new Error("nobody listens");
    return connect();
  });
  writeLog(writer, "while it was away\n");
  await writer.shared.flush("run_1");
  await writer.shared.flush("run_1");
  expect(await textAt(writer)).toBe("while it was away\n");
  expect(writer.warnings).toEqual([expect.stringMatching(/^Logs can't be sent to the database: nobody listens\./)]);
  isAway = false;
  const reader = openProcess();
  await waitFor("the line", async () => (await textAt(reader)) === "while it was away\n");
  expect(writer.warnings).toHaveLength(1);
});

test("two machines that wrote the same log don't mix", async () => {
  const machine = createMachine();
  const first = openProcess(machine);
  writeLog(first, "both have this\n");
  await first.shared.flush("run_1");
  writeLog(openDoomed(machine), "what was lost, which is longer than what comes after it\n");
  const second = openProcess();
  await second.shared.fetch("run_1", key);
  writeLog(second, "went on\n");
  await second.shared.flush("run_1");
  const back = openProcess(machine);
  back.shared.claim("run_1");
  await back.shared.flush("run_1");
  expect(back.warnings).toEqual([expect.stringContaining("Another machine went on with a log of run_1")]);
  await back.shared.fetch("run_1", key);
  writeLog(back, "and back\n");
  await back.shared.flush("run_1");
  for (const reader of [second, back, openProcess()]) {
    expect(await textAt(reader)).toBe("both have this\nwent on\nand back\n");
  }
});
