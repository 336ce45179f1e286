import { type Problem, problem } from "../diagnostic/problem.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Seen } from "../views/page/run-pictures.ts";
import { reachRun } from "./reach-run.ts";
import type { ServerContext } from "./server-context.ts";

/** What an address of a run leads to, of a run that this server deals with. */
export async function seeAddress(
  { run = "", address = "" }: Readonly<Record<string, string>>,
  context: ServerContext,
): Promise<Result<Seen, Problem>> {
  const found = await reachRun(run, context);
  return found.ok ? context.pictures.of(found.value.runId).find(trimSlash(address)) : found;
}

/** A level may be asked for with the slash behind it: `deploy@2/`. */
export function trimSlash(address: string): string {
  return address.endsWith("/") ? address.slice(0, -1) : address;
}

export interface SeenBlock {
  readonly address: string;
  /** As the attempt left it. */
  readonly seen: Seen;
  readonly latest: Seen;
}

export async function seeBlock(
  params: Readonly<Record<string, string>>,
  attempt: number | undefined,
  context: ServerContext,
): Promise<Result<SeenBlock, Problem>> {
  const asked = trimSlash(params.address ?? "");
  if (asked === "")
    return err(problem("unknown-block", "Say which block: the run itself has a level, and is no block."));
  const base = asked.replace(/@[1-9]\d{0,5}$/, "");
  const address = attempt === undefined ? asked : `${base}@${attempt}`;
  const latest = await seeAddress({ ...params, address: base }, context);
  if (!latest.ok || address === base)
    return latest.ok ? ok({ address, seen: latest.value, latest: latest.value }) : latest;
  const seen = await seeAddress({ ...params, address }, context);
  return seen.ok ? ok({ address, seen: seen.value, latest: latest.value }) : seen;
}
