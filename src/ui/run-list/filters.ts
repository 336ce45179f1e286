import type { PageStanding, RunLine } from "../../views/page/page-records.ts";

/** What the address bar says to show of the list. */
export interface Filters {
  /** As the API takes it: words with commas between. */
  readonly status?: string;
  readonly workflow?: string;
  readonly started_by?: string;
  readonly since?: Since;
  readonly text?: string;
}

const sinceWords = { today: 0, yesterday: 1, week: 6 } as const;
export type Since = keyof typeof sinceWords;

export const sinceLabels: Readonly<Record<Since, string>> = {
  today: "today",
  yesterday: "yesterday",
  week: "7 days ago",
};

/** One for each way to stand that is looked for often. */
export const chips: readonly { readonly name: string; readonly standings: readonly PageStanding[] }[] = [
  { name: "ask", standings: ["asks"] },
  { name: "interrupted", standings: ["interrupted"] },
  { name: "running", standings: ["running", "sleeping"] },
  { name: "failed", standings: ["failed", "crashed"] },
  { name: "succeeded", standings: ["done"] },
  { name: "cancelled", standings: ["cancelled"] },
  { name: "undone", standings: ["undone"] },
];

/** Filters that mean nothing are left out. */
export function readFilters({ status, workflow, started_by, since, text }: Readonly<Record<string, string>>): Filters {
  return {
    ...(status ? { status } : {}),
    ...(workflow ? { workflow } : {}),
    ...(started_by ? { started_by } : {}),
    ...(since !== undefined && Object.hasOwn(sinceWords, since) ? { since: since as Since } : {}),
    ...(text ? { text } : {}),
  };
}

/** The first moment of a day of the reader's: today, or so many days before. */
export function dayStart(now: number, daysBefore: number = 0): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBefore).getTime();
}

function sinceOf({ since }: Filters, now: number): number | undefined {
  return since === undefined ? undefined : dayStart(now, sinceWords[since]);
}

/** What the API is asked for. */
export function queryFor(filters: Filters, now: number): Readonly<Record<string, string | undefined>> {
  const since = sinceOf(filters, now);
  return { ...filters, since: since === undefined ? undefined : new Date(since).toISOString() };
}

/** Whether a line is one of those that are asked for: what the server would say. */
export function isWanted(line: RunLine, filters: Filters, now: number): boolean {
  const { status, workflow, started_by: starter, text = "" } = filters;
  if (status !== undefined && !status.split(",").includes(line.standing)) return false;
  if (workflow !== undefined && line.workflow !== workflow) return false;
  if (starter !== undefined && line.started_by !== starter) return false;
  const since = sinceOf(filters, now);
  if (since !== undefined && Date.parse(line.started_at) < since) return false;
  const { label = "", run_id, says, started_by = "" } = line;
  const all = `${line.workflow}\n${label}\n${run_id}\n${says}\n${started_by}`;
  return all.toLowerCase().includes(text.trim().toLowerCase());
}

/** The filters in words, for those who see nothing because of them. */
export function nameFilters({ status, workflow, started_by, since, text }: Filters): string {
  const chip = chips.find(({ standings }) => standings.join() === status);
  return [
    status === undefined ? undefined : `state ${chip?.name ?? status}`,
    workflow === undefined ? undefined : `workflow ${workflow}`,
    started_by === undefined ? undefined : `started by ${started_by}`,
    since === undefined ? undefined : `since ${sinceLabels[since]}`,
    text === undefined ? undefined : `with “${text}”`,
  ]
    .filter((word) => word !== undefined)
    .join(", ");
}
