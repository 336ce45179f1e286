import type { Tool } from "../tool.ts";
import { cancelRun } from "./cancel-run.ts";
import { deleteCheckpoint } from "./delete-checkpoint.ts";
import { executeInlineWorkflow } from "./execute-inline-workflow.ts";
import { executePlan } from "./execute-plan.ts";
import { executeWorkflow } from "./execute-workflow.ts";
import { getCheckpointInfo } from "./get-checkpoint-info.ts";
import { getRun } from "./get-run.ts";
import { getWorkflowInfo } from "./get-workflow-info.ts";
import { getWorkflowSchema } from "./get-workflow-schema.ts";
import { listCheckpoints } from "./list-checkpoints.ts";
import { listRuns } from "./list-runs.ts";
import { listWorkflows } from "./list-workflows.ts";
import { rerunWorkflow } from "./rerun-workflow.ts";
import { resumeWorkflow } from "./resume-workflow.ts";
import { saveWorkflow } from "./save-workflow.ts";
import { testWorkflow } from "./test-workflow.ts";
import { undoRun } from "./undo-run.ts";
import { validateWorkflowYaml } from "./validate-workflow-yaml.ts";

/** The tools of the server, sorted by name. A new one is a file beside this one and a line in this list. */
export const builtInTools: readonly Tool[] = [
  cancelRun,
  deleteCheckpoint,
  executeInlineWorkflow,
  executePlan,
  executeWorkflow,
  getCheckpointInfo,
  getRun,
  getWorkflowInfo,
  getWorkflowSchema,
  listCheckpoints,
  listRuns,
  listWorkflows,
  rerunWorkflow,
  resumeWorkflow,
  saveWorkflow,
  testWorkflow,
  undoRun,
  validateWorkflowYaml,
];
