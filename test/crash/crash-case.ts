import { type Catalog, createCatalog } from "../../src/block/catalog.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import { checkEnd } from "./check-end.ts";
import { checkEvidence, type Findings } from "./check-evidence.ts";
import { type DriverEnd, DriverProcess } from "./driver-process.ts";
import { createEffectType } from "./effect.ts";
import { type Episode, type Launch, performEpisode } from "./episode.ts";
import { type CasePlace, type Evidence, gatherEvidence, makePlace } from "./evidence.ts";
import type { Family } from "./make-workflows.ts";
import { type Phase, phasesOf } from "./phases.ts";
import type { BugName } from "./planted-bugs.ts";
import type { CaseWorkflows, Job, Said } from "./protocol.ts";
import { numberOf } from "./random.ts";
import type { Violation } from "./violation.ts";

export interface CaseOptions {
  /** The bundled driver. */
  readonly program: string;
  /** Of this case alone. */
  readonly directory: string;
  /** Of this case alone: where its journal is, unless that is in its directory. */
  readonly database?: string;
  readonly seed: number;
  readonly family: Family;
  readonly workflows: CaseWorkflows;
  readonly paceMs: number;
  readonly bug?: BugName;
}

export interface KillReport {
  /** Where the process killed itself; absent when it was killed at any moment. */
  readonly fault?: Extract<Said, { say: "fault" }>;
  readonly phases: ReadonlySet<Phase>;
}

/** One run, driven through any number of deaths, and looked at after each of them. */
export class CrashCase {
  readonly violations: Violation[] = [];
  readonly kills: KillReport[] = [];
  readonly #options: CaseOptions;
  readonly #place: CasePlace;
  readonly #processes: DriverProcess[] = [];
  #evidence: Evidence | undefined;
  #findings: Findings | undefined;

  constructor(options: CaseOptions) {
    this.#options = options;
    this.#place = makePlace(options.directory, options.database);
  }

  get hasEnded(): boolean {
    return this.#findings?.state?.finished !== undefined;
  }

  async perform(episode: Episode): Promise<readonly DriverProcess[]> {
    return this.live((launch) => performEpisode(episode, launch), episode.kind === "alone");
  }

  /** Lets something happen to the run, and looks at what is left when all processes of it are gone. */
  async live(
    happen: (launch: Launch) => Promise<readonly DriverProcess[]>,
    isAlone: boolean,
  ): Promise<readonly DriverProcess[]> {
    const processes = await happen((job, killAtWrite) => this.#launch(job, killAtWrite));
    const ends = await Promise.all(processes.map(({ ended }) => ended));
    for (const [index, driver] of processes.entries()) {
      this.violations.push(...checkProcess(driver, ends[index] as DriverEnd, isAlone));
    }
    await this.#examine(processes.filter((_, index) => ends[index]?.signal === "SIGKILL"));
    return processes;
  }

  /** Lets the run come to its end without further kills, and compares that with what it should be. */
  async finish(): Promise<void> {
    for (let tries = 0; !this.hasEnded && tries < mostTries && this.violations.length === 0; tries++) {
      await this.perform({ kind: "alone", answers: "when paused" });
    }
    const { state, course } = this.#findings ?? {};
    if (this.violations.length > 0) return;
    if (state?.finished === undefined || course === undefined) {
      this.violations.push({ promised: "resumable", detail: "the run does not come to its end" });
      return;
    }
    const { family, workflows } = this.#options;
    this.violations.push(...(await checkEnd(state, course, family, workflows, this.#place.workspace)));
  }

  #launch(job: Partial<Job>, killAtWrite: number | string | undefined): DriverProcess {
    const { program, seed, family, workflows, paceMs, bug } = this.#options;
    const { state, database, workspace, ledger } = this.#place;
    const driver = new DriverProcess({
      program,
      stateDirectory: state,
      database,
      job: {
        workspace,
        ledger,
        workflows,
        paceMs,
        seed: numberOf(seed, this.#processes.length),
        answers: "when paused",
        ...(family === "repeat" ? {} : { decisionSeed: seed }),
        ...(bug === undefined ? {} : { bug }),
        ...job,
      },
      ...(killAtWrite === undefined ? {} : { killAtWrite }),
    });
    this.#processes.push(driver);
    return driver;
  }

  async #examine(killed: readonly DriverProcess[]): Promise<void> {
    const evidence = await gatherEvidence(this.#place);
    const findings = checkEvidence(evidence, this.#evidence, this.#processes, catalog);
    this.violations.push(...findings.violations);
    for (const driver of killed) {
      const fault = driver.said.find((said) => said.say === "fault");
      const phases = phasesOf(driver, evidence, findings.course, findings.state);
      this.kills.push({ ...(fault === undefined ? {} : { fault }), phases });
    }
    this.#evidence = evidence;
    this.#findings = findings;
  }
}

const mostTries = 3;

const catalog: Catalog = createCatalog([...blockTypes, createEffectType({ effect() {}, lifeMs: () => 0 })]);

/** An answer can come too late in any company: what came before it may have withdrawn the question. */
const questionGone = "answer-refused";

/** Refusals are in order only where another process was faster. */
function checkProcess(driver: DriverProcess, end: DriverEnd, isAlone: boolean): Violation[] {
  const { said, pid, hangs } = driver;
  const violations: Violation[] = [];
  const refused = said.find((one) => one.say === "refused" && one.code !== questionGone);
  if (refused?.say === "refused" && isAlone) {
    violations.push({ promised: "resumable", detail: `process ${pid} was alone and refused: ${refused.code}` });
  }
  const isSent = end.signal === "SIGTERM" && !said.some((one) => one.say === "ready");
  const isOver = end.code === 0 && said.at(-1)?.say === "over";
  if (hangs) {
    const last = said.slice(-6).map((one) => JSON.stringify(one).slice(0, 200));
    const detail = `process ${pid} does not come to an end, ${end.stderr.trim()}; it last said ${last.join(" ")}`;
    violations.push({ promised: "orderly process", detail });
  }
  if (!hangs && end.signal !== "SIGKILL" && !isSent && !isOver) {
    violations.push({ promised: "orderly process", detail: `process ${pid} ended with ${end.code}: ${end.stderr}` });
  }
  return violations;
}
