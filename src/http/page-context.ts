import type { ServerContext } from "../mcp/server-context.ts";
import { isWithinRoots } from "../runs/server-settings.ts";
import { Semaphore } from "../util/semaphore.ts";
import { LevelFeeds } from "../views/page/level-feed.ts";
import { RunBook } from "../views/page/run-book.ts";

/** What the API of the page works with: besides what the tools do, all that a server without HTTP need not load. */
export interface PageContext extends ServerContext {
  /** Runs that somebody looks at on the page. */
  readonly levels: LevelFeeds;
  /** All runs as the page lists them. */
  readonly runBook: RunBook;
  /** Held by whoever checks the text of a workflow. */
  readonly checks: Semaphore;
}

export function createPageContext(context: ServerContext): PageContext {
  const { platform, catalog, log, settings } = context;
  const isWanted = (workspace: string): boolean => isWithinRoots(workspace, settings.roots);
  return {
    ...context,
    levels: new LevelFeeds(platform, context.pictures, log),
    runBook: new RunBook({ platform, catalog, log, isWanted }),
    checks: new Semaphore(1),
  };
}
