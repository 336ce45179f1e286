import type { ServerExamination } from "../journal/journal.ts";
import type { Check } from "./diagnose.ts";

/** Every block waits for it at least once. */
const slowMs = 20;
/** Wake-ups and schedules go by clocks; who holds a run goes by that of the server alone. */
const wrongClockMs = 1_000;
const fewConnections = 0.9;
/** Of a worker or server: 2 for the journal, 1 for logs, 4 for dispatch. */
const connectionsOfOne = 7;
/** A worker asks for more several times a second. */
const mostSilentMs = 10_000;

/** What there is to say of the server that the journal is kept on. */
export function checkDatabase(server: ServerExamination): Check[] {
  return [checkWay(server), checkClock(server), checkConnections(server), checkWorkers(server)];
}

function checkWay({ name, roundTripMs, schema }: ServerExamination): Check {
  const version = schema.found === 0 ? "without tables yet" : `with tables of version ${schema.found}`;
  const behind =
    schema.found > 0 && schema.found < schema.known ? `, which the next run brings to ${schema.known}` : "";
  const message = `${name} answers in ${roundTripMs.toFixed(1)} ms, ${version}${behind}`;
  if (roundTripMs <= slowMs) return { check: "database", level: "ok", message };
  const fix = "Every block waits for it: run Frond closer to the database.";
  return { check: "database", level: "warning", message, fix };
}

function checkClock({ clockAheadMs }: ServerExamination): Check {
  const difference = Math.abs(clockAheadMs);
  const message = `that of this machine is ${Math.round(difference)} ms ${clockAheadMs < 0 ? "behind" : "ahead of"} the database`;
  if (difference <= wrongClockMs) return { check: "clock", level: "ok", message };
  return { check: "clock", level: "warning", message, fix: "Set it by NTP: runs wake and schedules start by it." };
}

const limits = {
  server: ["", "Raise max_connections of PostgreSQL"],
  database: [" of this database", "Raise its limit with ALTER DATABASE ... CONNECTION LIMIT"],
  user: [" of this user", "Raise its limit with ALTER ROLE ... CONNECTION LIMIT"],
} as const;

function checkConnections({ connections: { used, most, of } }: ServerExamination): Check {
  const [whose, how] = limits[of];
  const message = `${used} of ${most}${whose} are in use`;
  if (used < most * fewConnections && most - used >= connectionsOfOne) {
    return { check: "connections", level: "ok", message };
  }
  const fix = `${how}: a worker or server needs up to ${connectionsOfOne}, and one that finds none can't drive runs.`;
  return { check: "connections", level: "warning", message, fix };
}

function checkWorkers({ workers }: ServerExamination): Check {
  const silent = workers.filter(({ silentMs }) => silentMs > mostSilentMs);
  const alive = workers.length - silent.length;
  const said = alive === 0 ? "none is alive" : alive === 1 ? "one is alive" : `${alive} are alive`;
  if (silent.length > 0) {
    const each = silent.map(({ name, silentMs }) => `${name} has been silent for ${Math.round(silentMs / 1000)} s`);
    const fix =
      "Look at these processes: one that is stopped or cut off takes no runs, and what it drove is handed on.";
    return { check: "workers", level: "warning", message: [said, ...each].join("; "), fix };
  }
  if (alive > 0) return { check: "workers", level: "ok", message: said };
  const fix = "Start a worker with this database: runs that are left to workers wait for one.";
  return { check: "workers", level: "warning", message: said, fix };
}
