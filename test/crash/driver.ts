import { constants, openSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { blockTypes } from "../../src/blocks/index.ts";
import type { Journal } from "../../src/journal/journal.ts";
import type { Pg } from "../../src/journal/postgres/pg.ts";
import { createPostgresStorage } from "../../src/journal/postgres/postgres-storage.ts";
import { openSqliteJournal } from "../../src/journal/sqlite/sqlite-journal.ts";
import type { OnWrite } from "../../src/journal/sqlite/write-queue.ts";
import { stateDirectory } from "../../src/platform/files/state-directory.ts";
import { createOwners } from "../../src/platform/processes/owners.ts";
import { RunLost } from "../../src/runs/driven-run.ts";
import { ok } from "../../src/util/result.ts";
import { createCrashEngine } from "./crash-engine.ts";
import { createEffectType, type World } from "./effect.ts";
import { Guide } from "./guide.ts";
import { bugs } from "./planted-bugs.ts";
import { type Job, killAtWriteVariable, type Role, say } from "./protocol.ts";
import { numberOf } from "./random.ts";
import { watchJournal } from "./watched-journal.ts";

/** A process that does its part in one run with the real engine, until it is killed or nothing is left to do. */
export async function main([text = ""]: readonly string[]): Promise<number> {
  const job = JSON.parse(text) as Job;
  const lines = createInterface(process.stdin)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => (await lines.next()).value ?? "";
  process.on("SIGUSR2", () => process.stderr.write(`waits for ${process.getActiveResourcesInfo().join(", ")}\n`));
  say({ say: "up" });
  const role = JSON.parse(await nextLine()) as Role;
  const bug = job.bug === undefined ? {} : bugs[job.bug];
  const effect = createEffectType(createWorld(job));
  const writes = new Writes(process.env[killAtWriteVariable] ?? "");
  const opened = await openJournal(writes);
  let waits = job.waitsAtClaim === true;
  const { journal, acknowledge } = watchJournal(bug.journal?.(opened) ?? opened, async () => {
    if (!waits) return;
    waits = false;
    say({ say: "at-claim" });
    await nextLine();
  });
  const owners = createOwners();
  const { engine, plan } = createCrashEngine(job.workflows, [...blockTypes, bug.effect?.(effect) ?? effect], {
    journal: async () => journal,
    owners: {
      self: owners.self,
      isGone: (lease) => job.believesDead === true || (!bug.trustsTheDead && owners.isGone(lease)),
    },
  });
  say({ say: "ready" });
  try {
    const onInterrupted = bug.onInterrupted ?? job.onInterrupted;
    const overruled = onInterrupted === undefined ? job : { ...job, onInterrupted };
    await new Guide(engine, overruled, bug.isSilent ? () => {} : acknowledge).play(role, plan);
  } catch (error) {
    if (!(error instanceof RunLost)) throw error;
    say({ say: "lost" });
  }
  await engine.platform.close();
  await journal.close();
  process.stdin.destroy();
  say({ say: "over", writes: writes.count });
  return 0;
}

/** A server that is restarted is waited for, however slow the machine is. */
const patienceMs = 25_000;

function openJournal({ onWrite }: Writes): Promise<Journal> {
  const { FROND_DATABASE_URL: url, FROND_PG: directory = "" } = process.env;
  if (url === undefined) return openSqliteJournal(stateDirectory(process.env), { onWrite });
  const pg = createRequire(import.meta.url)(directory) as Pg;
  return createPostgresStorage(url, { loadPg: () => ok({ pg, version: "" }), onWrite, patienceMs }).open();
}

/** Every point of every write is a place to die. */
class Writes {
  count = 0;
  readonly onWrite: OnWrite;

  constructor(killAt: string) {
    this.onWrite = (point, what) => {
      const names = [String(++this.count), ...what.map((name) => `${point} ${name}`)];
      if (!names.includes(killAt)) return;
      say({ say: "fault", point, what });
      process.kill(process.pid, "SIGKILL");
    };
  }
}

function createWorld({ ledger, seed, paceMs }: Job): World {
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  const file = openSync(ledger, O_WRONLY | O_APPEND | O_CREAT, 0o600);
  return {
    effect: (line) => void writeSync(file, `${JSON.stringify(line)}\n`),
    lifeMs: (...of) => numberOf(seed, ...of) % (paceMs + 1),
  };
}
