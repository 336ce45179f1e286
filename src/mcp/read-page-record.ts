import { createHash } from "node:crypto";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { readChanges } from "../views/changes.ts";
import { chooseLogs } from "../views/choose-logs.ts";
import { describeDetail, findValue } from "../views/page/block-detail.ts";
import { describeLevel, listPasses } from "../views/page/level.ts";
import { type PageStanding, standingLetters } from "../views/page/page-records.ts";
import type { PageRecord } from "./resource-uris.ts";
import { seeAddress, seeBlock, trimSlash } from "./see-block.ts";
import type { ServerContext } from "./server-context.ts";

/** A view in a conversation is small, and all that it reads goes through its host. */
const mostLines = 500;
const mostPasses = 500;
const changeLimits = { paths: 200, lines: 1_000, characters: 300_000 };

/** What the view of a run in a client shows, in the records of the page. */
export async function readPageRecord(
  runId: string,
  { part, address, query }: PageRecord,
  context: ServerContext,
): Promise<Result<object, Problem>> {
  const params = { run: runId, address };
  const attempt = numberIn(query, "attempt");
  switch (part) {
    case "level": {
      const seen = await seeAddress(params, context);
      if (!seen.ok) return seen;
      const level = describeLevel(seen.value.picture, seen.value.place, trimSlash(address), seen.value.now);
      // Whoever looks again and again is sent the whole of it only where something is new.
      const tag = createHash("sha256").update(JSON.stringify(level)).digest("base64url").slice(0, 16);
      return ok(query.get("unless") === tag ? { tag } : { tag, level });
    }
    case "blocks": {
      const found = await seeBlock(params, attempt, context);
      return found.ok ? ok(describeDetail(found.value.seen, found.value.latest, found.value.address)) : found;
    }
    case "value": {
      const field = query.get("field") ?? "";
      const found = await seeBlock(params, attempt, context);
      if (!found.ok) return found;
      const text = findValue(found.value.seen.place, field);
      if (text !== undefined) return ok({ text });
      return err(problem("unknown-block-value", `'${found.value.address}' has no '${field}'.`));
    }
    case "passes": {
      const seen = await seeAddress(params, context);
      if (!seen.ok) return seen;
      const offset = numberIn(query, "offset") ?? 0;
      const limit = Math.min(numberIn(query, "limit") ?? mostPasses, mostPasses);
      const standings = query.get("standing")?.split(",").filter(isStanding);
      const { picture, place } = seen.value;
      return ok(listPasses(picture, place.node, trimSlash(address), { standings, offset, limit }));
    }
    case "changes": {
      const asked = { ...defined({ block: blockIn(address) }), diffs: true, limits: changeLimits };
      return readChanges(context.platform, context.catalog, runId, asked);
    }
    case "logs":
      return readLines(runId, { ...defined({ block: blockIn(address), attempt }) }, context);
  }
}

async function readLines(
  runId: string,
  selection: { readonly block?: string; readonly attempt?: number },
  { platform, catalog, log, logTails }: ServerContext,
): Promise<Result<object, Problem>> {
  const chosen = await chooseLogs(platform, catalog, runId, selection, true);
  return chosen.ok ? ok(await logTails.of({ ...chosen.value, platform, log, runId }).readEnd(mostLines)) : chosen;
}

function blockIn(address: string): string | undefined {
  return address === "" ? undefined : trimSlash(address);
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function isStanding(word: string): word is PageStanding {
  return Object.hasOwn(standingLetters, word);
}
