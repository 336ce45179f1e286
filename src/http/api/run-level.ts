import { seeAddress, trimSlash } from "../../mcp/see-block.ts";
import type { ServerContext } from "../../mcp/server-context.ts";
import { ok } from "../../util/result.ts";
import { describeLevel } from "../../views/page/level.ts";
import { defineRoute, type Route } from "../route.ts";
import { levelSchema } from "./level-schemas.ts";

async function answerLevel(params: Readonly<Record<string, string>>, context: ServerContext) {
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
