import * as z from "zod";
import { chooseLines } from "../../views/page/choose-lines.ts";
import type { PageStanding } from "../../views/page/page-records.ts";
import { defineRoute, type Route } from "../route.ts";
import { splitAtCommas, wordsWithCommas } from "./comma-separated.ts";
import { runLineSchema, spendSchema, standingWords } from "./run-line-schema.ts";

export const listRunsRoute: Route = defineRoute({
  method: "GET",
  path: "/runs",
  summary: "The runs of this server's projects, newest first.",
  description:
    "A page of the list, and beside it what is told of all runs. Pages follow each other by `next` without gaps or repeats, also while runs come in. `/runs/events` tells what changes from then on.",
  effect: "reads",
  query: () =>
    z.strictObject({
      status: wordsWithCommas(standingWords).optional().describe("How they stand: any of these, with commas between"),
      workflow: z.string().optional().describe("Name of their workflow"),
      started_by: z.string().optional().describe("Who started them, as `starters` names them"),
      text: z.string().max(200).optional().describe("In their workflow, label, id, what they say, or who started them"),
      since: z.iso.datetime({ offset: true }).optional().describe("Only those that began then or later"),
      today: z.iso.datetime({ offset: true }).optional().describe("When the reader's day began, for `summary`"),
      limit: z.coerce.number().int().min(1).max(1000).default(100).describe("How many at most"),
      before: z.string().optional().describe("Only those that began before this run: `next` of the page before"),
    }),
  gives: () =>
    z.object({
      runs: z.array(runLineSchema()),
      next: z.string().optional().describe("What `before` is for the next page, when there is one"),
      counts: z
        .record(z.string(), z.number().int())
        .describe("Of all runs that the filters but `status` let through, by how they stand"),
      summary: z
        .string()
        .optional()
        .describe("Who is waited for, what runs, and how those of today ended, in a sentence or two"),
      spend_today: spendSchema().optional().describe("Of all runs that began today, by the clock of the server"),
      workflows: z.array(z.string()).describe("Names of workflows that have runs"),
      starters: z.array(z.string()).describe("Who has started runs"),
    }),
  async answer({ query: { status, since, today, started_by: startedBy, ...rest } }, { runBook, platform }) {
    const standings = status === undefined ? undefined : (splitAtCommas(status) as PageStanding[]);
    const timeOf = (at: string | undefined): number | undefined => (at === undefined ? undefined : Date.parse(at));
    const query = { ...rest, startedBy, standings, since: timeOf(since), today: timeOf(today) };
    return chooseLines(await runBook.lines(), query, platform.clock.now());
  },
});
