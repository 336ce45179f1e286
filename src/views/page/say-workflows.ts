import { countOf } from "./say-words.ts";
import type { WorkflowChecked, WorkflowLines } from "./workflow-records.ts";

/** Whether a text is sound, and how much is said of it. */
export function sayChecked({ valid, problems }: Pick<WorkflowChecked, "valid" | "problems">): string {
  const said = (["error", "warning", "hint"] as const)
    .map((level) => countOf(problems.filter((found) => found.level === level).length, level))
    .filter((part) => !part.startsWith("0 "))
    .join(", ");
  if (!valid) return `${said}.`;
  return said === "" ? "It is sound." : `It is sound, with ${said}.`;
}

/** How many workflows there are, and how many of them nobody can run yet. */
export function sayWorkflows({ workflows, broken }: Pick<WorkflowLines, "workflows" | "broken">): string {
  const untrusted = workflows.filter(({ trust }) => !trust.trusted).length;
  const parts = [
    countOf(workflows.length, "workflow"),
    ...(untrusted === 0 ? [] : [`${untrusted} not trusted yet`]),
    ...(broken.length === 0 ? [] : [countOf(broken.length, "broken file")]),
  ];
  return `${parts.join(", ")}.`;
}
