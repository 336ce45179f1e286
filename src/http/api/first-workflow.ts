import * as z from "zod";
import { ok } from "../../util/result.ts";
import { firstWorkflow } from "../../views/page/first-workflow.ts";
import { defineRoute, type Route } from "../route.ts";

export const firstWorkflowRoute: Route = defineRoute({
  method: "GET",
  path: "/first-workflow",
  summary: "The text of a small workflow to begin with.",
  effect: "reads",
  gives: () => z.object({ text: z.string() }),
  answer: async () => ok({ text: firstWorkflow }),
});
