import type { Catalog } from "../../block/catalog.ts";
import type { Problem } from "../../diagnostic/problem.ts";
import type { Platform } from "../../runs/platform.ts";
import { ok, type Result } from "../../util/result.ts";
import { readChanges } from "../changes.ts";
import { chooseLogs } from "../choose-logs.ts";
import { LogReader } from "../read-logs.ts";
import { describeDetail } from "./block-detail.ts";
import type { BlockDetail, LogLine, LogLines } from "./detail-records.ts";
import { describeLevel } from "./level.ts";
import type { BlockCard, FrozenRun, Level } from "./page-records.ts";
import { type KeptPicture, RunPictures } from "./run-pictures.ts";
import { LogSplitter } from "./split-log.ts";
import { wordChanges } from "./word-changes.ts";

/** A file is for looking at what went wrong, and is sent to others: what is left out is told where it would stand. */
const mostLevels = 200;
const mostBlocks = 1_000;
const mostAttempts = 10;
const mostLines = 1_000;
const mostCharacters = 5_000_000;
const changeLimits = { paths: 500, lines: 2_000, characters: 1_000_000 };

/** All that the page shows of a run as it is now, in the records that it would ask for. */
export async function freezeRun(
  platform: Platform,
  catalog: Catalog,
  runId: string,
): Promise<Result<FrozenRun, Problem>> {
  const kept = new RunPictures(platform, catalog).of(runId);
  const freezer = new Freezer(platform, catalog, kept);
  const root = await freezer.addLevel("");
  if (!root.ok) return root;
  return ok({ run_id: runId, frozen_at: platform.clock.now().toISOString(), ...freezer.taken });
}

class Freezer {
  readonly taken = {
    levels: {} as Record<string, Level>,
    blocks: {} as Record<string, BlockDetail>,
    changes: {} as Record<string, object>,
    logs: {} as Record<string, LogLines>,
  };
  readonly #platform: Platform;
  readonly #catalog: Catalog;
  readonly #kept: KeptPicture;
  #levels = 0;
  #blocks = 0;
  #characters = 0;

  constructor(platform: Platform, catalog: Catalog, kept: KeptPicture) {
    this.#platform = platform;
    this.#catalog = catalog;
    this.#kept = kept;
  }

  /** A level, and everything in it: what failed first, should there be too much. */
  async addLevel(address: string): Promise<Result<void, Problem>> {
    const seen = await this.#kept.find(address);
    if (!seen.ok) return seen;
    const { picture, place, now } = seen.value;
    const level = describeLevel(picture, place, address, now);
    this.taken.levels[address] = level;
    this.#levels++;
    const needed = [...level.blocks].sort((one, other) => needOf(one) - needOf(other));
    for (const card of needed) await this.#addBlock(card);
    for (const { address: inner, holds, started_at: begun } of needed) {
      if (holds !== "none" && begun !== null && this.#levels < mostLevels) await this.addLevel(inner);
    }
    return ok(undefined);
  }

  async #addBlock({ address, attempt }: BlockCard): Promise<void> {
    if (attempt === 0 || this.#blocks >= mostBlocks) return;
    this.#blocks++;
    const detail = await this.#detail(address, address);
    if (detail === undefined) return;
    this.taken.blocks[address] = detail;
    if (detail.changed_files > 0) await this.#addChanges(address);
    if (detail.has_log) await this.#addLog(address, undefined);
    for (let earlier = Math.max(1, attempt - mostAttempts); earlier < attempt; earlier++) {
      const then = await this.#detail(`${address}@${earlier}`, address);
      if (then === undefined) continue;
      this.taken.blocks[`${address}@${earlier}`] = then;
      if (then.has_log) await this.#addLog(address, earlier);
    }
  }

  async #detail(address: string, latest: string): Promise<BlockDetail | undefined> {
    const [seen, now] = [await this.#kept.find(address), await this.#kept.find(latest)];
    return seen.ok && now.ok ? describeDetail(seen.value, now.value, address) : undefined;
  }

  async #addChanges(block: string): Promise<void> {
    const query = { block, diffs: true, limits: changeLimits };
    const changes = await readChanges(this.#platform, this.#catalog, this.#kept.runId, query);
    if (changes.ok) this.taken.changes[block] = wordChanges(changes.value);
  }

  async #addLog(block: string, attempt: number | undefined): Promise<void> {
    const { runId } = this.#kept;
    const asked = { block, ...(attempt === undefined ? {} : { attempt }) };
    const chosen = await chooseLogs(this.#platform, this.#catalog, runId, asked, false);
    if (!chosen.ok) return;
    const reader = new LogReader(this.#platform.logs, runId, chosen.value.selection);
    reader.learn(await (await this.#platform.journal()).read(runId));
    const splitter = new LogSplitter(!chosen.value.isSingle);
    const lines: LogLine[] = [];
    let skipped = 0;
    const add = (line: LogLine): void => {
      lines.push(line);
      if (lines.length < 2 * mostLines) return;
      skipped += lines.splice(0, mostLines).length;
    };
    for await (const entries of reader.take()) {
      for (const entry of entries) for (const line of splitter.add(entry)) add(line);
    }
    for (const line of splitter.takeOpen(Number.POSITIVE_INFINITY)) add(line);
    skipped += lines.splice(0, Math.max(0, lines.length - mostLines)).length;
    this.#characters += lines.reduce((sum, { text }) => sum + text.length, 0);
    if (this.#characters > mostCharacters) skipped += lines.splice(0).length;
    const record = { lines, has_ended: true as const, ...(skipped > 0 ? { skipped } : {}) };
    this.taken.logs[attempt === undefined ? block : `${block}@${attempt}`] = record;
  }
}

const needs = ["failed", "crashed", "handled", "asks", "interrupted", "running"];

function needOf({ standing }: BlockCard): number {
  const need = needs.indexOf(standing);
  return need === -1 ? needs.length : need;
}
