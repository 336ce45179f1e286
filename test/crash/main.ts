import { parseArgs } from "node:util";
import { type Postgres, startOwnPostgres } from "../rig/postgres.ts";
import { type BugName, bugs, isBugName } from "./planted-bugs.ts";
import { ServerRestarts } from "./restart-server.ts";
import { Rig } from "./rig.ts";
import type { Tally } from "./tally.ts";
import type { Violation } from "./violation.ts";

/** Prints what the kills have shown. Resolves to the exit code: with a planted bug, 0 when it was found. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "string") return complain(options);
  const server = options.onPostgres ? await startOwnPostgres({ durable: true }) : undefined;
  const rig = await Rig.open(server);
  const code = await runWith(rig, options, server);
  const left = await rig.close();
  await server?.remove();
  for (const pid of left) complain(`process ${pid} was left behind`);
  return left.length === 0 ? code : 1;
}

async function runWith(rig: Rig, { seed, kills, bug, onlyCase }: Options, server?: Postgres): Promise<number> {
  if (onlyCase !== undefined) return printCase((await rig.runCase(onlyCase, bug)).violations);
  let isStopped = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      isStopped = true;
    });
  }
  print(`seed ${seed}, ${kills} kills`);
  const begunAt = performance.now();
  const restarts = server && new ServerRestarts(server);
  const isEnough = (tally: Tally): boolean => {
    restarts?.look(tally);
    return isStopped || tally.failed.length > 0;
  };
  const tally = await rig.run({ seed, kills, ...bug, isEnough });
  await restarts?.settled();
  if (restarts !== undefined) print(`PostgreSQL was stopped at once and started ${restarts.count} times`);
  return printTally(tally, (performance.now() - begunAt) / 1000, bug.bug);
}

interface Options {
  readonly seed: number;
  readonly kills: number;
  readonly bug: { readonly bug?: BugName };
  readonly onlyCase: number | undefined;
  readonly onPostgres: boolean;
}

function readOptions(args: readonly string[]): Options | string {
  const text = { type: "string" } as const;
  const options = { kills: text, seed: text, bug: text, case: text, postgres: { type: "boolean" } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const { bug } = values;
  if (bug !== undefined && !isBugName(bug)) return `There is no bug '${bug}', but ${Object.keys(bugs).join(", ")}.`;
  return {
    seed: Number(values.seed ?? Date.now() % 2 ** 32),
    kills: Number(values.kills ?? 5000),
    bug: bug === undefined ? {} : { bug },
    onPostgres: values.postgres === true,
    onlyCase: values.case === undefined ? undefined : Number(values.case),
  };
}

function printTally(tally: Tally, seconds: number, bug: BugName | undefined): number {
  const rate = (tally.kills.length / seconds).toFixed(1);
  print(tally.table());
  print(`${tally.kills.length} kills in ${tally.cases} cases, ${seconds.toFixed(0)} s, ${rate} a second`);
  for (const { seed, violations } of tally.failed) {
    print(`case ${seed} (once more: --case ${seed}):`);
    printCase(violations);
  }
  if (bug !== undefined) return tally.failed.length > 0 ? 0 : complain(`${bug} was not found`);
  for (const phase of tally.missedPhases()) complain(`no kill fell ${phase}`);
  print(`${tally.failed.length} cases with violations`);
  return tally.failed.length === 0 && tally.missedPhases().length === 0 ? 0 : 1;
}

function printCase(violations: readonly Violation[]): number {
  for (const { promised, detail } of violations) print(`  ${promised}: ${detail}`);
  return violations.length === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(line: string): 1 {
  process.stderr.write(`${line}\n`);
  return 1;
}
