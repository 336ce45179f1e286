import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { RunEvent } from "../engine/events.ts";
import type { Value } from "../expression/value.ts";
import type { BlockRecord } from "../views/block-records.ts";
import { isMeant } from "./address.ts";
import type { CaseRun } from "./case-run.ts";
import { compare, type Mismatch, placeIn } from "./compare.ts";
import { type Expectation, writtenExpectation } from "./expectation.ts";
import { explainAddress } from "./explain-address.ts";
import type { ExpectedBlock, ExpectedOutcome, ExpectedPrompt, TestCase } from "./test-file.ts";

/** Everything about a run that is not as the case expects it. */
export function checkRun({ mocks, answers, expected }: TestCase, run: CaseRun): Mismatch[] {
  const { response, events } = run;
  const blocks = run.run?.blocks();
  return [
    ...run.mismatches,
    ...checkStatus(expected, run),
    ...(expected.error === undefined ? [] : compare(expected.error, response.error, "error")),
    ...checkOutputs(expected, run),
    ...[...expected.blocks].flatMap(([address, block]) => checkBlock(address, block, blocks)),
    ...(expected.order === undefined ? [] : checkOrder(expected.order, blocks, events)),
    ...(expected.prompts === undefined ? [] : checkPrompts(expected.prompts, events)),
    ...(blocks === undefined ? [] : checkAddresses("mocks", mocks.keys(), blocks)),
    ...(blocks === undefined ? [] : checkAddresses("answers", answers.keys(), blocks)),
  ];
}

function checkStatus(expected: ExpectedOutcome, { response }: CaseRun): Mismatch[] {
  const { status, error, pending = [] } = response;
  if (status === expected.status) return [];
  const questions = pending.map(({ block, prompt }) => `'${block}' asks: ${prompt}`);
  const message = [...(error === undefined ? [] : [error]), ...questions].join("\n");
  return [{ at: "status", expected: expected.status, found: status, ...(message === "" ? {} : { message }) }];
}

function checkOutputs(expected: ExpectedOutcome, { response, run }: CaseRun): Mismatch[] {
  const { outputs = {}, output_errors: errors = {} } = response;
  return [...expected.outputs].flatMap(([name, expectation]) => {
    const at = placeIn("outputs", name);
    const unknown = run === undefined ? undefined : explainOutput(name, run.outputNames());
    if (unknown !== undefined) return [{ at, message: unknown }];
    return compare(expectation, Object.hasOwn(outputs, name) ? outputs[name] : undefined, at).map((mismatch) =>
      errors[name] === undefined ? mismatch : { ...mismatch, message: errors[name] },
    );
  });
}

function explainOutput(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  return `There is no output '${name}' of the workflow. ${suggestName(name, known, "output")}`;
}

function checkBlock(address: string, expected: ExpectedBlock, blocks: readonly BlockRecord[] | undefined): Mismatch[] {
  const at = placeIn("blocks", address);
  const meant = (blocks ?? []).filter(({ path }) => isMeant(address, path));
  if (meant.length > 0) return meant.flatMap((block) => checkRecord(block, expected, placeIn("blocks", block.path)));
  const unknown = blocks === undefined ? undefined : explainAddress(address, blocks);
  if (unknown !== undefined) return [{ at, message: unknown }];
  return expected.status === "not_run" ? [] : [{ at, expected: expected.status ?? "completed", found: "not_run" }];
}

function checkRecord(block: BlockRecord, expected: ExpectedBlock, at: string): Mismatch[] {
  const { metadata, inputs, outputs } = block;
  const found = wordFor(block, expected.status);
  return [
    ...(expected.status === undefined || found === expected.status
      ? []
      : [
          { at, expected: expected.status, found, ...(metadata.message === null ? {} : { message: metadata.message }) },
        ]),
    ...(expected.outcome === undefined || metadata.outcome === expected.outcome
      ? []
      : [{ at: `${at}.outcome`, expected: expected.outcome, found: metadata.outcome }]),
    ...(expected.message === undefined ? [] : compare(expected.message, metadata.message, `${at}.message`)),
    ...(expected.attempts === undefined ? [] : compare(expected.attempts, metadata.attempts, `${at}.attempts`)),
    ...compare({ kind: "map", entries: expected.inputs }, inputs, `${at}.inputs`),
    ...compare({ kind: "map", entries: expected.outputs }, outputs, `${at}.outputs`),
  ];
}

/** How a block stands, in the word that was expected if it is true of it. */
function wordFor({ metadata }: BlockRecord, expected: ExpectedBlock["status"]): string {
  const { status } = metadata;
  if (status === expected) return status;
  if (status === "pending") return "not_run";
  if (metadata.failed) return "failed";
  return metadata.succeeded && expected !== "completed" ? "succeeded" : status;
}

function checkOrder(
  expected: readonly string[],
  blocks: readonly BlockRecord[] | undefined,
  events: readonly RunEvent[],
): Mismatch[] {
  const ended = events.flatMap((event) =>
    event.type === "block-finished" || event.type === "block-skipped" ? [event.path] : [],
  );
  const found = ended.filter((path) => expected.includes(path));
  const isSame = found.length === expected.length && found.every((path, index) => path === expected[index]);
  if (isSame) return [];
  const unknown = expected.flatMap((address) => (blocks === undefined ? [] : (explainAddress(address, blocks) ?? [])));
  return [{ at: "order", expected, found, ...(unknown.length === 0 ? {} : { message: unknown.join("\n") }) }];
}

function checkPrompts(expected: readonly ExpectedPrompt[], events: readonly RunEvent[]): Mismatch[] {
  const found = events.flatMap((event): Value[] =>
    event.type === "block-paused"
      ? [{ block: event.path, prompt: event.question.text, audience: event.question.audience }]
      : [],
  );
  const items = expected.map(promptExpectation);
  if (found.length === items.length)
    return items.flatMap((item, index) => compare(item, found[index], `prompts[${index}]`));
  return [{ at: "prompts", expected: items.map(writtenExpectation), found }];
}

function promptExpectation({ block, prompt, audience }: ExpectedPrompt): Expectation {
  const entries = new Map<string, Expectation>();
  if (block !== undefined) entries.set("block", { kind: "equals", value: block });
  if (prompt !== undefined) entries.set("prompt", prompt);
  if (audience !== undefined) entries.set("audience", { kind: "equals", value: audience });
  return { kind: "map", entries };
}

/** A misspelt address would make a test say less than it seems to. */
function checkAddresses(
  key: "mocks" | "answers",
  addresses: Iterable<string>,
  blocks: readonly BlockRecord[],
): Mismatch[] {
  return [...addresses].flatMap((address) => {
    const message = explainAddress(address, blocks) ?? (key === "mocks" ? explainLoop(address, blocks) : undefined);
    return message === undefined ? [] : [{ at: placeIn(key, address), message }];
  });
}

function explainLoop(address: string, blocks: readonly BlockRecord[]): string | undefined {
  const isLoop = blocks.find(({ path }) => path === address)?.holds === "passes";
  return isLoop ? `'${address}' is a loop. Its passes are blocks of their own: '${address}/*'.` : undefined;
}
