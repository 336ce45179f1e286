import type { BlockType } from "../block/define-block.ts";
import type { Range } from "../diagnostic/source.ts";
import { choice, countOrExpression, delayOrExpression, expressionSchema, flag, withDefault } from "./forms.ts";
import { type Key, type Keys, listKeys, mapSchema, readMap } from "./key.ts";
import { firstLine, type KeyReader, MapReader } from "./map-reader.ts";
import { readReasons } from "./retry-reasons.ts";
import { mostAttempts } from "./retry-values.ts";
import type { ValueTemplate } from "./value-template.ts";
import type { Retry } from "./workflow-definition.ts";
import type { YamlMap } from "./yaml-node.ts";

interface TypeContext {
  readonly type: BlockType;
}

/** `attempts` may be written as the number of attempts after the first. */
interface WrittenRetry extends Omit<Retry, "attempts"> {
  readonly attempts?: ValueTemplate;
  readonly maxRetries?: ValueTemplate;
}

export const retryKeys: Keys<WrittenRetry, TypeContext> = {
  attempts: {
    name: "attempts",
    docs: "How many attempts there are in all, 100 at most; required, or `max_retries`",
    examples: ["3", "${inputs.attempts}"],
    foreign: ["max_attempts", "maximum_attempts", "tries", "max_tries", "times", "count"],
    ...countOrExpression(mostAttempts),
  },
  maxRetries: {
    name: "max_retries",
    docs: "The attempts after the first: 2 is the same as `attempts: 3`",
    examples: ["2", "0"],
    foreign: ["retries", "limit", "max"],
    schema: { type: "integer", minimum: 0, maximum: mostAttempts - 1 },
    read: readMaxRetries,
  },
  delay: {
    name: "delay",
    docs: "Before the second attempt; `1s` if nothing is said. A server's Retry-After wins over it",
    examples: ["1s", "0", "${inputs.delay}"],
    foreign: ["interval", "initial_interval", "initial_delay", "min_delay", "wait", "retry_delay", "delay_seconds"],
    ...delayOrExpression,
  },
  backoff: {
    name: "backoff",
    docs: "Whether the delay doubles with every attempt or stays as it is",
    examples: ["exponential", "fixed"],
    foreign: ["strategy", "policy", "backoff_strategy"],
    ...withDefault(choice(["exponential", "fixed"]), "exponential"),
  },
  maxDelay: {
    name: "max_delay",
    docs: "The longest that the delay becomes",
    examples: ["30s", "5m"],
    foreign: ["max_interval", "maximum_interval", "max_backoff"],
    ...delayOrExpression,
  },
  jitter: {
    name: "jitter",
    docs: "The part of the delay by which it varies by chance, up or down: 0 to 1",
    examples: ["0.1", "0", "1"],
    schema: { type: "number", minimum: 0, maximum: 1, default: 0 },
    read: readJitter,
  },
  on: {
    name: "on",
    docs: "What it is tried again after; if nothing is said, failures of the operation and time limits",
    examples: ['[timeout, "exit:75"]', "failure", "connection reset"],
    foreign: ["retry_on", "on_error", "errors", "error_types", "when", "if"],
    schema: {
      anyOf: [
        { type: "string", minLength: 1 },
        { type: "array", minItems: 1, items: { type: "string" } },
      ],
    },
    read: (at, { type }) => readReasons(at, type),
  },
  restore: {
    name: "restore",
    docs: "Undoes what a failed attempt did to files before the next one, which then finds them as the first did",
    examples: ["true"],
    foreign: ["rollback", "reset", "clean", "undo"],
    ...flag,
  },
};

/** `retry: 3`, or a map that says more. */
export const retry: Key<Retry | undefined, TypeContext> = {
  name: "retry",
  docs: "Tries it again when it fails: the number of attempts in all, or a map that says more",
  examples: ["{ attempts: 3, delay: 1s }", "3", "${inputs.attempts}", "{ max_retries: 2 }"],
  foreign: ["retry_policy", "retry_strategy", "retry_options", "max_attempts", "attempts"],
  schema: (catalog) => ({
    anyOf: [
      { type: "integer", minimum: 1, maximum: mostAttempts },
      expressionSchema,
      {
        ...mapSchema(listKeys(retryKeys), catalog),
        oneOf: [{ required: ["attempts"] }, { required: ["max_retries"] }],
      },
    ],
  }),
  read(at, context) {
    const { node } = at;
    if (node === undefined) return defaultRetry(context.type, at.range);
    if (node.kind === "map") return readRetry(new MapReader(node, `retry of ${at.what}`, at.report), context, node);
    const isNumber = node.kind === "scalar" && (typeof node.value === "number" || String(node.value).includes("${"));
    if (!isNumber) return at.wrongType("a number of attempts or a map", "Write `retry: 3`.");
    const attempts = retryKeys.attempts.read(at, context, {});
    return attempts === undefined ? undefined : { attempts, backoff: "exponential", jitter: 0 };
  },
};

/** What the type says, as if it were written. */
function defaultRetry({ defaultRetry: retry }: BlockType, range: Range): Retry | undefined {
  if (retry === undefined) return undefined;
  const written = (value: number): ValueTemplate => ({ kind: "literal", value, range });
  return {
    attempts: written(retry.attempts),
    delay: written(retry.delay),
    backoff: "exponential",
    jitter: 0,
    on: [
      ...(retry.statusCodes ?? []).map((code) => ({ kind: "http", code }) as const),
      ...(retry.messages ?? []).map((text) => ({ kind: "text", text }) as const),
    ],
  };
}

function readRetry(map: MapReader, context: TypeContext, node: YamlMap): Retry | undefined {
  const { attempts: written, maxRetries, ...rest } = readMap(retryKeys, map, context);
  const [own, other] = [map.entry("attempts"), map.entry("max_retries")];
  if (own !== undefined && other !== undefined) {
    map.report({
      code: "two-counts",
      level: "error",
      message: `${map.what} says twice how many attempts there are.`,
      fix: "Keep `attempts`, which counts all attempts, and remove `max_retries`.",
      range: other.keyRange,
    });
  } else if (own === undefined && other === undefined && !map.meant.has("attempts") && !map.meant.has("max_retries")) {
    map.report({
      code: "missing-key",
      level: "error",
      message: `${map.what} has no 'attempts'.`,
      fix: "Add `attempts: 3`.",
      range: firstLine(node.range),
    });
  }
  const attempts = written ?? maxRetries;
  return attempts === undefined ? undefined : { ...rest, attempts };
}

/** Only a number that is written out: nothing is counted on to what an expression gives. */
function readMaxRetries(at: KeyReader): ValueTemplate | undefined {
  if (at.node?.kind === "scalar" && String(at.node.value).includes("${")) {
    return at.wrongType("a number that is written out", "Write `attempts:`, which counts all attempts.");
  }
  const retries = at.integer(`a whole number from 0 to ${mostAttempts - 1}`, 0, mostAttempts - 1);
  return retries === undefined ? undefined : { kind: "literal", value: retries + 1, range: at.range };
}

function readJitter(at: KeyReader): number {
  const { node } = at;
  if (node === undefined) return 0;
  const value = node.kind === "scalar" ? node.value : null;
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  const percent = /^(\d{1,2}|100)%$/.exec(String(value))?.[1];
  const fix = percent === undefined ? undefined : `Write \`jitter: ${Number(percent) / 100}\`.`;
  at.wrongType("a number from 0 to 1", fix);
  return 0;
}
