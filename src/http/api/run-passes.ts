import * as z from "zod";
import { problem } from "../../diagnostic/problem.ts";
import { seeAddress, trimSlash } from "../../mcp/see-block.ts";
import { err, ok } from "../../util/result.ts";
import { listPasses } from "../../views/page/level.ts";
import { type PageStanding, standingLetters } from "../../views/page/page-records.ts";
import { defineRoute, type Route } from "../route.ts";
import { cardSchema } from "./level-schemas.ts";

const isStanding = (word: string): word is PageStanding => Object.hasOwn(standingLetters, word);

export const runPassesRoute: Route = defineRoute({
  method: "GET",
  path: "/runs/:run/passes/*address",
  summary: "Passes of a loop, in their order.",
  effect: "reads",
  query: () =>
    z.strictObject({
      standing: z.string().optional().describe("Only those that stand so: words with commas between them"),
      offset: z.coerce.number().int().min(0).default(0).describe("How many to leave out first"),
      limit: z.coerce.number().int().min(1).max(500).default(100).describe("How many at most"),
    }),
  gives: () => z.object({ blocks: z.array(cardSchema()), total: z.number().int() }),
  async answer({ params, query: { standing, offset, limit } }, context) {
    const words = standing?.split(",").filter((word) => word !== "");
    const unknown = words?.find((word) => !isStanding(word));
    if (unknown !== undefined) return err(problem("wrong-argument", `Nothing stands as '${unknown}'.`));
    const seen = await seeAddress(params, context);
    if (!seen.ok) return seen;
    const { picture, place } = seen.value;
    const address = trimSlash(params.address ?? "");
    if (place.holds !== "loop") return err(problem("wrong-argument", `'${address}' is no loop.`));
    return ok(listPasses(picture, place.node, address, { standings: words?.filter(isStanding), offset, limit }));
  },
});
