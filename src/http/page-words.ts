import { trustCommand } from "../mcp/for-person.ts";
import type { PageWords } from "../views/page/workflow-lines.ts";
import { wordAdvice } from "./word-advice.ts";

/** What the page says where there is something to do that it can't do itself. */
export const pageWords: PageWords = { advice: wordAdvice, trustCommand };
