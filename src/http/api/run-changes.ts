import * as z from "zod";
import { reachRun } from "../../mcp/reach-run.ts";
import { trimSlash } from "../../mcp/see-block.ts";
import { defined } from "../../util/defined.ts";
import { ok } from "../../util/result.ts";
import { readChanges } from "../../views/changes.ts";
import { wordChanges } from "../../views/page/word-changes.ts";
import { defineRoute, type Route } from "../route.ts";

/** As much as people look through; the command line has it all. */
const limits = { paths: 1_000, lines: 5_000, characters: 2_000_000 };

export const runChangesRoute: Route = defineRoute({
  method: "GET",
  path: "/runs/:run/changes/*address",
  summary: "Which files a run, or a block of it with all inside it, has changed, and how.",
  description:
    `Each path once, with what became of it from the first change to the last, and a unified diff. Of more than ${limits.paths.toLocaleString("en-US")} paths the rest is ` +
    `counted; a diff ends after ${limits.lines.toLocaleString("en-US")} lines, and where all of them together are long the last ones are left out.`,
  effect: "reads",
  gives: () => changesSchema(),
  async answer({ params }, context) {
    const found = await reachRun(params.run ?? "", context);
    if (!found.ok) return found;
    const block = trimSlash(params.address ?? "");
    const { platform, catalog } = context;
    const query = { ...defined({ block: block === "" ? undefined : block }), diffs: true, limits };
    const read = await readChanges(platform, catalog, found.value.runId, query);
    return read.ok ? ok(wordChanges(read.value)) : read;
  },
});

/** `WordedChanges` of the views. */
function changesSchema(): z.ZodObject {
  const by = z.array(z.string()).describe("Addresses of the blocks that did it, in order");
  const change = z.object({
    path: z.string().describe("From the workspace, or absolute for what lies elsewhere"),
    change: z.enum(["created", "edited", "deleted", "moved", "mode"]),
    kind: z.enum(["directory", "link"]).optional().describe("Unless it is a file"),
    was: z
      .enum(["file", "directory", "link"])
      .optional()
      .describe("What it took the place of, where that was of another kind"),
    from: z.string().optional().describe("Where it was before"),
    by,
    mode_before: z.string().optional().describe("Octal, where they differ"),
    mode_after: z.string().optional(),
    target_before: z.string().optional().describe("Of links"),
    target_after: z.string().optional(),
    size_before: z.number().optional().describe("In bytes, of what can't be shown as text"),
    size_after: z.number().optional(),
    lines_added: z.number().int().optional(),
    lines_removed: z.number().int().optional(),
    diff: z.string().optional(),
    diff_left_out: z.number().int().optional().describe("How many lines at the end of the diff were left out"),
    no_diff: z.string().optional().describe("Why there is none of a file whose bytes have changed"),
    now: z
      .enum(["as before", "changed since"])
      .optional()
      .describe("How it is found now, unless it is as the run left it"),
    tags: z.array(z.string()).describe("The same, and what became of it, for people"),
    notes: z.array(z.string()).describe("What its diff does not tell, for people"),
  });
  return z.object({
    run_id: z.string(),
    workflow: z.string(),
    status: z.string(),
    workspace: z.string(),
    block: z.string().optional(),
    says: z.string().describe("What an undo would do with these"),
    lines_added: z.number().int(),
    lines_removed: z.number().int(),
    changes: z.array(change),
    more_changes: z.number().int().optional().describe("So many more paths were changed"),
    refs: z
      .array(
        z.object({
          repository: z.string(),
          name: z.string(),
          before: z.string().nullable(),
          after: z.string().nullable(),
          by,
        }),
      )
      .optional()
      .describe("Refs of git that lead somewhere else"),
    not_captured: z
      .array(z.object({ path: z.string(), why: z.string(), by }))
      .optional()
      .describe("What commands changed that could not be kept, so that undo can't restore it"),
  });
}
