import type { ServerExamination } from "../journal/journal.ts";
import type { Check } from "./diagnose.ts";

/** Every block waits for it at least once. */
const slowMs = 20;
/** Wake-ups and schedules go by clocks; who holds a run goes by that of the server alone. */
const wrongClockMs = 1_000;
const fewConnections = 0.9;

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

function checkConnections({ connections: { used, most } }: ServerExamination): Check {
  const message = `${used} of ${most} are in use`;
  if (used < most * fewConnections) return { check: "connections", level: "ok", message };
  const fix = "Raise max_connections of PostgreSQL: whoever finds none can't drive runs.";
  return { check: "connections", level: "warning", message, fix };
}

function checkWorkers({ workers }: ServerExamination): Check {
  if (workers > 0)
    return { check: "workers", level: "ok", message: workers === 1 ? "one is alive" : `${workers} are alive` };
  const fix = "Start a worker with this database: runs that are left to workers wait for one.";
  return { check: "workers", level: "warning", message: "none is alive", fix };
}
