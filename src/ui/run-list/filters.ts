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

/** What a filter is called. */
const filterNames: Readonly<Record<keyof Filters, string>> = {
  status: "state",
  workflow: "workflow",
  started_by: "started by",
  since: "since",
  text: "with",
};

/** Filters that mean nothing are left out. */
export function readFilters(query: Readonly<Record<string, string>>): Filters {
  const known = Object.entries(query).filter(
    ([name, value]) =>
      value !== "" && Object.hasOwn(filterNames, name) && (name !== "since" || Object.hasOwn(sinceWords, value)),
  );
  return Object.fromEntries(known);
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
export function nameFilters(filters: Filters): string {
  const { status, since, text } = filters;
  const said = {
    ...filters,
    ...(status && { status: chips.find(({ standings }) => standings.join() === status)?.name ?? status }),
    ...(since && { since: sinceLabels[since] }),
    ...(text && { text: `“${text}”` }),
  };
  return Object.entries(said)
    .map(([name, word]) => `${filterNames[name as keyof Filters]} ${word}`)
    .join(", ");
}
