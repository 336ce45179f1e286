import type { Problem } from "../../diagnostic/problem.ts";
import { reachRun } from "../../mcp/reach-run.ts";
import type { Result } from "../../util/result.ts";
import { ok } from "../../util/result.ts";
import { describeLevel } from "../../views/page/level.ts";
import type { Seen } from "../../views/page/run-pictures.ts";
import type { PageContext } from "../page-context.ts";
import { defineRoute, type Route } from "../route.ts";
import { levelSchema } from "./level-schemas.ts";

/** What an address of a run leads to, of a run that this server deals with. */
export async function seeAddress(
  { run = "", address = "" }: Readonly<Record<string, string>>,
  context: PageContext,
): Promise<Result<Seen, Problem>> {
  const found = await reachRun(run, context);
  return found.ok ? context.levels.pictures.of(found.value.runId).find(trimSlash(address)) : found;
}

/** A level may be asked for with the slash behind it: `deploy@2/`. */
export function trimSlash(address: string): string {
  return address.endsWith("/") ? address.slice(0, -1) : address;
}

async function answerLevel(params: Readonly<Record<string, string>>, context: PageContext) {
  const seen = await seeAddress(params, context);
  if (!seen.ok) return seen;
  const { picture, place, now } = seen.value;
  return ok(describeLevel(picture, place, trimSlash(params.address ?? ""), now));
}

export const runRoute: Route = defineRoute({
  method: "GET",
  path: "/runs/:run",
  summary: "A run, and its blocks.",
  effect: "reads",
  gives: levelSchema,
  answer: ({ params }, context) => answerLevel(params, context),
});

export const runLevelRoute: Route = defineRoute({
  method: "GET",
  path: "/runs/:run/level/*address",
  summary: "What is inside a block of a run: a nested workflow, a group, a loop, a pass, or one attempt of these.",
  effect: "reads",
  gives: levelSchema,
  answer: ({ params }, context) => answerLevel(params, context),
});
