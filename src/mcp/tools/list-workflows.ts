import * as z from "zod";
import { listWorkflows as listAll, type WorkflowSummary } from "../../library/describe-workflow.ts";
import { firstSentence } from "../../util/first-sentence.ts";
import { describeBroken, describeUntrusted, describeWarnings } from "../describe-library.ts";
import { fitPage } from "../fit-response.ts";
import { result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { cursor, limit } from "./parameters.ts";

export const listWorkflows: Tool = defineTool({
  name: "list_workflows",
  title: "List workflows",
  description:
    "Lists the workflows that can be run by name, and files that are broken. Next: get_workflow_info, then execute_workflow.",
  toolset: "core",
  effect: "reads",
  parameters: () =>
    z.strictObject({
      tags: z.array(z.string()).default([]).describe("All must match"),
      query: z.string().default("").describe("Words in name, description or tags"),
      limit,
      cursor,
    }),
  async call(args, _call, { openRuntime, settings }) {
    const { workflows } = openRuntime(settings.workspace);
    const words = args.query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = listAll(workflows)
      .filter((workflow) => args.tags.every((tag) => workflow.tags.includes(tag)) && hasWords(workflow, words))
      .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
    const rest = found.filter((workflow) => args.cursor === undefined || placeOf(workflow) > args.cursor);
    const page = fitPage(rest.slice(0, args.limit), listRoom, (workflow) => describe(workflow, found.length));
    const last = page.at(-1);
    const next = last !== undefined && page.length < rest.length ? placeOf(last) : undefined;
    const broken = describeBroken(workflows);
    return result({
      workflows: bySource(page, found.length),
      total: found.length,
      ...describeStanding(page),
      ...(broken.length === 0 ? {} : { broken }),
      ...describeWarnings(workflows),
      ...(next === undefined ? {} : { next_cursor: next, message: readOn({ ...args, cursor: next }) }),
    });
  },
});

/** A list is for choosing, and is read by a model as a whole: half as long as a reply could be. */
const listRoom = 8_000;

/** The project's own come first. Also where a page ends. */
function placeOf({ source, name }: WorkflowSummary): string {
  return `${sources.indexOf(source)}/${name}`;
}

const sources: readonly WorkflowSummary["source"][] = ["project", "user", "template-path", "built-in"];

function bySource(page: readonly WorkflowSummary[], total: number): object {
  const groups: Record<string, Record<string, string>> = {};
  for (const workflow of page) {
    const [name, description] = describe(workflow, total);
    groups[workflow.source] = { ...groups[workflow.source], [name]: description };
  }
  return groups;
}

/** Of a few there is room for all that is said of them. */
const few = 3;

function describe({ name, description }: WorkflowSummary, total: number): readonly [name: string, description: string] {
  return [name, total > few ? firstSentence(description) : description.trim()];
}

/** What some of them are beside what all are. */
function describeStanding(page: readonly WorkflowSummary[]): object {
  const untrusted = page.flatMap(({ name, file, standing }) =>
    standing === undefined ? [] : [[name, describeUntrusted(standing, file)]],
  );
  const replacing = page.filter(({ replaces_built_in: replaces }) => replaces).map(({ name }) => name);
  return {
    ...(untrusted.length === 0 ? {} : { untrusted: Object.fromEntries(untrusted) }),
    ...(replacing.length === 0 ? {} : { replace_built_in: replacing }),
  };
}

function readOn({ tags, query, ...rest }: Readonly<Record<"tags" | "query" | "limit" | "cursor", unknown>>): string {
  const args = { ...((tags as []).length === 0 ? {} : { tags }), ...(query === "" ? {} : { query }), ...rest };
  return `Read on with list_workflows(${JSON.stringify(args)}).`;
}

function hasWords({ name, description, tags }: WorkflowSummary, words: readonly string[]): boolean {
  const text = `${name} ${description} ${tags.join(" ")}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
