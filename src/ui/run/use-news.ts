import { useEffect, useRef } from "preact/hooks";
import type { RunHead } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import { writeTimes } from "../look/sentence.tsx";
import { isOver, runWords } from "../look/standing.ts";

/** The title says how the run stands; its end, and what it asks, are said aloud politely. */
export function useNews(head: RunHead | undefined): void {
  const { announce } = useApp();
  const before = useRef<RunHead>(undefined);
  useEffect(() => {
    if (head === undefined) return;
    document.title = `${runWords[head.standing]}: ${head.workflow} ${head.label ?? ""}`.trim();
    for (const news of tellNews(before.current, head)) announce(news);
    before.current = head;
  }, [head, announce]);
}

/** What has come since: nothing of what was there when the page was opened. */
function tellNews(before: RunHead | undefined, head: RunHead): readonly string[] {
  if (before === undefined) return [];
  const known = new Set(before.questions.map(({ id }) => id));
  const asked = head.questions
    .filter(({ id }) => !known.has(id))
    .map(({ block, prompt }) => `${block} asks: ${prompt}`);
  if (isOver(before.standing) || !isOver(head.standing)) return asked;
  return [...asked, `${head.workflow}: ${runWords[head.standing]}. ${writeTimes(head.sentence).replaceAll("`", "")}`];
}
