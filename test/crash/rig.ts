import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defined } from "../../src/util/defined.ts";
import type { Postgres } from "../rig/postgres.ts";
import { waitFor } from "../rig/wait-for.ts";
import { type BundledDriver, bundleDriver } from "./bundle-driver.ts";
import { type CaseOptions, CrashCase } from "./crash-case.ts";
import type { Episode } from "./episode.ts";
import { findLeftBehind } from "./left-behind.ts";
import { type Family, families, makeWorkflows } from "./make-workflows.ts";
import { planEpisode } from "./plan-episode.ts";
import type { BugName } from "./planted-bugs.ts";
import type { CaseWorkflows } from "./protocol.ts";
import { createRandom, numberOf, pick, type Random } from "./random.ts";
import { Tally } from "./tally.ts";

export interface RigOptions {
  readonly seed: number;
  /** How many kills there are to be at least. */
  readonly kills: number;
  readonly bug?: BugName;
  /** What is run instead of anything, by the rules of the family `repeat`. */
  readonly workflows?: CaseWorkflows;
  /** What happens next in a case, instead of anything. */
  plan?(random: Random, family: Family): Episode;
  /** Whether to end before there have been enough kills. */
  isEnough?(tally: Tally): boolean;
}

/** More only make the machine slower. */
const lanes = 2;
const mostKillsPerCase = 12;

/** A bundled driver and a directory for cases, both removed at the end. */
export class Rig {
  readonly #program: string;
  readonly #directory = realpathSync(mkdtempSync(join(tmpdir(), "frond-crash-")));
  readonly #removeDriver: () => void;
  readonly #server: Postgres | undefined;
  #cases = 0;

  private constructor({ program, remove }: BundledDriver, server: Postgres | undefined) {
    this.#server = server;
    this.#program = program;
    this.#removeDriver = remove;
  }

  /** With a server, the journal of every case is in a database of its own there. */
  static async open(server?: Postgres): Promise<Rig> {
    return new Rig(await bundleDriver(), server);
  }

  /** Removes everything; the processes that are still there, although none should be. */
  async close(): Promise<readonly number[]> {
    const left = await findLeftBehind(this.#directory);
    rmSync(this.#directory, { recursive: true, force: true });
    this.#removeDriver();
    return left;
  }

  /** Makes cases by chance and kills their processes, until there have been enough kills. */
  async run(options: RigOptions): Promise<Tally> {
    const tally = new Tally();
    const { isEnough = ({ failed }) => failed.length > 0 } = options;
    await this.inLanes(Number.POSITIVE_INFINITY, async (index) => {
      if (tally.kills.length >= options.kills || isEnough(tally)) return "enough";
      const seed = numberOf(options.seed, index);
      tally.add(seed, await this.runCase(seed, options));
      return "more";
    });
    return tally;
  }

  /** Does something for every number below a count, a few at the same time, until there is enough. */
  async inLanes(count: number, perform: (index: number) => Promise<"enough" | "more">): Promise<void> {
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < count) if ((await perform(next++)) === "enough") return;
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  /** One run by chance, with kills by chance until it has ended or there have been enough. */
  async runCase(seed: number, options: Pick<RigOptions, "bug" | "plan" | "workflows">): Promise<CrashCase> {
    const { bug, plan = planEpisode } = options;
    const random = createRandom(seed);
    const family = options.workflows === undefined ? pick(random, families) : "repeat";
    const workflows = options.workflows ?? makeWorkflows(random(2 ** 32), family);
    const paceMs = pick(random, [0, 8, 20, 40]);
    return this.follow({ seed, family, workflows, paceMs, ...(bug && { bug }) }, async (it) => {
      while (!it.hasEnded && it.kills.length < mostKillsPerCase && it.violations.length === 0) {
        await it.perform(plan(random, family));
      }
      await it.finish();
    });
  }

  /** A case of its own kind. */
  async follow(
    options: Omit<CaseOptions, "program" | "directory" | "database">,
    course: (it: CrashCase) => Promise<void>,
  ): Promise<CrashCase> {
    const directory = join(this.#directory, String(this.#cases++));
    mkdirSync(directory);
    let database: string | undefined;
    try {
      database = await this.#createDatabase();
      const it = new CrashCase({ ...options, program: this.#program, directory, ...defined({ database }) });
      await course(it);
      return it;
    } finally {
      rmSync(directory, { recursive: true, force: true });
      // One that is left because the server is just being restarted does no harm.
      if (database !== undefined) await this.#server?.dropDatabase(database).catch(() => {});
    }
  }

  /** Also while the server is being restarted. */
  async #createDatabase(): Promise<string | undefined> {
    let made: string | undefined;
    const create = async (): Promise<boolean> => {
      made = await this.#server?.createDatabase().catch(() => undefined);
      return made !== undefined;
    };
    if (this.#server !== undefined) await waitFor("a database", create, 30_000);
    return made;
  }
}
