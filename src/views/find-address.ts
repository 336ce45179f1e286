import type { Catalog } from "../block/catalog.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { type AddressStep, parseAddress, pathOf } from "../engine/address.ts";
import { eventsOfAttempt, namesAttempt } from "../engine/attempt-events.ts";
import type { RunEvent } from "../engine/events.ts";
import { restoreState } from "../engine/restore-state.ts";
import type { RunNode } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import { findBlock } from "../runs/find-block.ts";
import type { Platform } from "../runs/platform.ts";
import { type StoredRun, unreadableRun } from "../runs/read-run.ts";
import { err, ok, type Result } from "../util/result.ts";

/** A block, and the run as it was when the attempt ended which the address names; as it is now where it names none. */
export interface Addressed {
  readonly state: RunState;
  readonly node: RunNode;
}

/** What an address such as `deploy@2/build` leads to. */
export async function findAddress(
  platform: Platform,
  catalog: Catalog,
  { state, summary }: StoredRun,
  address: string,
): Promise<Result<Addressed, Problem>> {
  if (!namesAttempt(address)) return find(state, address);
  const all = await (await platform.journal()).read(summary.runId);
  const events = eventsOfAttempt(all, address);
  if (events === undefined) {
    const latest = find(state, address);
    return latest.ok ? err(await unknownAttempt(all, catalog, address)) : latest;
  }
  const then = await restoreState(events, catalog);
  return then.ok ? find(then.value, address) : err(unreadableRun(summary, then.error));
}

/** Whether something happened to the block that an address leads to, in whichever attempt. */
export function isAbout(event: RunEvent, address: string): boolean {
  return "path" in event && event.path === pathOf(address);
}

function find(state: RunState, address: string): Result<Addressed, Problem> {
  const found = findBlock(state, pathOf(address));
  if (found.ok) return ok({ state, node: found.value });
  const fix = adviseOnSigns(state, address);
  return err(fix === undefined ? found.error : problem(found.error.code, found.error.message, fix));
}

/** Nobody who writes `@` before something else than the number of an attempt is helped by a name that looks similar. */
function adviseOnSigns(state: RunState, address: string): string | undefined {
  const ofKey = address.replaceAll("@", "%40");
  if (ofKey !== address && state.nodes.has(ofKey)) return `In an address the @ of a key is written %40: '${ofKey}'.`;
  const first = address.replaceAll(/@[^/]*/g, "@1");
  const isNumberless = first !== address && state.nodes.has(pathOf(first));
  return isNumberless ? `After @ stands the number of an attempt, from 1 on, as in '${first}'.` : undefined;
}

/** Says which of the attempts that the address names there was not. */
async function unknownAttempt(events: readonly RunEvent[], catalog: Catalog, address: string): Promise<Problem> {
  const steps = parseAddress(address);
  const wrong = steps.findIndex(
    ({ attempt }, index) =>
      attempt !== undefined && eventsOfAttempt(events, write(steps.slice(0, index + 1))) === undefined,
  );
  const around = write(steps.slice(0, wrong));
  const block = write([...steps.slice(0, wrong), { key: steps[wrong]?.key ?? "" }]);
  const then = await restoreState(eventsOfAttempt(events, around) ?? [], catalog);
  const had = (then.ok ? then.value.nodes.get(pathOf(block)) : undefined)?.record.metadata.attempts ?? 0;
  const message = `There is no '${block}@${steps[wrong]?.attempt}': '${block}' ${describeCount(had)}.`;
  if (had === 0) return problem(unknownAttemptCode, message);
  return problem(unknownAttemptCode, message, `Write '${block}@${had}' for its latest.`);
}

export const unknownAttemptCode = "unknown-attempt";

function describeCount(attempts: number): string {
  if (attempts === 0) return "has not begun";
  return attempts === 1 ? "has had 1 attempt" : `has had ${attempts} attempts`;
}

function write(steps: readonly AddressStep[]): string {
  return steps.map(({ key, attempt }) => (attempt === undefined ? key : `${key}@${attempt}`)).join("/");
}
