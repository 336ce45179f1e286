import * as z from "zod";
import {
  BlockCannotRun,
  type BlockContext,
  type BlockResult,
  type BlockType,
  type InputProblem,
  type WrittenInputs,
} from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import { defined } from "../util/defined.ts";
import { daySeconds, readSeconds, suggestDuration } from "../util/duration-text.ts";
import { err, ok, type Result } from "../util/result.ts";

const inputs = () =>
  z.strictObject({
    duration: z
      .union([z.number(), z.string()])
      .optional()
      .describe("How long: seconds, or a text like 500ms, 30s, 5m, 1h; 365 days at most. This or until"),
    until: z
      .string()
      .optional()
      .describe("A time with its zone, such as 2026-12-24T18:00:00Z; one that has passed is not waited for"),
  });

const longestSeconds = 365 * daySeconds;

export const wait: BlockType = defineLeaf({
  type: "Wait",
  summary: "Waits for a time; it holds no process and no slot meanwhile, and goes on after restarts.",
  inputs,
  otherNames: { seconds: "duration", time: "duration", delay: "duration", for: "duration", sleep: "duration" },
  outputs: () => z.strictObject({ waited_ms: z.number().int().describe("Milliseconds that it waited") }),
  defaultOutputs: { waited_ms: 0 },
  refusesTimeout: "Sleeping does not count for any timeout.",
  check,
  capabilities: [],
  pure: true,
  undo: "not_needed",
  onInterrupted: "rerun",
  run,
  wake: async (_input, sleptMs) => ended(sleptMs),
});

function ended(waitedMs: number): BlockResult {
  return { kind: "succeeded", outputs: { waited_ms: Math.round(waitedMs) } };
}

async function run(input: InputsOf<typeof inputs>, { clock }: BlockContext): Promise<BlockResult> {
  const now = clock.now();
  const until = endOf(input, now);
  if (!until.ok) throw new BlockCannotRun(`${until.error}.`);
  return until.value.getTime() > now.getTime() ? { kind: "sleeping", until: until.value } : ended(0);
}

function endOf({ duration, until }: InputsOf<typeof inputs>, now: Date): Result<Date, string> {
  if ((duration === undefined) === (until === undefined)) return err(oneOfBoth);
  if (duration !== undefined) {
    const seconds = readDuration(duration);
    return seconds.ok ? ok(new Date(now.getTime() + Math.round(seconds.value * 1000))) : seconds;
  }
  const time = readTime(until);
  if (!time.ok || time.value.getTime() - now.getTime() <= longestSeconds * 1000) return time;
  return err(`'until' is ${time.value.toISOString()}, and a Wait can be 365 days at most`);
}

const oneOfBoth = "Wait takes either duration or until";

function readDuration(value: unknown): Result<number, string> {
  const seconds = readSeconds(value);
  if (seconds === undefined || !(seconds >= 0)) {
    return err("'duration' is a number of seconds, or a text like 500ms, 30s, 5m or 1h");
  }
  return seconds > longestSeconds ? err("'duration' can be 365 days at most") : ok(seconds);
}

const isoTime = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Without a zone it would be another time on every machine. */
function readTime(value: unknown): Result<Date, string> {
  const day = typeof value === "string" ? isoTime.exec(value.trim())?.[1] : undefined;
  const time = day === undefined ? undefined : new Date((value as string).trim());
  // JavaScript takes the 31st of February for a day in March.
  if (
    time === undefined ||
    Number.isNaN(time.getTime()) ||
    new Date(`${day}T00:00Z`).getUTCDate() !== dayOfMonth(day)
  ) {
    return err("'until' is a time with its zone, such as 2026-12-24T18:00:00Z or 2026-12-24T18:00+01:00");
  }
  return ok(time);
}

function dayOfMonth(day: string | undefined): number {
  return Number(day?.slice(-2));
}

function check({ duration, until }: WrittenInputs): InputProblem[] {
  if ((duration === undefined) === (until === undefined)) {
    const fix = duration === undefined ? "Add `duration: 10m` under inputs." : "Remove one of them.";
    return [{ code: "duration-or-until", level: "error", message: `${oneOfBoth}.`, fix, ...inputOf(until, "until") }];
  }
  if (duration?.known) {
    const read = readDuration(duration.value);
    const meant = suggestDuration(duration.value, longestSeconds);
    const fix = meant === undefined ? undefined : `Write \`duration: ${meant}\`.`;
    return read.ok || !isWritten(duration.value) ? [] : [problemOf("duration", read.error, fix)];
  }
  if (!until?.known || !isWritten(until.value)) return [];
  const read = readTime(until.value);
  return read.ok ? [] : [problemOf("until", read.error, suggestZone(until.value))];
}

/** A value of another type is reported with the schema. */
function isWritten(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

function inputOf(written: unknown, input: string): { readonly input?: string } {
  return written === undefined ? {} : { input };
}

function problemOf(input: string, error: string, fix: string | undefined): InputProblem {
  return { code: `bad-${input}`, level: "error", message: `${error}.`, input, ...defined({ fix }) };
}

/** For a time that lacks nothing but its zone. */
function suggestZone(value: unknown): string | undefined {
  const meant = `${String(value).trim().replace(" ", "T")}Z`;
  return readTime(meant).ok ? `Write \`until: ${meant}\`, or with another zone.` : undefined;
}
