import type { Group, WorkflowDefinition } from "../definition/workflow-definition.ts";

/** A group as the workflow that its blocks run in: that of the workflow around it, but for what it says of itself. */
export function groupDefinition(around: WorkflowDefinition, group: Group): WorkflowDefinition {
  const { maxParallel: _, timeout: __, sandbox: ___, expose: ____, budget: _____, ...shared } = around;
  return { ...shared, ...group };
}
