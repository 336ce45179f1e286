import type { ValueTemplate } from "../definition/value-template.ts";
import type { ScheduleEntry, WorkflowDefinition } from "../definition/workflow-definition.ts";
import type { ValueMap } from "../expression/value.ts";
import { nextTimes } from "../util/cron-times.ts";
import { defined } from "../util/defined.ts";
import { describeCron } from "../util/describe-cron.ts";

/** Which workers take the runs of a workflow, where those work, and when they are started; as data. */
export interface MachinesInfo {
  readonly runs_on?: readonly string[];
  /** What reads inputs is shown as it is written. */
  readonly workspace?: "none" | { readonly git: string; readonly ref?: string };
  readonly schedule?: readonly ScheduleInfo[];
  readonly concurrency?: number;
}

interface ScheduleInfo {
  readonly cron: string;
  readonly timezone: string;
  /** In words: at 03:00 every day. */
  readonly runs: string;
  readonly inputs?: ValueMap;
  readonly next?: string;
}

/** With the next times after now, where that is known. */
export function describeMachines(definition: WorkflowDefinition, now?: Date): MachinesInfo {
  const { runsOn, workspace, schedule, concurrency } = definition;
  return defined({
    runs_on: runsOn,
    workspace:
      typeof workspace === "object"
        ? { git: written(workspace.git), ...(workspace.ref === undefined ? {} : { ref: written(workspace.ref) }) }
        : workspace,
    schedule: describeSchedule(schedule, now),
    concurrency,
  });
}

export function describeSchedule(entries: WorkflowDefinition["schedule"], now?: Date): MachinesInfo["schedule"] {
  return entries?.map((entry) => describeEntry(entry, now));
}

/** The times at which it is started, and the first to come. */
export function wordSchedule(schedule: NonNullable<MachinesInfo["schedule"]>): string {
  const times = schedule.map(({ runs, timezone }) => `${runs} ${timezone}`);
  const [next] = schedule.flatMap((entry) => entry.next ?? []).sort();
  return `${times.join("; ")}${next === undefined ? "" : `, next ${next.slice(0, 16)}Z`}`;
}

function describeEntry({ cron, timezone, inputs }: ScheduleEntry, now: Date | undefined): ScheduleInfo {
  const [next] = now === undefined ? [] : nextTimes(cron, now, 1, timezone);
  return {
    cron: cron.text,
    timezone,
    runs: describeCron(cron),
    ...(Object.keys(inputs).length === 0 ? {} : { inputs }),
    ...defined({ next: next?.toISOString() }),
  };
}

function written(template: ValueTemplate): string {
  return template.kind === "text" ? template.text.text : String(template.kind === "literal" ? template.value : "");
}

/** The same in sentences, one for each key. */
export function wordMachines(info: MachinesInfo): string[] {
  const { runs_on: labels, workspace, schedule = [], concurrency } = info;
  return [
    ...(labels === undefined
      ? []
      : [`Workers: only those with the label${labels.length === 1 ? "" : "s"} ${labels.join(", ")}.`]),
    ...(workspace === undefined ? [] : [`Workspace on workers: ${wordWorkspace(workspace)}.`]),
    ...schedule.map(({ runs, cron, timezone, next }) => {
      const soon = next === undefined ? "" : `, next ${next.slice(0, 16)}Z`;
      return `Started by workers: ${runs} ${timezone} (${cron})${soon}.`;
    }),
    ...(concurrency === undefined ? [] : [`At the same time: ${concurrency} of its runs on all workers together.`]),
  ];
}

function wordWorkspace(workspace: NonNullable<MachinesInfo["workspace"]>): string {
  if (workspace === "none") return "an empty directory for each run";
  return `a fresh checkout of ${workspace.git}${workspace.ref === undefined ? "" : ` at ${workspace.ref}`} for each run`;
}
