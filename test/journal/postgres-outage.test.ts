import { beforeAll, expect, test } from "vitest";
import type { Journal, RunRequest } from "../../src/journal/journal.ts";
import { type Postgres, startPostgres, withClient } from "../rig/postgres.ts";
import { waitFor } from "../rig/wait-for.ts";
import { type Loss, startLossyProxy } from "./lossy-proxy.ts";
import { openPostgres } from "./postgres-store.ts";
import { cancel, creation, otherOwner, pathsOf, runFinished, someEvents } from "./sample-events.ts";

let server: Postgres;

beforeAll(async () => {
  server = await startPostgres();
});

const losses: readonly Loss[] = ["question lost", "answer lost", "question late"];

test.each(losses)("a call is done once and answered right, %s", async (loss) => {
  const url = await server.createDatabase();
  const proxy = await startLossyProxy(url);
  const [journal, other] = [await openPostgres(proxy.url), await openPostgres(url)];
  await journal.create(creation("other"));
  const answer: RunRequest = { kind: "answer", questionId: "p", answer: "yes", by: "x" };
  const calls: [call: () => Promise<unknown>, result: unknown][] = [
    [() => journal.create(creation("r")), { kind: "created", fence: 1 }],
    [() => journal.append("r", 1, someEvents(2)), true],
    [() => journal.append("r", 7, someEvents(1, "stale")), false],
    [() => journal.post("r", 1, cancel), true],
    [() => journal.post("r", 1, answer), true],
    [() => journal.claim("r", 1, otherOwner), 2],
    [() => journal.append("r", 2, [...someEvents(1, "last"), runFinished()]), true],
    [() => journal.release("r", 2), "requests-waiting"],
  ];
  for (const [call, result] of calls) {
    proxy.loseNext(loss);
    expect(await call()).toEqual(result);
    if (loss === "question late") await proxy.deliverLate();
  }
  expect(proxy.lost).toBe(calls.length);
  expect(pathsOf(await other.read("r"))).toEqual(["block-0", "block-1", "last-0"]);
  expect(await other.find("r")).toMatchObject({ fence: 2, sequence: 5, status: "success" });
  expect((await other.requests("r")).map(({ request }) => request)).toEqual([cancel, answer]);
  proxy.loseNext(loss);
  expect(await journal.delete("r")).toBe(true);
});

test("a call that is refused after an earlier try was lost does not happen later", async () => {
  const url = await server.createDatabase();
  const proxy = await startLossyProxy(url);
  const journal = await openPostgres(proxy.url);
  await journal.create(creation("r"));
  await withClient(url, (client) =>
    client.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no space' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON frond.events EXECUTE FUNCTION refuse();
    `),
  );
  proxy.loseNext("question late");
  await expect(journal.append("r", 1, someEvents(1))).rejects.toMatchObject({ code: "full" });
  await withClient(url, (client) => client.query("DROP TRIGGER refuse ON frond.events"));
  await proxy.deliverLate();
  expect(await journal.read("r")).toHaveLength(1);
  expect(await journal.append("r", 1, someEvents(1))).toBe(true);
  expect((await journal.find("r"))?.sequence).toBe(2);
});

test("what is appended while connections are lost and the server is restarted is there once, in its order", async () => {
  const url = await server.createDatabase();
  const journal = await openPostgres(url, { patienceMs: 20_000 });
  await Promise.all(["r", "s"].map((runId) => journal.create(creation(runId))));
  const appendAll = async (runId: string): Promise<void> => {
    for (const [index, event] of someEvents(60).entries()) {
      expect(await journal.append(runId, 1, [event])).toBe(true);
      await disturb(url, runId, index);
    }
  };
  await Promise.all([appendAll("r"), appendAll("s")]);
  for (const runId of ["r", "s"]) expect(pathsOf(await journal.read(runId))).toEqual(pathsOf(someEvents(60)));
  expect((await journal.find("r"))?.lease).toMatchObject({ isLost: false });
});

/** Not waited for where it is to fall into the middle of what comes next. */
async function disturb(url: string, runId: string, index: number): Promise<void> {
  if (runId === "r" && index % 10 === 5) void killBackends(url);
  if (runId === "s" && index === 30) {
    await server.stop("immediate");
    await server.start();
  }
}

test("a server that stays away is told as something that may pass, and what was not sent is not done later", async () => {
  const url = await server.createDatabase();
  const journal = await openPostgres(url, { patienceMs: 100 });
  await journal.create(creation("r"));
  await server.stop("fast");
  try {
    await expect(journal.append("r", 1, someEvents(1))).rejects.toMatchObject({
      code: "busy",
      message: expect.stringMatching(/^PostgreSQL 127\.0\.0\.1:\d+\/test_\w+ can't be reached: .+\. Start the server/),
    });
    await expect(journal.find("r")).rejects.toMatchObject({ code: "busy" });
  } finally {
    await server.start();
  }
  await waitFor("the server to be there", () => canRead(journal));
  expect(await journal.read("r")).toHaveLength(1);
  expect(await journal.append("r", 1, someEvents(1))).toBe(true);
});

async function canRead(journal: Journal): Promise<boolean> {
  return journal.find("r").then(
    () => true,
    () => false,
  );
}

test("whoever listens hears of what happened while their connection was lost", async () => {
  const url = await server.createDatabase();
  const [journal, other] = [await openPostgres(url), await openPostgres(url)];
  await other.create(creation("r"));
  let heard = 0;
  journal.subscribe(() => heard++);
  await waitFor("the first word", () => heard > 0);
  const before = heard;
  await killBackends(url);
  expect(await other.append("r", 1, someEvents(1))).toBe(true);
  await waitFor("word of it", () => heard > before);
});

test("a holder counts as lost while nobody has its lock, and whoever takes its run fences it", async () => {
  const url = await server.createDatabase();
  const [holder, watcher] = [await openPostgres(url), await openPostgres(url)];
  await Promise.all(["r", "s"].map((runId) => holder.create(creation(runId))));
  const isLost = async (): Promise<boolean | undefined> => (await watcher.find("r"))?.lease?.isLost;
  expect(await isLost()).toBe(false);
  await killBackends(url);
  await waitFor("the lock to be taken again", async () => (await isLost()) === false);
  expect(await holder.append("r", 1, someEvents(1))).toBe(true);
  await holder.close();
  await waitFor("the session to be gone", async () => (await isLost()) === true);
  expect((await watcher.list({})).map(({ lease }) => lease?.isLost)).toEqual([true, true]);
  expect(await watcher.claim("r", 1, otherOwner)).toBe(2);
  expect(await isLost()).toBe(false);
});

test("a holder that says nothing for too long counts as lost, by the clock of the database", async () => {
  const url = await server.createDatabase();
  const [holder, impatient] = [await openPostgres(url), await openPostgres(url, { longestSilenceMs: 1 })];
  await holder.create(creation("r"));
  await waitFor("silence", async () => (await impatient.find("r"))?.lease?.isLost === true);
  expect((await holder.find("r"))?.lease).toMatchObject({ isLost: false });
  const times = await withClient(url, (client) =>
    client.query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now"),
  );
  const at = (await holder.find("r"))?.lease?.heartbeatAt ?? 0;
  expect(Number(times.rows[0]?.now) - at).toBeLessThan(60_000);
});

/** As when a network or an administrator cuts all that Frond has. */
async function killBackends(url: string): Promise<void> {
  await withClient(url, (client) =>
    client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'frond'",
    ),
  ).catch(() => {});
}
