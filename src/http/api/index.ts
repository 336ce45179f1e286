import type { Route } from "../route.ts";
import { answerQuestionRoute } from "./answer-question.ts";
import { cancelRunRoute, foreseeCancelRoute } from "./cancel-run.ts";
import { drawDiffRoute, drawGraphRoute } from "./draw.ts";
import { firstWorkflowRoute } from "./first-workflow.ts";
import { getWorkflowRoute } from "./get-workflow.ts";
import { listRunsRoute } from "./list-runs.ts";
import { listWorkflowsRoute } from "./list-workflows.ts";
import { readStripsRoute } from "./read-strips.ts";
import { foreseeRerunRoute, rerunRunRoute } from "./rerun-run.ts";
import { foreseeResumeRoute, resumeRunRoute } from "./resume-run.ts";
import { runBlockRoute, runValueRoute } from "./run-block.ts";
import { runChangesRoute } from "./run-changes.ts";
import { runEventsRoute } from "./run-events.ts";
import { runLevelRoute, runRoute } from "./run-level.ts";
import { runLogsRoute } from "./run-logs.ts";
import { runPassesRoute } from "./run-passes.ts";
import { runsEventsRoute } from "./runs-events.ts";
import { startRunRoute } from "./start-run.ts";
import { foreseeUndoRoute, undoRunRoute } from "./undo-run.ts";
import { validateWorkflowRoute } from "./validate-workflow.ts";

/** Every route of the API; the page uses these and no others. */
export const apiRoutes: readonly Route[] = [
  listRunsRoute,
  startRunRoute,
  runLevelRoute,
  runEventsRoute,
  runPassesRoute,
  runBlockRoute,
  runValueRoute,
  answerQuestionRoute,
  foreseeCancelRoute,
  cancelRunRoute,
  foreseeResumeRoute,
  resumeRunRoute,
  foreseeRerunRoute,
  rerunRunRoute,
  foreseeUndoRoute,
  undoRunRoute,
  runRoute,
  listWorkflowsRoute,
  getWorkflowRoute,
  validateWorkflowRoute,
  firstWorkflowRoute,
  runsEventsRoute,
  readStripsRoute,
  runLogsRoute,
  runChangesRoute,
  drawGraphRoute,
  drawDiffRoute,
];
