import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { type CronExpression, parseCron } from "../util/cron-expression.ts";
import { nextTimes } from "../util/cron-times.ts";
import { isTimeZone } from "../util/time-zone.ts";
import { type Key, type Keys, listKeys, mapSchema, readMap } from "./key.ts";
import { spellingFix } from "./load-limits.ts";
import { isNothing, type KeyReader, MapReader } from "./map-reader.ts";
import { findLimitProblems } from "./value-limits.ts";
import { compileValue, emptyMap } from "./value-template.ts";
import type { ScheduleEntry, WorkflowDefinition } from "./workflow-definition.ts";
import type { YamlEntry, YamlNode } from "./yaml-node.ts";

interface ScheduleContext {
  readonly inputs: WorkflowDefinition["inputs"];
}

type ReadEntry = Omit<ScheduleEntry, "cron"> & { readonly cron: CronExpression | undefined };

const cronText = { type: "string", description: "minute hour day month weekday, or @hourly, @daily, @weekly" };

export const scheduleKeys: Keys<ReadEntry, ScheduleContext> = {
  cron: {
    name: "cron",
    docs: "Minute, hour, day of the month, month and day of the week, as cron has them, or @hourly, @daily, @weekly, @monthly",
    examples: ['"0 3 * * *"', '"*/15 8-18 * * mon-fri"', '"@daily"'],
    required: true,
    foreign: ["at", "when", "time", "expression"],
    schema: cronText,
    read: readCron,
  },
  timezone: {
    name: "timezone",
    docs: "By whose clocks, so that all workers mean the same moment",
    examples: ["Europe/Berlin", "UTC"],
    foreign: ["tz", "time_zone", "zone"],
    schema: { type: "string", default: "UTC" },
    read: readZone,
  },
  inputs: {
    name: "inputs",
    docs: "What its runs are given; plain values",
    examples: ["{}"],
    foreign: ["with", "parameters", "params"],
    schema: { type: "object" },
    read: (at, { inputs }) => readInputs(at, inputs),
  },
};

const form =
  '`schedule: "0 3 * * *"`, or `schedule: { cron: "0 3 * * *", timezone: Europe/Berlin }`, or a list of these';

/** When workers start it by themselves: a text for cron, a map, or a list of these. */
export const schedule: Key<readonly ScheduleEntry[] | undefined, unknown, Partial<ScheduleContext>> = {
  name: "schedule",
  docs: "When workers start it, once however many they are",
  examples: [
    '"0 3 * * *"',
    '{ cron: "30 6 * * mon-fri", timezone: Europe/Berlin }',
    '["0 3 * * *", { cron: "@weekly" }]',
  ],
  foreign: ["cron", "schedules", "trigger", "triggers"],
  schema: (catalog) => {
    const entry = { anyOf: [cronText, mapSchema(listKeys(scheduleKeys), catalog)] };
    return { anyOf: [...entry.anyOf, { type: "array", minItems: 1, items: entry }] };
  },
  read(at, _, { inputs = new Map() }) {
    const { node } = at;
    if (node === undefined || isNothing(node)) return undefined;
    if (node.kind === "list" && node.items.length === 0) return at.wrongType("at least one time", `Write ${form}.`);
    const items = node.kind === "list" ? node.items : [node];
    const entries = items.flatMap((item) => readEntry(item, at, { inputs }) ?? []);
    return entries.length === 0 ? undefined : entries;
  },
};

function readEntry(node: YamlNode, at: KeyReader, context: ScheduleContext): ScheduleEntry | undefined {
  const { report, what } = at;
  if (node.kind === "list" || isNothing(node)) {
    const message = `'schedule' of ${what} must be a time for cron or a map with cron.`;
    report({ code: "wrong-type", level: "error", message, fix: `Write ${form}.`, range: node.range });
    return undefined;
  }
  const map = node.kind === "map" ? node : { kind: "map" as const, entries: [asCron(node)], range: node.range };
  const { cron, ...entry } = readMap(scheduleKeys, new MapReader(map, `the schedule of ${what}`, report), context);
  return cron === undefined ? undefined : { ...entry, cron };
}

function asCron(value: YamlNode): YamlEntry {
  return { key: "cron", keyRange: value.range, value };
}

function readCron(at: KeyReader): CronExpression | undefined {
  const text = at.text();
  if (text === undefined) return undefined;
  const cron = parseCron(text);
  const refuse = (why: string): undefined => {
    at.report({
      code: "bad-schedule",
      level: "error",
      message: `'${text}' is not a time for cron. ${why}`,
      ...(text.includes("${") ? { fix: "Write it out: a schedule is read before there is a run." } : {}),
      range: at.range,
    });
  };
  if (!cron.ok) return refuse(cron.error);
  // Whatever the zone, a date that does not exist has no time.
  const isEver = nextTimes(cron.value, new Date(0), 1, "UTC").length > 0;
  return isEver ? cron.value : refuse("There is no such date, so it would never run.");
}

function readZone(at: KeyReader): string {
  const zone = at.text();
  if (zone === undefined) return "UTC";
  if (isTimeZone(zone)) return zone;
  at.report({
    code: "unknown-timezone",
    level: "error",
    message: `There is no time zone '${zone}'.`,
    fix: suggestName(zone, ["UTC", ...Intl.supportedValuesOf("timeZone")], "time zone", ["UTC", "Europe/Berlin"]),
    range: at.range,
  });
  return "UTC";
}

/** They have to be enough for a run, because nobody is there to give more. */
function readInputs(at: KeyReader, declared: WorkflowDefinition["inputs"]): ValueMap {
  const given: Record<string, Value> = emptyMap();
  for (const { key, keyRange, value: node } of at.mapAt()?.entries ?? []) {
    const input = declared.get(key);
    if (input === undefined) {
      const message = `The workflow has no input '${key}'.`;
      const fix = declared.size === 0 ? "It takes no inputs." : suggestName(key, declared.keys(), "input");
      at.report({ code: "unknown-input", level: "error", message, fix, range: keyRange });
      continue;
    }
    const value = compileValue(node, at.report);
    if (value.kind !== "literal") {
      at.report({
        code: "expression-not-allowed",
        level: "error",
        message: `The inputs of ${at.what} are plain values, no \${...}.`,
        fix: `Give the input '${key}' a default that reads \${metadata.*}, or compute it in a block.`,
        range: node.range,
      });
      continue;
    }
    for (const problem of findLimitProblems(`The input '${key}' of ${at.what}`, value.value, input)) {
      const spelling = problem.code === "wrong-type" ? spellingFix(value.value, input.type, node) : {};
      at.report({ ...problem, ...spelling, level: "error", range: node.range });
    }
    given[key] = value.value;
  }
  const missing = [...declared.values()].filter(({ name, required }) => required && !Object.hasOwn(given, name));
  if (missing.length > 0) {
    const names = missing.map(({ name }) => `'${name}'`).join(", ");
    const secret = missing.find((input) => input.secret);
    at.report({
      code: "missing-input",
      level: "error",
      message: `${at.what} gives no value for ${names}, without which the workflow can't start.`,
      fix:
        secret === undefined
          ? `Write \`inputs: { ${missing.map(({ name }) => `${name}: ...`).join(", ")} }\` beside its cron, or give the input a default.`
          : `Schedule a workflow of your own that calls this one with '${secret.name}'.`,
      range: at.range,
    });
  }
  return given;
}
