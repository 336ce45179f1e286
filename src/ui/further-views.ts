/** The views that nobody sees first, in one part: each by itself would repeat much of the others, and all are small together. */
export { UndoView } from "./act/undo-view.tsx";
export { RunView } from "./run/run-view.tsx";
export { ScratchView } from "./workflows/scratch-view.tsx";
export { WorkflowView } from "./workflows/workflow-view.tsx";
export { WorkflowsView } from "./workflows/workflows-view.tsx";
