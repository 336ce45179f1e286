import * as z from "zod";
import { ok } from "../../util/result.ts";
import { inSlices } from "../../util/time-slice.ts";
import { describeLines } from "../../views/page/workflow-lines.ts";
import { pageWords } from "../page-words.ts";
import { defineRoute, type Route } from "../route.ts";

export const listWorkflowsRoute: Route = defineRoute({
  method: "GET",
  path: "/workflows",
  summary: "The workflows that can be run by name, and the files that are broken, as they are now.",
  effect: "reads",
  gives: () =>
    z.object({
      workflows: z.array(z.looseObject({ name: z.string(), description: z.string(), source: z.string() })),
      broken: z.array(z.looseObject({ file: z.string(), text: z.string(), problems: z.array(z.looseObject({})) })),
      warnings: z.array(z.string()),
    }),
  async answer(_asked, { openRuntime, settings }) {
    const { workspace } = settings;
    return ok(await inSlices(describeLines(openRuntime(workspace).workflows, workspace, pageWords)));
  },
});
